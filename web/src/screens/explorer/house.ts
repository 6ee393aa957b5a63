/** Compares the odds of one house with those in the law. The house's odds come from its layout. */
import type { Layout, Price } from "../../felt/layout";
import { compare } from "../../lib/fraction";
import { edgeOf, type By, type Line, type Row } from "./rows";

export type Offered = Pick<Layout, "prices">;

export function priceEdge(price: Price, by: By): string | null {
  return (by === "made" ? price.edge : by === "resolved" ? price.edge_resolved : price.edge_per_throw) ?? null;
}

export interface Compared {
  price: Price;
  /** Whether the house pays the same as the law, more (better for the player), or less. Null if that is unknown. */
  against: "same" | "better" | "worse" | null;
}

/** The house's price for a row. If commissions have separate rows, it belongs to the row with the same edge. */
export function compared(row: Row, lines: Line[], siblings: Line[], offered: Offered): Compared | null {
  const price = offered.prices[row.code];
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
