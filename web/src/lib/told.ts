/** Results of a roll as text and signs, for live tables and replays. */
import type { ResultView } from "../api/openapi";
import { money } from "./money";

const WORDS: Record<string, string> = {
  won: "won",
  lost: "lost",
  returned: "returned",
  credited: "credited",
  moved: "moved",
};
const SIGNS: Record<string, string> = { won: "✓", lost: "×", returned: "=", credited: "+", moved: "→" };

export type Told = Pick<ResultView, "outcome" | "stake" | "stands">;

export function signOf(result: Told): string {
  return SIGNS[result.outcome] ?? "·";
}

/** The result of a bet as text. The caller supplies the names of bets. */
export function told(result: Told, names: (bet: string) => string): string {
  if (result.outcome === "moved") return result.stands ? `moved to ${names(result.stands.bet)}` : "moved to its number";
  const then =
    result.outcome === "lost" ? "" : result.stands ? ", stays up" : result.outcome === "won" ? ", comes down" : "";
  return `${money(result.stake)} · ${WORDS[result.outcome] ?? result.outcome}${then}`;
}
