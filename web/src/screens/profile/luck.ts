/** The luck line: what somebody's hands came to beside what they were expected to, hand after hand. */

/** One hand that somebody took part in. Amounts are in minor units. */
export interface Hand {
  /** Its number among one's own. */
  n: number;
  table: string;
  name?: string | null;
  book: string;
  hand: number;
  /** When one last had a bet in it, in unix milliseconds. */
  until: number;
  rolls: number;
  staked: number;
  net: number;
  /** What the bets that were made come to in the mean, exactly. */
  expected: string;
  /** The same, rounded. */
  expected_rounded: number;
}

export interface History {
  /** The newest first. */
  hands: Hand[];
  /** There are more: ask again with `before`, the number of the last. */
  more: boolean;
}

export interface Spot {
  /** How many hands so far. */
  hands: number;
  actual: number;
  expected: number;
}

/** Both lines from the oldest hand on: they begin at nothing. */
export function luckLine(hands: readonly Hand[]): Spot[] {
  let [actual, expected] = [0, 0];
  const spots: Spot[] = [{ hands: 0, actual, expected }];
  for (const hand of [...hands].reverse()) {
    actual += hand.net;
    expected += hand.expected_rounded;
    spots.push({ hands: spots.length, actual, expected });
  }
  return spots;
}
