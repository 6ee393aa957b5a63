/** Sorts, searches and formats the list of tables. */
import type { LobbyView } from "../../api/openapi";
import { money } from "../../lib/money";

/** Sorts tables: first those where the user has a seat, then those with players, then the rest. */
export function inOrder(tables: readonly LobbyView[]): LobbyView[] {
  const rank = (table: LobbyView) => (table.seat ? 0 : table.players > 0 ? 1 : 2);
  return [...tables].sort((one, other) => rank(one) - rank(other));
}

export function fits(words: string, ...of: string[]): boolean {
  const all = of.join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

export function limits({ limits: { min, max } }: Pick<LobbyView, "limits">): string {
  return max === null || max === undefined ? `from ${money(min ?? 0)}` : `${money(min ?? 0)}–${money(max)}`;
}

/** The odds multiples, each once: 3-4-5. */
export function odds({ limits: { odds } }: Pick<LobbyView, "limits">): string {
  return [...new Set(odds.map(([, times]) => times))].sort((one, other) => one - other).join("-");
}
