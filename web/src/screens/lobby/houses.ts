/** The sample houses for practice. */
import type { SampleHouse } from "../../api/openapi";

/** The buy-ins to choose from, in cents. */
export const BUY_INS = [10_000, 50_000, 200_000];
const USUAL = "pa-craps";

/** The games of a book, the full game first. */
export function gamesOf(houses: readonly SampleHouse[], book: string): SampleHouse[] {
  return houses
    .filter((house) => house.book === book)
    .sort((one, other) => Number(other.game === "craps") - Number(one.game === "craps"));
}

/** The requested house, or else the default one, or else the first. */
export function chosen(houses: readonly SampleHouse[], asked: string | null): SampleHouse | null {
  return (
    houses.find((house) => house.sample === asked) ??
    houses.find((house) => house.sample === USUAL) ??
    houses[0] ??
    null
  );
}
