/** Formats and reads amounts, which are integers in cents. */

const MINUS = "−";

/** `$379`, `$37.50`, `−$5`. */
export function money(minor: number): string {
  const sign = minor < 0 ? MINUS : "";
  return `${sign}$${plain(Math.abs(minor))}`;
}

/** With its sign, for results: `+$14`, `−$135`, `$0`. */
export function signed(minor: number): string {
  return minor > 0 ? `+${money(minor)}` : money(minor);
}

/** Without the currency: `+14`, `−135`, `0`. */
export function bare(minor: number): string {
  const sign = minor < 0 ? MINUS : minor > 0 ? "+" : "";
  return sign + plain(Math.abs(minor));
}

/** Digits with commas, with cents only if they aren't zero. */
export function plain(minor: number): string {
  const whole = Math.trunc(minor / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
  const cents = minor % 100;
  return cents === 0 ? whole : `${whole}.${cents.toString().padStart(2, "0")}`;
}

/** Reads a typed amount and returns it in cents, or null if it isn't an amount. */
export function read(text: string): number | null {
  const found = /^\s*\$?\s*(\d{1,9})(?:[.,](\d{1,2}))?\s*$/.exec(text.replace(/(\d),(?=\d{3}\b)/g, "$1"));
  if (!found) return null;
  return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}
