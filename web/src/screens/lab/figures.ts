/** Lists and formats the figures of an answer. Sampled figures have a 95 % interval. */
import { isSampled, type Answer, type Duel, type Interval } from "./result";

/** What a figure measures, by its key in the answer. */
export type Measure =
  | "mean"
  | "mean_controlled"
  | "sd"
  | "loss_per_hour"
  | "p_ahead"
  | "p_behind"
  | "p_double"
  | "p_stop"
  | "p_goal"
  | "p_broke"
  | "throws_mean"
  | "drawdown_mean"
  | "drawdown_95"
  | `quantile_${string}`;

export interface Figure {
  id: Measure;
  name: string;
  kind: "money" | "fine" | "share" | "throws";
  value: number;
  interval: Interval | null;
  /** True if the figure is sampled but has no interval. */
  open?: boolean;
}

const MINUS = "−";

/** A number with thousands separators. Zero has no sign. */
export function number(value: number, places: number): string {
  if (!Number.isFinite(value)) return "–";
  const [whole = "", rest] = Math.abs(value).toFixed(places).split(".");
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest === undefined ? "" : `.${rest}`);
  return value < 0 && /[1-9]/.test(digits) ? MINUS + digits : digits;
}

/** An amount in dollars. */
export function dollars(value: number, places = 2): string {
  const text = number(value, places);
  return text.startsWith(MINUS) ? `${MINUS}$${text.slice(1)}` : `$${text}`;
}

/** An amount in dollars, with a plus for a gain. */
export function gain(value: number, places = 2): string {
  const text = dollars(value, places);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** An amount in dollars, without cents if it is whole. */
export function short(value: number): string {
  return dollars(value, Number.isInteger(value) ? 0 : 2);
}

export function share(value: number, places = 1): string {
  return `${number(value * 100, places)} %`;
}

/** The decimal places that the percentages of an axis with this step need. */
export function placesOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step * 100) + 1e-9));
}

/** True for whole cents, which need no more places: $40.00 is as exact as $40.000000. */
function inCents(value: number): boolean {
  return Math.abs(value * 100 - Math.round(value * 100)) < 1e-9;
}

/** A figure with as many digits as are known. Exact figures have more. */
export function shown(figure: Figure, brief = false): string {
  const exact = figure.interval === null && !figure.open;
  switch (figure.kind) {
    case "money":
      return dollars(figure.value, exact && !inCents(figure.value) ? (brief ? 4 : 6) : 2);
    case "fine":
      return dollars(figure.value, brief ? 2 : 4);
    case "share":
      return share(figure.value, exact ? (brief ? 2 : 6) : fine(figure, brief));
    case "throws":
      return number(figure.value, exact ? 4 : brief ? 1 : 2);
  }
}

/** The decimal places of a sampled share, enough that its interval doesn't round to zero. */
function fine({ interval }: Figure, brief: boolean): number {
  const half = interval ? (interval[1] - interval[0]) * 50 : 1;
  return Math.max(brief ? 1 : 2, half >= 0.095 ? 1 : half >= 0.0095 ? 2 : 3);
}

/** Half the width of the interval, or null for an exact figure. */
export function error(figure: Figure, brief = false): string | null {
  if (figure.interval === null) return null;
  const half = (figure.interval[1] - figure.interval[0]) / 2;
  switch (figure.kind) {
    case "money":
      return `± ${number(half, 2)}`;
    case "fine":
      return `± ${number(half, brief ? 2 : 4)}`;
    case "share":
      return `± ${number(half * 100, fine(figure, brief))}`;
    case "throws":
      return `± ${number(half, brief ? 1 : 2)}`;
  }
}

/** Both ends of the interval. */
export function ends(figure: Figure): [string, string] | null {
  if (figure.interval === null) return null;
  const end = (value: number) => shown({ ...figure, value, interval: figure.interval });
  return [end(figure.interval[0]), end(figure.interval[1])];
}

