/** The figures of an answer: which there are, and how they are written. Sampled ones come with the ends of their 95 % interval. */
import { isSampled, type Answer, type Duel, type Interval } from "./result";

export interface Figure {
  name: string;
  kind: "money" | "fine" | "share" | "throws";
  value: number;
  interval: Interval | null;
  /** Sampled, but nobody says how far off it may be. */
  open?: boolean;
}

const MINUS = "−";

/** With thousands apart; nothing has no sign. */
export function number(value: number, places: number): string {
  if (!Number.isFinite(value)) return "–";
  const [whole = "", rest] = Math.abs(value).toFixed(places).split(".");
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest === undefined ? "" : `.${rest}`);
  return value < 0 && /[1-9]/.test(digits) ? MINUS + digits : digits;
}

/** Money in whole units. */
export function dollars(value: number, places = 2): string {
  const text = number(value, places);
  return text.startsWith(MINUS) ? `${MINUS}$${text.slice(1)}` : `$${text}`;
}

/** The same with a plus where it is a gain. */
export function gain(value: number, places = 2): string {
  const text = dollars(value, places);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Whole amounts without cents. */
export function short(value: number): string {
  return dollars(value, Number.isInteger(value) ? 0 : 2);
}

export function share(value: number, places = 1): string {
  return `${number(value * 100, places)} %`;
}

/** How many places the percentages of an axis need, whose step is this. */
export function placesOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step * 100) + 1e-9));
}

/** Whole cents need no further places: $40.00 is as exact as $40.000000. */
function inCents(value: number): boolean {
  return Math.abs(value * 100 - Math.round(value * 100)) < 1e-9;
}

/** With as many digits as it is good for: what is exact has more of them. */
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

/** The places of a sampled share: so many that its interval is not nothing. */
function fine({ interval }: Figure, brief: boolean): number {
  const half = interval ? (interval[1] - interval[0]) * 50 : 1;
  return Math.max(brief ? 1 : 2, half >= 0.095 ? 1 : half >= 0.0095 ? 2 : 3);
}

/** Half of the interval; nothing where it is exact. */
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

/** All of them, the most asked first. */
export function figures(answer: Answer): Figure[] {
  const of = (name: string, kind: Figure["kind"], value: number, key: string): Figure => ({
    name,
    kind,
    value,
    interval: answer.intervals[key] ?? null,
  });
  const all = [of("Average result", "money", answer.mean, "mean")];
  if (answer.mean_controlled !== null)
    all.push(of("Average without luck", "fine", answer.mean_controlled, "mean_controlled"));
  all.push(of("Standard deviation", "money", answer.sd, "sd"));
  if (answer.loss_per_hour !== null && answer.throws_mean > 0) {
    // The server gives the interval of the mean: an hour is so many rolls of it.
    const hour = (mean: number) => (-mean / answer.throws_mean) * answer.pace;
    const mean = answer.intervals.mean;
    const interval: Interval | null = mean ? [hour(mean[1]), hour(mean[0])] : null;
    all.push({
      name: `Loss per hour of ${number(answer.pace, 0)} rolls`,
      kind: "money",
      value: answer.loss_per_hour,
      interval,
    });
  }
  all.push(
    of("Ended ahead", "share", answer.p_ahead, "p_ahead"),
    of("Ended behind", "share", answer.p_behind, "p_behind"),
  );
  all.push(of("Ended with twice the buy-in or more", "share", answer.p_double, "p_double"));
  if (answer.stop !== null)
    all.push(of(`Ended at the stop of ${short(answer.stop)}`, "share", answer.p_stop, "p_stop"));
  if (answer.goal !== null)
    all.push(
      of(
        `Ended at the goal of ${gain(answer.goal, Number.isInteger(answer.goal) ? 0 : 2)}`,
        "share",
        answer.p_goal,
        "p_goal",
      ),
    );
  all.push(of("Ended broke", "share", answer.p_broke, "p_broke"));
  all.push(of("Rolls in a session, average", "throws", answer.throws_mean, "throws_mean"));
  if (answer.drawdown) {
    all.push({
      ...of("Worst drop from a high, average", "money", answer.drawdown.mean, "drawdown_mean"),
      open: isSampled(answer),
    });
    all.push({
      ...of("Worst drop that 95 % stay below", "money", answer.drawdown.worst_of_95, "drawdown_95"),
      open: isSampled(answer),
    });
  }
  return all;
}

