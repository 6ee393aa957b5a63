/** Combines several names into one: `Place Bet 6 to Win` and `Place Bet 8 to Win` become `Place Bet 6 or 8 to Win`. */

const MOST = 8;

export function together(names: string[]): string {
  const different = [...new Set(names)];
  if (different.length < 2) return different[0] ?? "";
  const split = different.map((name) => name.split(" "));
  const shortest = Math.min(...split.map((words) => words.length));
  const [first] = split as [string[]];
  let before = 0;
  while (before < shortest && split.every((words) => words[before] === first[before])) before += 1;
  let after = 0;
  while (after < shortest - before && split.every((words) => words.at(-1 - after) === first.at(-1 - after))) after += 1;
  const middles = split.map((words) => words.slice(before, words.length - after).join(" "));
  if (before + after === 0 || middles.some((middle) => middle === "")) return listed(different);
  return [...first.slice(0, before), listed(middles), ...first.slice(first.length - after)].join(" ");
}

/** The name of a bet with its number, if the name doesn't say it: `Come Bet 6`. */
export function named({ name, number }: { name: string; number?: number | null }): string {
  return number && !/\d/.test(name) ? `${name} ${number}` : name;
}

/** `6 or 8`; `4, 5 or 6`. A long list is cut: `…, 7 and 12 more`. */
export function listed(items: string[], word = "or"): string {
  if (items.length < 2) return items[0] ?? "";
  if (items.length > MOST) return `${items.slice(0, MOST - 1).join(", ")} and ${items.length - MOST + 1} more`;
  return `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}
