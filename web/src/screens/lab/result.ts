/** The result of a simulation, as the server sends it. Money is in dollars, and shares are fractions of one. */

export type Interval = [number, number];

/** A histogram with bins of equal width. */
export interface Bins {
  width: number;
  /** The lower border and the share of each bin, including empty ones. */
  bins: [number, number][];
  /** The shares below the first and above the last bin. */
  below: number;
  above: number;
}

/** The data of the charts. */
export interface Curves {
  /** The number of rolls, and the 5, 25, 50, 75 and 95 % quantiles of the net result after them. */
  fan: [number, number[]][];
  /** The number of rolls, the share that has stopped or gone broke by then, and the share that has reached its goal. */
  ruin: [number, number, number][];
  histogram: Bins;
  /** The lengths of sessions that ended early. */
  lengths: Bins;
  /** One example session. */
  path?: { session: number; nets: [number, number][] } | null;
}

export interface Answer {
  form: "engine" | "tabulated" | "exact";
  why_form: string;
  strategy: string;
  book: string;
  as_of: string;
  seed: number;
  sessions: number;
  asked: number;
  partial: boolean;
  throws: number;
  throws_per_second: number | null;
  states: number | null;
  seconds: number;
  buy_in: number;
  most_throws: number;
  stop: number | null;
  goal: number | null;
  mean: number;
  sd: number;
  p_behind: number;
  p_ahead: number;
  p_double: number;
  p_stop: number;
  p_goal: number;
  p_broke: number;
  throws_mean: number;
  quantiles: Record<string, number>;
  edge_by_wager: Record<string, number | null>;
  net_by_wager: Record<string, number>;
  resolved_by_wager: Record<string, number>;
  loss_per_hour: number | null;
  pace: number;
  drawdown: { mean: number; worst_of_95: number } | null;
  intervals: Record<string, Interval>;
  refusals: { bet: string; message: string; cite: string }[];
  notes: string[];
  definitions: string[];
  mean_controlled: number | null;
  sessions_seen: number;
  sessions_followed: number;
  command: string;
  curves?: Curves | null;
}

/** Two strategies on the same dice. */
export interface Duel {
  one: Answer;
  other: Answer;
  sessions: number;
  difference_mean: number;
  difference_sd: number;
  difference_interval: Interval | null;
  difference_controlled: number | null;
  difference_controlled_error: number | null;
  difference_controlled_sessions: number | null;
  /** The share of sessions in which the first did better, and in which both were equal. */
  difference_ahead?: number | null;
  difference_level?: number | null;
  difference_histogram?: Bins | null;
}

export type Result = Answer | Duel;

export function isDuel(result: Result): result is Duel {
  return "one" in result;
}

export function first(result: Result): Answer {
  return isDuel(result) ? result.one : result;
}

export function isSampled(answer: Answer): boolean {
  return answer.form !== "exact";
}
