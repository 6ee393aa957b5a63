/** A position as an address: its felt string, and the house whose table it stands on. */
import type { RulesShown } from "../../api/openapi";

export type HouseOf = RulesShown;

/** `odds.k=3-4-5;chip=1`: like the head of a game, with whatever would break it apart written as in an address. */
export function keysAsText(keys: Record<string, string>): string {
  return Object.entries(keys)
    .map(([key, value]) => `${safe(key)}=${safe(value)}`)
    .join(";");
}

export function keysOf(text: string): Record<string, string> {
  const pairs = text.split(";").map((part) => {
    const cut = part.indexOf("=");
    return cut < 1 ? null : ([unsafe(part.slice(0, cut).trim()), unsafe(part.slice(cut + 1).trim())] as const);
  });
  return Object.fromEntries(pairs.filter((pair) => pair !== null));
}

const safe = (text: string) => text.replace(/[%;=]/g, (one) => encodeURIComponent(one));
const unsafe = (text: string) => text.replace(/%(25|3B|3D)/gi, (one) => decodeURIComponent(one));

/** Where a position can be looked at again. */
export function toPosition(felt: string, house: HouseOf): string {
  const keys = keysAsText(house.keys);
  return `/study?${new URLSearchParams({ felt, book: house.book, as_of: house.as_of, game: house.game, ...(keys ? { house: keys } : {}) })}`;
}

/** What such an address asks for; none where it names no position. A house that it does not name is left to the server to miss. */
export function asked(query: URLSearchParams): { felt: string; house: Record<string, unknown> } | null {
  const felt = query.get("felt");
  if (felt === null) return null;
  const [book, day, game, sample] = [query.get("book"), query.get("as_of"), query.get("game"), query.get("sample")];
  if (sample) return { felt, house: { sample } };
  return {
    felt,
    house: {
      ...(book ? { book } : {}),
      ...(day ? { as_of: day } : {}),
      ...(game ? { game } : {}),
      keys: keysOf(query.get("house") ?? ""),
    },
  };
}

/** A roll of a table's game, or of one hand of it. */
export function toRoll(table: string, hand: string | null, roll: number): string {
  return `/study?${new URLSearchParams({ table, ...(hand ? { hand } : {}), roll: String(roll) })}`;
}
