/**
 * Asks for the result of a command whose answer was lost. It sends an action without bets under the same key. The server answers with what it did
 * before under that key, or with an error if it did nothing. An action without bets changes nothing, so this can be repeated.
 */
export function fateOf(id: string): Record<string, unknown> {
  return { do: "actions", id };
}

const LATER = new Set(["busy", "closing", "store", "too-many", "too-many-requests"]);

/** True if the server was too busy to answer, so that the result is still unknown. */
export function isForLater(code: string): boolean {
  return LATER.has(code);
}
