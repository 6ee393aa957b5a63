/**
 * Answers to what is asked in words.
 *
 * TODO(server): the grammar of questions belongs to the server, which understands rail talk. Once an answer tells its words (`told`) and the result
 * that “why” means, everything that is typed is sent as it is and this file goes.
 */
import { bare, money } from "../../lib/money";
import type { Room } from "./room.svelte";

/** Does it ask something, or order something? */
export function isQuestion(typed: string): boolean {
  return typed.startsWith("?") || /^(what|why)\b/i.test(typed);
}

/** What is shown instead of words: the card of a result. */
export type Reply = string | { why: true };

export function answer(question: string, { live, own }: Room): Reply {
  const asked = question
    .replace(/^\?\s*|^what\s+(if|happens on)\s+(a\s+)?/i, "")
    .trim()
    .toLowerCase();
  const exposure = live.outcomes?.exposure ?? [];
  const bets = own?.bets ?? [];
  switch (asked) {
    case "":
    case "exposure":
      return exposure.map((one) => `${one.thrown}: ${bare(one.net)}`).join("; ") || "Nothing is at risk.";
    case "mine":
      return bets.map((bet) => `${bet.name} ${money(bet.stake)}`).join("; ") || "You have no bets.";
    case "working":
      return bets.map((bet) => `${bet.name} ${bet.works ? "works" : "is off"}`).join("; ") || "You have no bets.";
    case "why":
      return { why: true };
  }
  if (asked === "legal" || asked.startsWith("can i bet")) {
    const open = [...live.legal.values()].filter((terms) => terms.open).map((terms) => terms.name);
    return `Open: ${open.join(", ")}`;
  }
  const found = exposure.find((one) => one.thrown.toLowerCase() === asked);
  if (found) return `${found.thrown}: ${bare(found.net)}`;
  return "Ask “? seven”, “? mine”, “? exposure”, “? working”, “? legal” or “why”.";
}
