/** What becomes of an act or a bet under one law, in words. The server has decided it; this only says it. */
import { money, signed } from "../../lib/money";
import type { LawSide, Reel, Step } from "./reel";

const OUTCOMES: Record<string, string> = {
  won: "won",
  lost: "lost",
  returned: "comes back",
  credited: "credited",
  moved: "goes to its number",
};

export interface SideTold {
  words: string;
  /** What it was paid after commission, where it was decided. */
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
      return { words: "stands", net: null, cite: null };
    case "absent":
      return { words: "no such bet", net: null, cite: null };
    case "done":
      return {
        words:
          side.commission > 0
            ? `done, ${money(side.commission)} commission`
            : side.commission < 0
              ? `done, ${money(-side.commission)} commission given back`
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

/** Another house's choices with the limits and the least chip of this game, so that bets differ by law and not by what happens to be posted. */
export function withLimitsOf(other: Record<string, string>, own: Record<string, string>): Record<string, string> {
  const mine = Object.entries(own).filter(([key]) => posted(key));
  if (!mine.some(([key]) => key.startsWith("limits."))) return other;
  return Object.fromEntries([...Object.entries(other).filter(([key]) => !posted(key)), ...mine]);
}

/** Does anything come out otherwise here? */
export const differs = (step: Step) =>
  (step.other?.differences.length ?? 0) > 0 || Boolean(step.other?.refused) || Boolean(step.other?.line);

/** How every seat ends under both laws. */
export function ends(reel: Reel): { seat: number; here: number; there: number | null }[] {
  return reel.end.seats.map(({ seat, net }) => ({
    seat,
    here: net,
    there: reel.other?.seats.find((one) => one.seat === seat)?.net ?? null,
  }));
}
