/** What a strategy has on the felt before each throw of one session. The steps are those of a replay: each tells what changed since the one before. */

export interface Change {
  seat: number;
  /** The code of the bet. */
  bet: string;
  /** What is at risk now, in minor units; nothing where the bet is gone. */
  stake: number;
  /** The next throw leaves it alone. */
  off?: boolean;
}

export interface Step {
  roll: number;
  dice?: [number, number] | null;
  call: string;
  before: { phase: string; point?: number | null };
  /** What was done since the throw before. */
  acts?: { code: string; words: string; refused?: { message: string; cite: string } | null }[];
  felt?: Change[];
}

export interface Previewed {
  /** Every bet of the layout by its code. */
  bets: Record<string, { name: string }>;
  steps: Step[];
}

/** The felt before each throw: changes added up. */
export function felts(steps: readonly Step[]): Change[][] {
  const felt = new Map<string, Change>();
  return steps.map((step) => {
    for (const change of step.felt ?? []) {
      if (change.stake > 0) felt.set(change.bet, change);
      else felt.delete(change.bet);
    }
    return [...felt.values()];
  });
}

/** Where the line stands before a throw. */
export function line({ before }: Step): string {
  return before.point === null || before.point === undefined ? "coming out" : `the point is ${before.point}`;
}