/** All figures, the most important first. */
export function figures(answer: Answer): Figure[] {
  const of = (id: Measure, name: string, kind: Figure["kind"], value: number): Figure => ({
    id,
    name,
    kind,
    value,
    interval: answer.intervals[id] ?? null,
  });
  const all = [of("mean", "Average result", "money", answer.mean)];
  if (answer.mean_controlled !== null)
    all.push(of("mean_controlled", "Average without luck", "fine", answer.mean_controlled));
  all.push(of("sd", "Standard deviation", "money", answer.sd));
  if (answer.loss_per_hour !== null && answer.throws_mean > 0) {
    // Computed from the interval of the mean and the rolls per hour.
    const hour = (mean: number) => (-mean / answer.throws_mean) * answer.pace;
    const mean = answer.intervals.mean;
    const interval: Interval | null = mean ? [hour(mean[1]), hour(mean[0])] : null;
    all.push({
      id: "loss_per_hour",
      name: `Loss per hour of ${number(answer.pace, 0)} rolls`,
      kind: "money",
      value: answer.loss_per_hour,
      interval,
    });
  }
  all.push(
    of("p_ahead", "Ended ahead", "share", answer.p_ahead),
    of("p_behind", "Ended behind", "share", answer.p_behind),
  );
  all.push(of("p_double", "Ended with twice the buy-in or more", "share", answer.p_double));
  if (answer.stop !== null)
    all.push(of("p_stop", `Ended at the stop of ${short(answer.stop)}`, "share", answer.p_stop));
  if (answer.goal !== null)
    all.push(
      of(
        "p_goal",
        `Ended at the goal of ${gain(answer.goal, Number.isInteger(answer.goal) ? 0 : 2)}`,
        "share",
        answer.p_goal,
      ),
    );
  all.push(of("p_broke", "Ended broke", "share", answer.p_broke));
  all.push(of("throws_mean", "Rolls in a session, average", "throws", answer.throws_mean));
  if (answer.drawdown) {
    all.push({
      ...of("drawdown_mean", "Worst drop from a high, average", "money", answer.drawdown.mean),
      open: isSampled(answer),
    });
    all.push({
      ...of("drawdown_95", "Worst drop that 95 % stay below", "money", answer.drawdown.worst_of_95),
      open: isSampled(answer),
    });
  }
  return all;
}

/** The quantiles of the result: what 5 %, 25 % … of sessions end at or below. */
export function quantiles(answer: Answer): Figure[] {
  return Object.entries(answer.quantiles)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([at, net]) => ({
      id: `quantile_${at}`,
      name: at === "50" ? "Median result" : `${at} % end at or below`,
      kind: "money",
      value: net,
      interval: answer.intervals[`quantile_${at}`] ?? null,
      open: isSampled(answer),
    }));
}

/** True if too few sessions ended early for a meaningful curve. */
export function tooFew(answer: Answer): boolean {
  /** Only part of a sample is followed roll by roll, so events rarer than this are hardly seen. */
  const RARE = 0.005;
  return isSampled(answer) && Math.max(answer.p_stop + answer.p_broke, answer.p_goal) < RARE;
}

/** What was played, as short texts. */
export function extent(answer: Answer): string[] {
  const parts: string[] = [];
  if (!isSampled(answer)) parts.push("every session");
  else if (answer.partial) parts.push(`${number(answer.sessions, 0)} of ${number(answer.asked, 0)} sessions`);
  else parts.push(`${number(answer.sessions, 0)} sessions`);
  parts.push(
    `${answer.stop !== null || answer.goal !== null ? "at most " : ""}${number(answer.most_throws, 0)} rolls`,
    `buy-in ${short(answer.buy_in)}`,
  );
  if (answer.stop !== null) parts.push(`stop ${short(answer.stop)}`);
  if (answer.goal !== null) parts.push(`goal +${short(answer.goal)}`);
  if (isSampled(answer)) parts.push(`seed ${answer.seed}`);
  return parts;
}

