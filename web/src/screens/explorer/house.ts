/** Compares the odds of one house with those in the law. The house's odds come from its layout. */
import type { WagerLine } from "../../api/openapi";
import type { Layout, Price } from "../../felt/layout";
import { compare } from "../../lib/fraction";
import { edgeOf, wagerOf, type By, type Line, type Row } from "./rows";

export type Offered = Pick<Layout, "prices">;

/** The code of a wager in a house's price list: `C4O` for odds on a come bet on 4. */
export function codeOf(id: string, wagers: Map<string, WagerLine>): string | null {
  const found = wagerOf(id, wagers);
  if (!found) return null;
  const { wager, number } = found;
  if (number === null) return wager.codes[0] ?? null;
  return wager.codes.find((code) => code.replace(/\D+/g, "") === number) ?? wager.codes[0] ?? null;
}

export function priceEdge(price: Price, by: By): string | null {
  return (by === "made" ? price.edge : by === "resolved" ? price.edge_resolved : price.edge_per_throw) ?? null;
}

export interface Compared {
  price: Price;
  /** Whether the house pays the same as the law, more (better for the player), or less. Null if that is unknown. */
  against: "same" | "better" | "worse" | null;
}

/** The house's price for a row. If commissions have separate rows, it belongs to the row with the same edge. */
export function compared(
  row: Row,
  lines: Line[],
  siblings: Line[],
  offered: Offered,
  wagers: Map<string, WagerLine>,
): Compared | null {
  const code = codeOf(row.wagers[0]!, wagers);
  const price = code === null ? undefined : offered.prices[code];
  if (!price) return null;
  const edges = (some: Line[]) => some.map((line) => edgeOf(line.record, "made")).filter((edge) => edge !== null);
  const [here, elsewhere] = [edges(lines), edges(siblings)];
  const [law, own] = [here[0], price.edge];
  if (own == null || law === undefined) return { price, against: null };
  const same = (edge: string) => compare(edge, own) === 0;
  if (here.some(same)) return { price, against: same(law) ? "same" : against(law, own) };
  return elsewhere.some(same) ? null : { price, against: against(law, own) };
}

function against(law: string, house: string): "better" | "worse" {
  return compare(house, law) < 0 ? "better" : "worse";
}
