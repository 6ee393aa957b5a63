/** Houses to practise at. */
import type { SampleHouse } from "../../api/openapi";

/** What one may bring with a click, in minor units. */
export const BUY_INS = [10_000, 50_000, 200_000];
const USUAL = "pa-craps";

/** The games of a book, its full one first. */
export function gamesOf(houses: readonly SampleHouse[], book: string): SampleHouse[] {
  return houses
    .filter((house) => house.book === book)
    .sort((one, other) => Number(other.game === "craps") - Number(one.game === "craps"));
}

/** The house that was asked for, else the usual one, else any. */
export function chosen(houses: readonly SampleHouse[], asked: string | null): SampleHouse | null {
  return (
    houses.find((house) => house.sample === asked) ??
    houses.find((house) => house.sample === USUAL) ??
    houses[0] ??
    null
  );
}
