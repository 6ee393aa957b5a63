/** Formats times, which the server sends as milliseconds since 1970. */

const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

/** `Nov 15, 2026, 10:14 PM` */
export function moment(at: number): string {
  return MOMENT.format(at);
}

/** `Nov 15, 2026` */
export function day(at: number): string {
  return DAY.format(at);
}

/** `45 minutes`, `1 hour`, `2 hours 5 minutes` */
export function lasting(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), Math.floor(minutes % 60)];
  const part = (count: number, word: string) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? "" : "s"}`]);
  const parts = [...part(hours, "hour"), ...part(rest, "minute")];
  return parts.length === 0 ? "less than a minute" : parts.join(" ");
}
