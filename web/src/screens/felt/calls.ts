/** The stick's calls and the net result of a roll. */
import type { RollView } from "../../api/openapi";
import type { Calls } from "../../lib/settings.svelte";
import { raisedWords } from "./rows";

/** The call of a roll in the style that the player chose. */
export function called(roll: Pick<RollView, "call" | "colorful">, calls: Calls): string {
  return calls === "colorful" ? roll.colorful : roll.call;
}

/** What a screen reader says after a roll. `announced` is true if it has named the raised prices already. */
export function spokenRoll(
  roll: Pick<RollView, "dice" | "call" | "colorful" | "raised">,
  calls: Calls,
  announced: boolean,
): string {
  const raised = announced ? "" : raisedWords(roll.raised ?? []);
  const said = `${roll.dice.join(" and ")}: ${called(roll, calls === "silent" ? "plain" : calls)}.`;
  return raised === "" ? said : `${raised} ${said}`;
}

/** The net result of a roll for a seat. */
export function netOf(roll: RollView | null, seat: number | null): number {
  return (roll?.results ?? [])
    .filter((result) => result.seat === seat)
    .reduce((sum, result) => sum + result.paid - result.commission, 0);
}
