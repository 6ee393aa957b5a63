/** What a strategy has on the felt before each throw of one session, as `POST /strategies/preview` tells it. */

export interface Change {
  bet: string;
  name: string;
  /** What stands there from now on, in minor units; nothing where it is gone. */
  amount: number;
}

export interface Step {
  roll: number;
  dice: [number, number];
  call: string;
  /** What changed on the felt since the step before. */
  bets: Change[];
}

export interface Previewed {
  steps: Step[];
}

/** The felt before each throw: changes added up. */
export function felts(steps: readonly Step[]): Change[][] {
  const felt = new Map<string, Change>();
  return steps.map((step) => {
    for (const change of step.bets) {
      if (change.amount > 0) felt.set(change.bet, change);
      else felt.delete(change.bet);
    }
    return [...felt.values()];
  });
}
