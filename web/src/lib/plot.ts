/** Geometry of charts. It uses floats, because they only position what is drawn. */

/** About `about` round numbers between `low` and `high`. */
export function ticks(low: number, high: number, about: number): number[] {
  return steps(low, high, stepOf(low, high, about));
}

function steps(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => tidy((first + at) * step));
}

export interface Axis {
  low: number;
  high: number;
  ticks: number[];
}

/** An axis from one round number to another that includes all values. */
export function axis(values: readonly number[], about: number): Axis {
  const [least, most] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
  const [from, to] = Number.isFinite(least) ? [least, most] : [0, 1];
  const step = stepOf(from, to, about);
  const low = tidy(Math.floor(from / step + 1e-9) * step);
  const high = tidy(Math.max(Math.ceil(to / step - 1e-9) * step, low + step));
  return { low, high, ticks: steps(low, high, step) };
}

function stepOf(low: number, high: number, about: number): number {
  const rough = Math.max(high - low, 1e-9) / Math.max(about, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const digit = [1, 2, 5, 10].find((digit) => digit * power >= rough * (1 - 1e-9)) ?? 10;
  return digit * power;
}

function tidy(number: number): number {
  const clean = Number(number.toPrecision(12));
  return clean === 0 ? 0 : clean;
}

/** Maps values to positions. */
export type Scale = (value: number) => number;

export function scale(low: number, high: number, from: number, to: number): Scale {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

export type Spot = readonly [number, number];

const place = ([x, y]: Spot) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;

/** The SVG path of a line through these points. */
export function line(spots: readonly Spot[]): string {
  return spots.length === 0 ? "" : `M${spots.map(place).join("L")}`;
}

/** The SVG path of the area between two lines. */
export function between(upper: readonly Spot[], lower: readonly Spot[]): string {
  return upper.length === 0 ? "" : `${line([...upper, ...[...lower].reverse()])}Z`;
}

/** Moves overlapping labels apart. They keep their order and stay between `least` and `most` if there is room. */
export function apart(places: readonly number[], gap: number, least: number, most: number): number[] {
  const moved: number[] = [];
  for (const at of places) moved.push(Math.max(at, least, (moved.at(-1) ?? -Infinity) + gap));
  let bound = most;
  for (let at = moved.length - 1; at >= 0; at--) {
    moved[at] = Math.min(moved[at]!, bound);
    bound = moved[at]! - gap;
  }
  return moved;
}

/** The index of the nearest value. */
export function nearest(values: readonly number[], to: number): number {
  let best = 0;
  values.forEach((value, at) => {
    if (Math.abs(value - to) < Math.abs((values[best] ?? value) - to)) best = at;
  });
  return best;
}

/** The new index of a cursor after a key press, or null if the key doesn't move it. */
export function moved(key: string, at: number, count: number): number | null {
  const page = Math.max(2, Math.round(count / 10));
  const to: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    PageUp: at + page,
    PageDown: at - page,
    Home: 0,
    End: count - 1,
  };
  const found = Object.hasOwn(to, key) ? to[key] : undefined;
  return found === undefined ? null : Math.min(Math.max(found, 0), Math.max(count - 1, 0));
}
