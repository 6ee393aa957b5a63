/** The luck line: the actual and the expected total after each hand. The server computes the exact totals. */
import type { HandLine } from "../../api/openapi";
import { fraction } from "../../lib/fraction";

export interface Spot {
  /** The number of hands so far. */
  hands: number;
  actual: number;
  /** The expected total in cents, rounded. */
  expected: number;
  /** The expected total in cents, as an exact fraction. */
  exact: string;
}

type Summed = Pick<HandLine, "n" | "net" | "expected" | "sum">;

/** Both lines, from the oldest listed hand to the newest, starting with the total before it. `hands` has the newest first. */
export function luckLine(hands: readonly Summed[]): Spot[] {
  const oldest = hands.at(-1);
  if (!oldest) return [{ hands: 0, actual: 0, expected: 0, exact: "0" }];
  const exact = minus(oldest.sum.expected, oldest.expected);
  const before: Spot = { hands: oldest.n - 1, actual: oldest.sum.net - oldest.net, expected: rounded(exact), exact };
  return [
    before,
    ...[...hands]
      .reverse()
      .map(({ n, sum }): Spot => ({ hands: n, actual: sum.net, expected: sum.expected_rounded, exact: sum.expected })),
  ];
}

function minus(left: string, right: string): string {
  const [a, b] = [fraction(left), fraction(right)];
  return lowest(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom);
}

function lowest(top: bigint, bottom: bigint): string {
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b > 0n) [a, b] = [b, a % b];
  const [over, under] = [top / a, bottom / a];
  return under === 1n ? `${over}` : `${over}/${under}`;
}

/** Rounds halves away from zero, like the server. */
function rounded(text: string): number {
  const { top, bottom } = fraction(text);
  const whole = ((top < 0n ? -top : top) * 2n + bottom) / (2n * bottom);
  return Number(top < 0n ? -whole : whole);
}

/** Converts a fraction of cents to dollars: `-130450/33` cents are `−$2609/66`. */
export function inUnits(text: string): string {
  const { top, bottom } = fraction(text);
  return `${top < 0n ? "−" : ""}$${lowest(top < 0n ? -top : top, bottom * 100n)}`;
}
