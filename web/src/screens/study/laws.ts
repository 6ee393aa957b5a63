/** Writes the result of an action or a bet under one law as text. The server decides the result. */
import { money, signed } from "../../lib/money";
import type { LawSide, Reel, Step } from "./reel";

const OUTCOMES: Record<string, string> = {
  won: "won",
  lost: "lost",
  returned: "returned",
  credited: "credited",
  moved: "moves to its number",
};

export interface SideTold {
  words: string;
  /** The net result after commission, or null if the bet wasn't decided. */
  net: number | null;
  cite: string | null;
}

export function told(side: LawSide): SideTold {
  switch (side.is) {
    case "decided": {
      const after = side.commission ? `, ${money(side.commission)} commission` : "";
      return {
        words: `${OUTCOMES[side.outcome] ?? side.outcome} on ${money(side.stake)}${after}`,
        net: side.paid - side.commission,
        cite: side.cite,
      };
    }
    case "stands":
      return { words: "stays up", net: null, cite: null };
    case "absent":
      return { words: "no such bet", net: null, cite: null };
    case "done":
      return {
        words:
          side.commission > 0
            ? `done, ${money(side.commission)} commission`
            : side.commission < 0
              ? `done, ${money(-side.commission)} commission returned`
              : "done",
        net: null,
        cite: null,
      };
    case "refused":
      return { words: `refused: ${side.message}`, net: null, cite: side.cite };
  }
}

export const asText = (side: SideTold) => (side.net === null ? side.words : `${signed(side.net)}, ${side.words}`);

const posted = (key: string) => key === "chip" || key.startsWith("limits.");

/** The other house's keys with the limits and lowest chip of this game, so that bets differ only because of the law. */
export function withLimitsOf(other: Record<string, string>, own: Record<string, string>): Record<string, string> {
  const mine = Object.entries(own).filter(([key]) => posted(key));
  if (!mine.some(([key]) => key.startsWith("limits."))) return other;
  return Object.fromEntries([...Object.entries(other).filter(([key]) => !posted(key)), ...mine]);
}

/** True if anything differs in this step. */
export const differs = (step: Step) =>
  (step.other?.differences.length ?? 0) > 0 || Boolean(step.other?.refused) || Boolean(step.other?.line);

/** The final result of every seat under both laws. */
export function ends(reel: Reel): { seat: number; here: number; there: number | null }[] {
  return reel.end.seats.map(({ seat, net }) => ({
    seat,
    here: net,
    there: reel.other?.seats.find((one) => one.seat === seat)?.net ?? null,
  }));
}
