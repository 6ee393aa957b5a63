/** The URL of a position: its felt string and its house. */
import type { RulesShown } from "../../api/openapi";

export type HouseOf = RulesShown;

/** Writes keys like the header of a game: `odds.k=3-4-5;chip=1`. Separators inside a value are percent-encoded. */
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

/** The URL that shows a position. */
export function toPosition(felt: string, house: HouseOf): string {
  const keys = keysAsText(house.keys);
  return `/study?${new URLSearchParams({ felt, book: house.book, as_of: house.as_of, game: house.game, ...(keys ? { house: keys } : {}) })}`;
}

/** Reads the position from a URL. Null if there is none. If the house is missing, the server reports it. */
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

/** The URL of a roll in a table's game, or in one hand of it. */
export function toRoll(table: string, hand: string | null, roll: number): string {
  return `/study?${new URLSearchParams({ table, ...(hand ? { hand } : {}), roll: String(roll) })}`;
}
