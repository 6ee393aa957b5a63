/** Guessing the result of a roll before it is shown. */
import { bare, read } from "../../lib/money";
import type { Step, StepResult } from "./reel";

/** The results that were decided for a seat, without bets that only moved to their number. */
export function decidedFor(step: Step, seat: number): StepResult[] {
  return (step.results ?? []).filter((result) => result.seat === seat && result.outcome !== "moved");
}

export const netOf = (results: StepResult[]) => results.reduce((sum, one) => sum + one.paid - one.commission, 0);

/** Reads `14`, `+14`, `-10` or `−$10`. Null if it isn't an amount. */
export function readGuess(text: string): number | null {
  const found = /^\s*([+\-−–]?)\s*(.*)$/.exec(text);
  const amount = read(found?.[2] ?? "");
  if (amount === null) return null;
  return found?.[1] && found[1] !== "+" && amount !== 0 ? -amount : amount;
}

/** `+10 +60 +45 −5 = +110`, or just the amount if there is only one. */
export function sumOf(results: StepResult[]): string {
  const each = results.map((one) => bare(one.paid - one.commission));
  return each.length > 1 ? `${each.join(" ")} = ${bare(netOf(results))}` : (each[0] ?? "0");
}

export interface Score {
  right: number;
  of: number;
}

/** Counts the right guesses. Showing a result without a guess is stored as NaN and doesn't count. */
export function score(steps: Step[], seat: number, guesses: Record<number, number>): Score {
  const tried = steps.filter((step) => guesses[step.roll] !== undefined && !Number.isNaN(guesses[step.roll]));
  return {
    right: tried.filter((step) => netOf(decidedFor(step, seat)) === guesses[step.roll]).length,
    of: tried.length,
  };
}