/** What so many of 100 end at or below. */
export function quantiles(answer: Answer): Figure[] {
  return Object.entries(answer.quantiles)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([at, net]) => ({
      name: at === "50" ? "Median result" : `${at} % end at or below`,
      kind: "money",
      value: net,
      interval: answer.intervals[`quantile_${at}`] ?? null,
      open: isSampled(answer),
    }));
}

/** Did so few sessions end early that a curve of them would show chance alone? */
export function tooFew(answer: Answer): boolean {
  /** A sample is followed roll by roll only in part: of what is rarer, hardly one was seen. */
  const RARE = 0.005;
  return isSampled(answer) && Math.max(answer.p_stop + answer.p_broke, answer.p_goal) < RARE;
}

/** What was played, in a few words each. */
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

/** How the answer was got. */
export function form(answer: Answer): { exact: boolean; words: string } {
  const states =
    answer.states === null ? "" : ` on ${number(answer.states, 0)} ${answer.states === 1 ? "position" : "positions"}`;
  if (!isSampled(answer)) return { exact: true, words: `exact: solved${states}, no dice and no error` };
  const how = answer.form === "tabulated" ? `tabulated${states}` : "played roll by roll";
  return { exact: false, words: `sampled: ${number(answer.sessions, 0)} sessions, ${how}` };
}

/** How many sessions figures rest on, where they do not rest on all of them alike. */
export function rests(answer: Answer): string | null {
  if (!isSampled(answer)) return null;
  const [all, followed] = [number(answer.sessions, 0), number(answer.sessions_followed, 0)];
  if (answer.sessions_followed >= answer.sessions) return `All figures rest on all ${all} sessions.`;
  const seen = answer.sessions_seen === answer.sessions_followed ? ", the worst drop and the figures by wager" : "";
  return `The curves by roll, the average without luck${seen} rest on the first ${followed} sessions, all else on ${all}.`;
}

const byId = (book: string) => book;

/** What a duel says, in words. It is the interval that tells two apart, never the mean alone. */
export function verdict(duel: Duel, named = byId): string {
  const [one, other] = sides(duel, named);
  const [interval, plain] = [closest(duel), duel.difference_interval];
  if (interval === null && duel.difference_mean === 0)
    return "Both came to the same in every session: on these dice nothing tells the two apart.";
  if (interval === null) {
    const more = duel.difference_mean > 0 ? "more" : "less";
    return `Both are exact, and so is the difference: ${one} keeps ${dollars(Math.abs(duel.difference_mean), 4)} a session ${more} than ${other}.`;
  }
  if (holdsZero(interval)) return "The interval contains 0: these sessions do not tell the two apart.";
  const subject =
    plain && holdsZero(plain)
      ? "The interval of the results contains 0, but with the luck of the rolls taken out it lies"
      : "The interval lies";
  const [side, more] = interval[0] > 0 ? ["above", "more"] : ["below", "less"];
  return `${subject} wholly ${side} 0: a session of ${one} comes to ${more} on average than one of ${other}.`;
}

function holdsZero([low, high]: Interval): boolean {
  return low <= 0 && high >= 0;
}

/** The narrowest interval that there is: without the luck of the rolls where that was taken out. */
export function closest(duel: Duel): Interval | null {
  return controlled(duel) ?? duel.difference_interval;
}

/** The interval of the average difference without luck. */
export function controlled(duel: Duel): Interval | null {
  /** How many standard errors hold 95 of 100. */
  const Z = 1.959964;
  const { difference_controlled: mean, difference_controlled_error: error } = duel;
  return mean === null || error === null || error === 0 ? null : [mean - Z * error, mean + Z * error];
}

/** The two by name; by their books where the name is the same. */
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

/** What each wager brought per session, the dearest first, and all together. */
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
