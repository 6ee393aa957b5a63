import { expect, test } from "vitest";
import { indent, lineAt, lines, rules, selection } from "./script";

const MOLLY = [
  "strategy Three-point molly",
  "about    Pass and come.",
  "         All with odds.",
  "buy-in   2000",
  "",
  "when coming out",
  "    pass line for unit   # the line",
  "when the point is on: max odds",
  "    if come bets < 2: come for unit",
].join("\n");
const mistake = (line: number, column: number, width: number) => ({
  line,
  column,
  width,
  message: "wrong",
  suggestions: [],
});
const told = (text: string, ...mistakes: ReturnType<typeof mistake>[]) =>
  lines(text, mistakes).map((line) => line.parts.map((part) => `${part.kind}${part.wrong ? "!" : ""}:${part.text}`));

test("every character is shown once and in its place", () => {
  for (const text of [
    MOLLY,
    "",
    "\n\n",
    "<script>alert(1)</script>\n{@html x}",
    "when 🎲 won: press it # 🎲",
    "when\tx:\n\u202eodds",
    "a:b:c",
  ]) {
    const shown = lines(text, [mistake(1, 3, 4), mistake(2, 1, 99)])
      .map((line) => line.parts.map((part) => part.text).join(""))
      .join("\n");
    expect(shown).toBe(text);
  }
});

test("keywords, conditions, orders and notes are distinguished", () => {
  expect(told(MOLLY)).toEqual([
    ["word:strategy", "plain: Three-point molly"],
    ["word:about", "plain:    Pass and come."],
    ["plain:         All with odds."],
    ["word:buy-in", "plain:   2000"],
    [],
    ["word:when", "plain: coming out"],
    ["order:    pass line for unit   ", "note:# the line"],
    ["word:when", "plain: the point is on:", "order: max odds"],
    ["word:    if", "plain: come bets < 2:", "order: come for unit"],
  ]);
});

test("a mistake is marked where the server says, counted in characters", () => {
  expect(told("when x\n    pass lin for unit", mistake(2, 10, 3))[1]).toEqual([
    "order:    pass ",
    "order!:lin",
    "order: for unit",
  ]);
  // The die emoji is one character and two UTF-16 units.
  expect(told("🎲🎲 feild", mistake(1, 4, 5))).toEqual([["order:🎲🎲 ", "order!:feild"]]);
  expect(lines("when x", [mistake(1, 1, 4)])[0]?.wrong).toBe(true);
});

test("a mistake at or past the end is still marked", () => {
  expect(told("unit", mistake(1, 5, 0))).toEqual([["word:uni", "word!:t"]]);
  expect(told("pass", mistake(1, 3, 40))).toEqual([["order:pa", "order!:ss"]]);
  expect(told("", mistake(1, 1, 1))).toEqual([[]]);
  expect(told("a\nb", mistake(7, 1, 1))).toEqual([["order:a"], ["order:b"]]);
});

test("a mark can cover parts of different kinds", () => {
  expect(told("when foo: quit", mistake(1, 6, 6))).toEqual([
    ["word:when", "plain: ", "plain!:foo:", "order!: q", "order:uit"],
  ]);
});

test("a position is found from line and column, and back", () => {
  const text = "when x\n    🎲 feild for unit";
  const [from, to] = selection(text, mistake(2, 7, 5));
  expect(text.slice(from, to)).toBe("feild");
  expect(lineAt(text, from)).toBe(2);
  expect(selection("a", mistake(9, 1, 1))).toEqual([0, 1]);
});

test("rules are the unindented lines that open a block", () => {
  expect(rules(MOLLY)).toEqual([6, 8]);
  expect(rules("whenever x")).toEqual([]);
});

test("a new line is indented like the previous one, and deeper in a block", () => {
  const after = (text: string) => indent(text, text.length);
  expect(after("when coming out")).toBe("    ");
  expect(after("    if x:")).toBe("        ");
  expect(after("when x: quit")).toBe("");
  expect(after("    pass line for unit")).toBe("    ");
  expect(after("unit 10")).toBe("");
});
