/** Requests of players that wait for the crew, and how they ended, in words. */
import type { RequestView } from "../../api/openapi";
import { begun, titleOf, titlesOf } from "../../lib/roles";

/** What the page shows if the server has no words for a request. */
const UNNAMED = "what you asked for";

/** The words of a request, as the player said it. */
export function wordsOf(request: Pick<RequestView, "words"> | undefined): string {
  return request?.words || UNNAMED;
}

/** The roles that can still confirm a request. */
export function waitsFor({ by, all, confirmed }: Pick<RequestView, "by" | "all" | "confirmed">): string {
  return titlesOf(
    by.filter((role) => !confirmed.includes(role)),
    all ? "and" : "or",
  );
}

/** The line at the rail: `Waiting for the dealer: call place six on`. */
export function waiting(request: RequestView): string {
  return `Waiting for ${waitsFor(request)}: ${wordsOf(request)}`;
}

/** Why a request ended without effect. Null if it took effect, or if the player knows the reason. `role` is the role that ended it. */
export function unfulfilled(how: string, role: string): string | null {
  if (how === "too-late") return "Too late: the dice had stopped.";
  if (how === "turned-down") return `${begun(titleOf(role))} turned it down.`;
  return null;
}