/** How the answer was computed. */
export function form(answer: Answer): { exact: boolean; words: string } {
  const states =
    answer.states === null ? "" : ` on ${number(answer.states, 0)} ${answer.states === 1 ? "position" : "positions"}`;
  if (!isSampled(answer)) return { exact: true, words: `exact: solved${states}, no dice and no error` };
  const how = answer.form === "tabulated" ? `tabulated${states}` : "played roll by roll";
  return { exact: false, words: `sampled: ${number(answer.sessions, 0)} sessions, ${how}` };
}

/** How many sessions the figures use. Null for exact answers. */
export function rests(answer: Answer): string | null {
  if (!isSampled(answer)) return null;
  const [all, followed] = [number(answer.sessions, 0), number(answer.sessions_followed, 0)];
  if (answer.sessions_followed >= answer.sessions) return `All figures use all ${all} sessions.`;
  const seen = answer.sessions_seen === answer.sessions_followed ? ", the worst drop and the figures by wager" : "";
  return `The curves by roll, the average without luck${seen} use the first ${followed} sessions; the rest use ${all}.`;
}

const byId = (book: string) => book;

/** The result of a duel as text. Only the interval shows which is better, never the mean alone. */
export function verdict(duel: Duel, named = byId): string {
  const [one, other] = sides(duel, named);
  const [interval, plain] = [closest(duel), duel.difference_interval];
  if (interval === null && duel.difference_mean === 0)
    return "Both had the same result in every session, so these dice show no difference.";
  if (interval === null) {
    const more = duel.difference_mean > 0 ? "higher" : "lower";
    return `The difference is exact: on average ${one} ends ${dollars(Math.abs(duel.difference_mean), 4)} ${more} than ${other}.`;
  }
  if (holdsZero(interval)) return "The interval contains 0, so these sessions don't show which is better.";
  const subject =
    plain && holdsZero(plain)
      ? "The interval of the results contains 0, but without the luck of the rolls it is"
      : "The interval is";
  const [side, more] = interval[0] > 0 ? ["above", "better"] : ["below", "worse"];
  return `${subject} entirely ${side} 0: on average ${one} does ${more} than ${other}.`;
}

function holdsZero([low, high]: Interval): boolean {
  return low <= 0 && high >= 0;
}

/** The narrowest interval: the one without the luck of the rolls, if there is one. */
export function closest(duel: Duel): Interval | null {
  return controlled(duel) ?? duel.difference_interval;
}

/** The interval of the average difference without luck. */
export function controlled(duel: Duel): Interval | null {
  /** The standard errors on each side of a 95 % interval. */
  const Z = 1.959964;
  const { difference_controlled: mean, difference_controlled_error: error } = duel;
  return mean === null || error === null || error === 0 ? null : [mean - Z * error, mean + Z * error];
}

/** The names of both sides, with the book if the names are the same. */
export function sides(duel: Duel, named = byId): [string, string] {
  const { one, other } = duel;
  if (one.strategy !== other.strategy) return [one.strategy, other.strategy];
  if (one.book !== other.book)
    return [`${one.strategy}, ${named(one.book)}`, `${other.strategy}, ${named(other.book)}`];
  return [`${one.strategy}, first`, `${other.strategy}, second`];
}

export interface Row {
  wager: string;
  resolved: number;
  net: number;
  interval: Interval | null;
  lost: number | null;
}

/** The result of each wager per session, largest loss first, and the total. */
export function byWager(answer: Answer): { rows: Row[]; all: Row } {
  const rows = Object.entries(answer.net_by_wager).map(([wager, net]): Row => ({
    wager,
    net,
    resolved: answer.resolved_by_wager[wager] ?? 0,
    interval: answer.intervals[`net ${wager}`] ?? null,
    lost: answer.edge_by_wager[wager] ?? null,
  }));
  rows.sort((a, b) => a.net - b.net);
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const [net, resolved] = [sum((row) => row.net), sum((row) => row.resolved)];
  return { rows, all: { wager: "", net, resolved, interval: null, lost: resolved > 0 ? -net / resolved : null } };
}
