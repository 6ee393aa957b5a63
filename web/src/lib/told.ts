/** Results of a roll in words and signs, as a live table and a replay tell them. */
import type { ResultView } from "../api/openapi";
import { money } from "./money";

const WORDS: Record<string, string> = {
  won: "won",
  lost: "lost",
  returned: "comes back",
  credited: "credited",
  moved: "moved",
};
const SIGNS: Record<string, string> = { won: "✓", lost: "×", returned: "=", credited: "+", moved: "→" };

export type Told = Pick<ResultView, "outcome" | "stake" | "stands">;

export function signOf(result: Told): string {
  return SIGNS[result.outcome] ?? "·";
}

/** What became of a bet; the caller knows what the book calls a bet. */
export function told(result: Told, names: (bet: string) => string): string {
  if (result.outcome === "moved") return result.stands ? `went to ${names(result.stands.bet)}` : "went to its number";
  const then =
    result.outcome === "lost" ? "" : result.stands ? ", stays up" : result.outcome === "won" ? ", comes down" : "";
  return `${money(result.stake)} · ${WORDS[result.outcome] ?? result.outcome}${then}`;
}
