/**
 * Asks what came of a command whose answer was lost. An order without bets can never be done, but the server answers it with what was done before
 * under the same key, and otherwise with an error. So the question changes nothing at the table, however often it is asked.
 */
export function fateOf(id: string): Record<string, unknown> {
  return { do: "actions", id };
}

const LATER = new Set(["busy", "closing", "store", "too-many", "too-many-requests"]);

/** The server could not look now, so the fate is still not known. */
export function isForLater(code: string): boolean {
  return LATER.has(code);
}
