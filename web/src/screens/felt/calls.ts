/** The stick's calls. The server sends the plain calls; the colorful ones (`data/calls.json`) only add to them. */
import type { RollView } from "../../api/openapi";
import type { Calls } from "../../lib/settings.svelte";
import colorful from "../../../data/calls.json";

const BY_DICE: Record<string, string | undefined> = colorful.dice;
const BY_MARK: Record<string, string | undefined> = colorful.line;

export function called(roll: Pick<RollView, "call" | "line" | "dice">, calls: Calls): string {
  if (calls !== "colorful") return roll.call;
  const line = BY_MARK[roll.line ?? ""];
  if (line) return `${roll.call}; ${line}`;
  const extra = BY_DICE[[...roll.dice].sort().join("-")];
  return extra ? `${roll.call}, ${extra}` : roll.call;
}

/** The net result of a roll for a seat. */
export function netOf(roll: RollView | null, seat: number | null): number {
  return (roll?.results ?? [])
    .filter((result) => result.seat === seat)
    .reduce((sum, result) => sum + result.paid - result.commission, 0);
}
