import { expect, test } from "vitest";
import type { BookPage, DifferenceView, FactView, SectionPage } from "../../api/openapi";
import { headings, rowsOf, wantedRows } from "./differences";
import { cut, namesOf, restingOn, said, search, underParts, type Names } from "./facts";

const names: Names = {
  wagers: new Map([
    ["place-win-6", { name: "Place Bet 6 to Win", stem: "place-win" }],
    ["place-win-8", { name: "Place Bet 8 to Win", stem: "place-win" }],
    ["field", { name: "Field Bet", stem: "field" }],
  ]),
  asks: new Map([["bets.call_bets", "Is a bet taken without money?"]]),
};
const fact = (subject: string, aspect: string, value: string, cite = "X 1(a)", readings: string[] = []): FactView => ({
  subject,
  aspect,
  value,
  cite,
  days: "always",
  readings,
  mark: "acts",
});
const reading = (id: string, cite: string) => ({
  id,
  asks: "What?",
  cite,
  taken: "This.",
  rejected: "That.",
  why: "So.",
});
const section: SectionPage = {
  cite: "X 1",
  place: "X 1",
  title: "Prices",
  gist: "What is paid.",
  parts: [
    { cite: "X 1(a)", gist: "Fixed." },
    { cite: "X 1(a)(1)", gist: "Of the field." },
    { cite: "X 1(b)", gist: "Tables." },
  ],
  facts: [
    fact("place-win-6", "pays", "7 to 6"),
    fact("place-win-8", "pays", "7 to 6"),
    fact("field", "pays", "1 to 1", "X 9, X 1(a)(1)", ["A-1"]),
    fact("bets.call_bets", "rule", "barred", "X 1"),
  ],
  readings: [reading("A-1", "X 1(b)"), reading("A-2", "X 1")],
  under: [
    { part: null, facts: [3], readings: [1] },
    { part: "X 1(a)", facts: [0, 1], readings: [] },
    { part: "X 1(a)(1)", facts: [2], readings: [] },
    { part: "X 1(b)", facts: [], readings: [0] },
  ],
};
const page = {
  book: "x",
  contents: [section],
  read: section.readings,
  topics: [
    {
      topic: "bets.call_bets",
      asks: "Is a bet taken without money?",
      answers: [{ value: "barred", cite: "X 1", days: "always" }],
    },
  ],
} as unknown as BookPage;

test("equal facts about several wagers are combined", () => {
  const one = said(section.facts)[0]!;
  expect(one.subjects).toEqual(["place-win-6", "place-win-8"]);
  expect(namesOf([...one.subjects, "field", "no_roll.callers", "bets.call_bets"], names)).toEqual([
    "Place Bet 6 or 8 to Win",
    "Field Bet",
    "no roll: callers",
    "Is a bet taken without money?",
  ]);
  // The program treats these two differently, so they stay apart.
  const [six, eight] = section.facts as [FactView, FactView];
  expect(said([six, { ...eight, mark: "recorded" }])).toHaveLength(2);
});

test("facts and readings are listed under the parts that the server names", () => {
  const under = underParts(section);
  expect(under.map((one) => one.part?.cite ?? "whole")).toEqual(["whole", "X 1(a)", "X 1(a)(1)", "X 1(b)"]);
  expect(under.map((one) => one.facts.map((each) => each.value))).toEqual([["barred"], ["7 to 6"], ["1 to 1"], []]);
  expect(under.map((one) => one.readings.map((each) => each.id))).toEqual([["A-2"], [], [], ["A-1"]]);
  expect(restingOn(page, "A-1").map((each) => each.subjects)).toEqual([["field"]]);
});

test("a book is searched for all words", () => {
  expect(search(page, names, "field").sections.map((each) => each.cite)).toEqual(["X 1(a)(1)"]);
  expect(search(page, names, "money barred").topics).toHaveLength(1);
  expect(search(page, names, "place 7 to 6").facts[0]!.subjects).toHaveLength(2);
  expect(search(page, names, "a-2").readings.map((each) => each.id)).toEqual(["A-2"]);
  expect(search(page, names, "(a").sections).toHaveLength(2);
});

test("matches are marked as plain text", () => {
  expect(cut("A <b>bet</b> is a bet", "bet")).toEqual([
    { text: "A <b>", hit: false },
    { text: "bet", hit: true },
    { text: "</b> is a ", hit: false },
    { text: "bet", hit: true },
  ]);
  expect(cut("X 1(a)", "(a")).toEqual([
    { text: "X 1", hit: false },
    { text: "(a", hit: true },
    { text: ")", hit: false },
  ]);
});

test("differences are found by words, kind and book", () => {
  const side = (value: string) => [{ value, cite: "X 1", days: "always" }];
  const differences: DifferenceView[] = [
    { subjects: ["field"], aspect: "price", left: side("at least"), right: side("fixed") },
    {
      subjects: ["bets.call_bets"],
      aspect: "rule",
      asks: "Is a bet taken without money?",
      area: "Making bets",
      left: side("barred"),
      right: [],
    },
    { subjects: ["no_roll.callers"], aspect: "house", left: [], right: side("a list") },
  ];
  const rows = rowsOf(differences, names);
  expect(headings(rows).map((heading) => heading.title)).toEqual(["Wagers", "Making bets", "House options"]);
  expect(wantedRows(rows, { find: "field fixed", kind: "", speaks: "" })).toHaveLength(1);
  expect(wantedRows(rows, { find: "", kind: "procedure", speaks: "" })).toHaveLength(1);
  expect(wantedRows(rows, { find: "", kind: "", speaks: "right" }).map((row) => row.kind)).toEqual(["house"]);
  expect(wantedRows(rows, { find: "", kind: "", speaks: "both" }).map((row) => row.kind)).toEqual(["wager"]);
});
