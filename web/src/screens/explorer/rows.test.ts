import { expect, test } from "vitest";
import type { ShownOdds, ShownRecord as Odds } from "../../api/openapi";
import { together } from "../../lib/names";
import { alikeTogether, found, grouped, rowsOf, sizeOf, sorted, sortOf, tableOf, type Told } from "./rows";

function record(
  book: string,
  wager: string,
  edge: string,
  more: Partial<Odds> = {},
  shown: Partial<ShownOdds> = {},
): Odds {
  return {
    book,
    wager,
    pay_table: "standard",
    commission: "none",
    cite: "X 1",
    name: wager,
    distribution: [],
    edge,
    edge_resolved: edge,
    edge_per_throw: edge,
    shown: {
      wager,
      number: null,
      code: wager.toUpperCase(),
      pays: null,
      short: "",
      table: null,
      raised: false,
      commission: null,
      at_least: false,
      readings: [],
      ...shown,
    },
    ...more,
  };
}

const fee = (when: string) => ({ rate: "5%", when, words: `5% of the stake, ${when}` });
const book = (id: string) => ({
  book: id,
  name: id,
  text: "",
  games: [],
  wagers: 0,
  sections: 0,
  readings: 0,
  payouts: "fixed",
});
const wager = (id: string, family: string, number = "") => ({
  wager: id,
  codes: [id.toUpperCase()],
  family,
  family_title: family,
  number,
  takes_odds: false,
  about: "",
  books: ["md", "pa"],
});

const told = (records: Odds[]): Told => ({
  books: [book("pa"), book("md")],
  wagers: [
    wager("pass-odds", "odds"),
    wager("place-win-6", "place-win", "6"),
    wager("place-win-8", "place-win", "8"),
    wager("place-win-9", "place-win", "9"),
    wager("buy-4", "buy", "4"),
    wager("any-seven", "one-roll"),
  ],
  records,
});

test("names that differ in one word are combined", () => {
  expect(together(["Place Bet 6 to Win", "Place Bet 8 to Win"])).toBe("Place Bet 6 or 8 to Win");
  expect(together(["Craps Two", "Craps Twelve"])).toBe("Craps Two or Twelve");
  expect(together(["Fire", "Field Bet"])).toBe("Fire or Field Bet");
  expect(together(["Odds", "Odds"])).toBe("Odds");
  expect(together(["A B", "A B C"])).toBe("A B or A B C");
});

test("each wager and commission timing has a row, and rows with the same odds are grouped", () => {
  const rows = rowsOf(
    told([
      record("md", "place-win-6", "1/66", { name: "Place 6" }),
      record("md", "place-win-8", "1/66", { name: "Place 8" }),
      record("md", "place-win-9", "1/25", { name: "Place 9" }),
      record("md", "pass-odds-10", "0", { name: "Odds" }, { wager: "pass-odds", number: 10 }),
      record("md", "pass-odds-8", "0", { name: "Odds" }, { wager: "pass-odds", number: 8 }),
      record("md", "buy-4", "1/20", { name: "Buy 4", commission: "a" }, { commission: fee("up front") }),
      record("md", "buy-4", "1/60", { name: "Buy 4", commission: "b" }, { commission: fee("on a win") }),
      record("md", "unknown", "0"),
    ]),
  );
  expect(rows.map((row) => [row.name, row.on, row.fee])).toEqual([
    ["Odds", "on 8", ""],
    ["Odds", "on 10", ""],
    ["Place 6", "", ""],
    ["Place 8", "", ""],
    ["Place 9", "", ""],
    ["Buy 4", "", "5% up front"],
    ["Buy 4", "", "5% on a win"],
  ]);
  const brief = alikeTogether(rows);
  expect(brief.map((row) => row.name)).toEqual(["Odds", "Place 6 or 8", "Place 9", "Buy 4", "Buy 4"]);
  expect(brief[0]!.on).toBe("on 8 or 10");
  expect(brief[0]!.numbers).toEqual(["8", "10"]);
  expect(brief[0]!.code).toBe("PASS-ODDS-8");
  expect(brief[1]!.wagers).toEqual(["place-win-6", "place-win-8"]);
  expect(found(brief, "place 8", "").map((row) => row.name)).toEqual(["Place 6 or 8"]);
  expect(found(brief, "", "buy")).toHaveLength(2);
  expect(grouped(brief, sortOf("")).map((group) => group.title)).toEqual(["odds", "place-win", "buy"]);
});

test("the first book that has a wager names its row", () => {
  const rows = rowsOf(
    told([
      record("md", "any-seven", "1/6", { name: "Seven" }),
      record("pa", "any-seven", "1/6", { name: "Any Seven" }),
    ]),
  );
  expect(rows[0]!.name).toBe("Any Seven");
});

test("a price has small print if it has a reading, a commission or an end", () => {
  const line = (more: Partial<Odds>, shown: Partial<ShownOdds>) =>
    rowsOf(told([record("pa", "any-seven", "1/6", more, shown)]))[0]!.cells.get("pa")![0]!;
  expect(line({}, {}).small).toBe(false);
  expect(line({}, { readings: ["A-54"] }).small).toBe(true);
  expect(line({}, { commission: fee("up front") }).small).toBe(true);
  expect(line({ until: "2014-02-01" }, {}).small).toBe(true);
  expect(tableOf(line({}, { short: "4 to 1" }))).toBe("");
  expect(tableOf(line({}, { short: "26 to 5", table: "26 to 5" }))).toBe("");
  expect(tableOf(line({}, { short: "≤ 999 to 1", table: "B" }))).toBe("B");
});

test("wagers that most books have come first in their group", () => {
  const rows = rowsOf(
    told([
      record("md", "place-win-6", "1/66"),
      record("md", "place-win-8", "1/65"),
      record("pa", "place-win-8", "1/65"),
      record("md", "place-win-9", "1/25"),
    ]),
  );
  expect(grouped(rows, sortOf(""))[0]!.rows.map((row) => row.wagers[0])).toEqual([
    "place-win-8",
    "place-win-6",
    "place-win-9",
  ]);
});

test("wagers whose odds differ in one book aren't grouped", () => {
  const rows = rowsOf(
    told([
      record("md", "place-win-6", "1/66"),
      record("md", "place-win-8", "1/66"),
      record("pa", "place-win-6", "1/66"),
      record("pa", "place-win-8", "1/11"),
    ]),
  );
  expect(alikeTogether(rows)).toHaveLength(2);
});

test("a column sorts by exact edge, and wagers that the book doesn't have come last", () => {
  const rows = rowsOf(
    told([
      record("pa", "any-seven", "-1/30"),
      record("pa", "place-win-6", "1/66"),
      record("pa", "place-win-8", "1/65"),
      record("md", "place-win-9", "1/25"),
    ]),
  );
  const order = (text: string) => sorted(rows, sortOf(text), "made").map((row) => row.wagers[0]);
  expect(order("pa")).toEqual(["any-seven", "place-win-6", "place-win-8", "place-win-9"]);
  expect(order("-pa")).toEqual(["place-win-8", "place-win-6", "any-seven", "place-win-9"]);
  expect(["-1/30", "1/66", "1/50", "9/100", "89/1000"].map(sizeOf)).toEqual([
    "player",
    "small",
    "middle",
    "large",
    "middle",
  ]);
});
