/** `1 fact`, `3 facts`, or an empty text for zero. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return count === 0 ? "" : `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Joins the texts that aren't empty with commas and an "and". */
export function all(texts: string[], word = "and"): string {
  const there = texts.filter(Boolean);
  return there.length < 2 ? (there[0] ?? "") : `${there.slice(0, -1).join(", ")} ${word} ${there.at(-1)}`;
}
