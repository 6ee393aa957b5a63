/** What a simulation came to, as the server tells it. Money is in whole units there, shares are of one. */

export type Interval = [number, number];

/** Results in groups of the same width. */
export interface Bins {
  width: number;
  /** The lowest result of each group and its share, empty ones too. */
  bins: [number, number][];
  /** The shares below the first and above the last. */
  below: number;
  above: number;
}

/** What charts are drawn from. */
export interface Curves {
  /** After so many rolls: the 5, 25, 50, 75 and 95 % of the net result. */
  fan: [number, number[]][];
  /** After so many rolls: the share stopped or broke by then, and the share at its goal. */
  ruin: [number, number, number][];
  histogram: Bins;
  /** How long sessions went on that ended before their last roll. */
  lengths: Bins;
  /** One session as it went. */
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

/** Two on the same dice. */
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
  /** The share of sessions in which the first did better, and in which both came to the same. */
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
