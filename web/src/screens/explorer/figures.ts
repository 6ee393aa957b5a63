/** Formats edges, chances and results. */
import type { OddsOutcome } from "../../api/openapi";
import { approximately, compare, decimal, fraction, percent } from "../../lib/fraction";
import type { By } from "./rows";

export const BYS: { by: By; text: string; means: string }[] = [
  { by: "made", text: "per bet made", means: "of each unit bet, including pushes" },
  { by: "resolved", text: "per bet resolved", means: "of each unit that is won or lost, without pushes" },
  { by: "roll", text: "per roll", means: "of each unit, for every roll on which the bet works" },
];

export function negated(text: string): string {
  return text.startsWith("-") ? text.slice(1) : fraction(text).top === 0n ? text : `-${text}`;
}

/** A house edge without a sign, an edge for the player with a plus: `1.414 %`, `+3.333 %`. */
export function edgeInPercent(edge: string): string {
  return fraction(edge).top < 0n ? `+${percent(negated(edge))}` : percent(edge);
}

/** The edge as an exact fraction, with a plus if it is for the player. */
export function edgeExactly(edge: string): string {
  return fraction(edge).top < 0n ? `+${negated(edge)}` : edge;
}

/** The length of an edge's bar in percent. It is full at an edge of 17 %. */
export function reach(edge: string): number {
  return Math.min(Math.abs(approximately(edge)) / 0.17, 1) * 100;
}

/** A net result of one unit: as money if that is exact, otherwise as a fraction. A `+` at the end means "or more". */
export function netInWords(net: string): string {
  const more = net.endsWith("+") ? " or more" : "";
  const plain = net.replace(/\+$/, "");
  const { top, bottom } = fraction(plain);
  const sign = top > 0n ? "+" : "";
  const text = 100n % bottom === 0n ? decimal(plain, 2) : plain.replace("-", "−");
  return sign + text + more;
}

/** Sorts outcomes, best first. */
export function best(outcomes: OddsOutcome[]): OddsOutcome[] {
  const bare = (outcome: OddsOutcome) => outcome.net.replace(/\+$/, "");
  return [...outcomes].sort((a, b) => compare(bare(b), bare(a)));
}

const LONGEST = 48;

/** The sum that gives an edge, written out if it is short: `1/6 × 26/5 − 5/6 = 1/30`. The result comes from the server. */
export function sumOf(outcomes: OddsOutcome[], edge: string): string {
  const comes = negated(edge).replace("-", "−");
  const terms = best(outcomes).filter((outcome) => fraction(outcome.net.replace(/\+$/, "")).top !== 0n);
  const text = terms
    .map(({ net, p }, at) => {
      const lost = net.startsWith("-");
      const size = net.replace("-", "");
      const sign = lost ? (at === 0 ? "−" : " − ") : at === 0 ? "" : " + ";
      return sign + (size === "1" ? p : `${p} × ${size}`);
    })
    .join("");
  return text.length <= LONGEST && !outcomes.some((outcome) => outcome.net.endsWith("+"))
    ? `${text} = ${comes}`
    : `every chance × its result, added up = ${comes.length > 24 ? percent(negated(edge)) : comes}`;
}

/** True if the text is short enough for one line. */
export const isShort = (text: string) => text.length <= 21;

/** A share of a stake in money: what an edge costs, or what a result pays. It has two decimals if that is exact, otherwise four. */
export function ofStake(share: string, minor: number): string {
  const { top, bottom } = fraction(share);
  const cents = top * BigInt(minor);
  const exact = cents % bottom === 0n;
  const text = decimal(`${cents}/${bottom * 100n}`, exact ? 2 : 4);
  return `${text.startsWith("−") ? "−" : ""}$${text.replace("−", "")}`;
}

/** `1/6 · 16.67 %`, or only the percentage for a long fraction. */
export function chance(p: string): string {
  return isShort(p) ? `${p} · ${percent(p, 2)}` : percent(p, 2);
}

/** `961/180 = 5.339`, or only the number if it is whole. */
export function inDecimals(text: string): string {
  if (!text.includes("/")) return text;
  return isShort(text) ? `${text} = ${decimal(text, 3)}` : decimal(text, 3);
}

/** `7/495 = 1.414 %` */
export function edgeInFull(edge: string): string {
  return isShort(edge) && edge.includes("/") ? `${edgeExactly(edge)} = ${edgeInPercent(edge)}` : edgeInPercent(edge);
}

/** The edge per unit of stake plus up-front commission. Null if there is no up-front commission. */
export function edgeOfOutlay(outcomes: OddsOutcome[], edge: string): string | null {
  const worst = best(outcomes).at(-1)?.net;
  if (worst === undefined || compare(worst.replace(/\+$/, ""), "-1") >= 0) return null;
  const [share, outlay] = [fraction(edge), fraction(worst)];
  return reduced(share.top * outlay.bottom, share.bottom * -outlay.top);
}

function reduced(top: bigint, bottom: bigint): string {
  let [a, b] = [top < 0n ? -top : top, bottom];
  while (b > 0n) [a, b] = [b, a % b];
  const whole = bottom / (a || 1n);
  return whole === 1n ? `${top / (a || 1n)}` : `${top / (a || 1n)}/${whole}`;
}
