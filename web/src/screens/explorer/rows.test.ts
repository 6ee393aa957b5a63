import { expect, test } from "vitest";
import type { FactView, Record as Odds } from "../../api/openapi";
import { together } from "../../lib/names";
import { commissionInWords, inShort, netsInShort, payout } from "./pays";
import { alikeTogether, found, grouped, rowsOf, sizeOf, sorted, sortOf, type Told } from "./rows";

function record(book: string, wager: string, edge: string, more: Partial<Odds> = {}): Odds {
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
    ...more,
  };
}

function fact(aspect: string, value: string, readings: string[] = []): FactView {
  return { subject: "", aspect, value, cite: "X 1", days: "always", readings };
}

const book = (id: string) => ({ book: id, name: id, text: "", games: [], wagers: 0, sections: 0, readings: 0 });
const wager = (id: string, family: string) => ({
  wager: id,
  codes: [id.toUpperCase()],
  family,
  family_title: family,
  takes_odds: false,
  about: "",
  books: ["md", "pa"],
});

function told(records: Odds[], facts: { [wager: string]: FactView[] } = {}): Told {
  const views = new Map(
    Object.entries(facts).map(([id, list]) => [id, { wager: id, codes: [], family: "", name: id, facts: list }]),
  );
  return {
    books: [book("md"), book("pa")],
    wagers: [
      wager("pass-odds", "odds"),
      wager("place-win-6", "place-win"),
      wager("place-win-8", "place-win"),
      wager("place-win-9", "place-win"),
      wager("buy-4", "buy"),
      wager("any-seven", "one-roll"),
    ],
    records,
    facts: new Map([
      ["md", views],
      ["pa", views],
    ]),
  };
}

test("a payout is the book's text, shortened for a cell", () => {
  const facts = [fact("pays", "4: 2 to 1; 5: 3 to 2"), fact("pays, table B", "4: 39 to 1; 5: 199 to 1; 6: 499 to 1")];
  expect(payout(record("pa", "pass-odds-5", "0"), "5", facts)).toBe("3 to 2");
  expect(payout(record("pa", "fire", "0", { pay_table: "B" }), null, facts)).toBe(
    "4: 39 to 1; 5: 199 to 1; 6: 499 to 1",
  );
  expect(payout(record("pa", "fire", "0", { pay_table: "power level 1" }), null, facts)).toBeNull();
  expect(inShort("7 to 6")).toBe("7 to 6");
  expect(inShort("2: 2 to 1; 3: 1 to 1; 12: 2 to 1")).toBe("≤ 2 to 1");
  expect(inShort("natural: 1 for 1; 5+point: 1000 for 1; 5: 150 for 1")).toBe("≤ 1000 for 1");
  expect(inShort("4 to 5")).toBe("4 to 5");
  expect(
    netsInShort(
      record("pa", "x", "0", {
        distribution: [
          { net: "-1", p: "5/6" },
          { net: "6", p: "1/6" },
        ],
      }),
    ),
  ).toBe("wins 6");
  expect(commissionInWords("on-win of stake at 5%")).toBe("5% of the stake, on a win");
  expect(commissionInWords("none")).toBe("");
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
      record("md", "pass-odds-8", "0", { name: "Odds" }),
      record("md", "pass-odds-10", "0", { name: "Odds" }),
      record("md", "buy-4", "1/20", { name: "Buy 4", commission: "up-front of stake at 5%" }),
      record("md", "buy-4", "1/60", { name: "Buy 4", commission: "on-win of stake at 5%" }),
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
  expect(brief[1]!.wagers).toEqual(["place-win-6", "place-win-8"]);
  expect(found(brief, "place 8", "").map((row) => row.name)).toEqual(["Place 6 or 8"]);
  expect(found(brief, "", "buy")).toHaveLength(2);
  expect(grouped(brief, sortOf("")).map((group) => group.title)).toEqual(["odds", "place-win", "buy"]);
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
  const tables = { "any-seven": [fact("pays", "4 to 1", ["A-54"]), fact("pays, table 26 to 5", "26 to 5")] };
  const rows = rowsOf(
    told(
      [
        record("pa", "any-seven", "-1/30"),
        record("pa", "place-win-6", "1/66"),
        record("pa", "place-win-8", "1/65"),
        record("md", "place-win-9", "1/25"),
      ],
      tables,
    ),
  );
  const order = (text: string) => sorted(rows, sortOf(text), "made").map((row) => row.wagers[0]);
  expect(order("pa")).toEqual(["any-seven", "place-win-6", "place-win-8", "place-win-9"]);
  expect(order("-pa")).toEqual(["place-win-8", "place-win-6", "any-seven", "place-win-9"]);
  expect(rows.at(-1)!.cells.get("pa")![0]!.readings).toEqual(["A-54"]);
  expect(["-1/30", "1/66", "1/50", "9/100", "89/1000"].map(sizeOf)).toEqual([
    "player",
    "small",
    "middle",
    "large",
    "middle",
  ]);
});
