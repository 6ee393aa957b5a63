/** Formats exact fractions, which the server sends as text (`7/495`). */

export interface Fraction {
  top: bigint;
  bottom: bigint;
}

export function fraction(text: string): Fraction {
  const [top = "0", bottom = "1"] = text.split("/");
  return { top: BigInt(top.trim()), bottom: BigInt(bottom.trim()) };
}

/** Compares two fractions for sorting: negative if the first is smaller. */
export function compare(left: string, right: string): number {
  const [a, b] = [fraction(left), fraction(right)];
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Rounds to this many places, halves away from zero: `decimal("1/66", 3)` is `0.015`. */
export function decimal(text: string, places: number): string {
  const { top, bottom } = fraction(text);
  const scale = 10n ** BigInt(places);
  const twice = (top < 0n ? -top : top) * scale * 2n + bottom;
  const digits = (twice / (bottom * 2n)).toString().padStart(places + 1, "0");
  const sign = top < 0n && /[1-9]/.test(digits) ? "−" : "";
  const cut = digits.length - places;
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** `1.515 %` */
export function percent(text: string, places = 3): string {
  const { top, bottom } = fraction(text);
  return `${decimal(`${top * 100n}/${bottom}`, places)} %`;
}

/** Converts to a float, only for drawing: the length of a bar, the position of a point. */
export function approximately(text: string): number {
  const { top, bottom } = fraction(text);
  return Number(top) / Number(bottom);
}
