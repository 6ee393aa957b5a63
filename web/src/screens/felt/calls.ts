/** The stick's calls and the net result of a roll. */
import type { RollView } from "../../api/openapi";
import type { Calls } from "../../lib/settings.svelte";

/** The call of a roll in the style that the player chose. */
export function called(roll: Pick<RollView, "call" | "colorful">, calls: Calls): string {
  return calls === "colorful" ? roll.colorful : roll.call;
}

/** The net result of a roll for a seat. */
export function netOf(roll: RollView | null, seat: number | null): number {
  return (roll?.results ?? [])
    .filter((result) => result.seat === seat)
    .reduce((sum, result) => sum + result.paid - result.commission, 0);
}
