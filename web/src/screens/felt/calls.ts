/** The stick's calls. The plain ones are the server's; the colourful set only adds to them. */
import type { RollView } from "../../api/openapi";
import type { Calls } from "../../lib/settings.svelte";

const NICKNAMES: Record<string, string> = {
  "4": "little joe",
  "5": "fever five",
  "8": "eighter from Decatur",
  "9": "nina from Pasadena",
  "11": "six five, no jive",
};

export function called(roll: Pick<RollView, "call" | "total" | "dice">, calls: Calls): string {
  if (calls !== "colourful") return roll.call;
  const hard = roll.dice[0] === roll.dice[1];
  if (/line wins|pay the line/.test(roll.call)) return `${roll.call}; winner winner, front line winner`;
  const extra = hard ? undefined : NICKNAMES[String(roll.total)];
  return extra ? `${roll.call}, ${extra}` : roll.call;
}

/** What a throw brought a seat, all in all. */
export function netOf(roll: RollView | null, seat: number | null): number {
  return (roll?.results ?? [])
    .filter((result) => result.seat === seat)
    .reduce((sum, result) => sum + result.paid - result.commission, 0);
}
