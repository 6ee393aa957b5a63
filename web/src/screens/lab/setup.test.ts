import { expect, test } from "vitest";
import { addressed, noted, order, texts, USUAL, type Setup } from "./setup";

const setup = (changes: Partial<Setup> = {}): Setup => ({ ...USUAL, ...changes });
const ordered = (changes: Partial<Setup> = {}) => {
  const found = order(setup(changes));
  return "order" in found ? found.order : found.wrong;
};

test("what was not said is not ordered: it is the strategy's to say", () => {
  expect(ordered()).toEqual({ strategy: "molly", sessions: 10_000, throws: 100, form: "auto" });
});

test("amounts go as minor units, limits with their sign, and none is something that was said", () => {
  expect(ordered({ buyIn: "$1,000", unit: "7.50", goal: "300", stop: "-200", seed: "20261115" })).toMatchObject({
    buy_in: 100_000,
    unit: 750,
    goal: 30_000,
    stop: -20_000,
    seed: 20_261_115,
  });
  expect(ordered({ stop: "200" })).toMatchObject({ stop: -20_000 });
  expect(ordered({ goal: "none", stop: "None" })).toMatchObject({ goal: null, stop: null });
});

test("everything that is wrong is told at once, by field", () => {
  const wrong = ordered({ sessions: "many", throws: "0", buyIn: "0", unit: "x", goal: "soon", stop: "0", seed: "-1" });
  expect(Object.keys(wrong).sort()).toEqual(["buyIn", "goal", "seed", "sessions", "stop", "throws", "unit"]);
  // A seed beyond this would be another one on the way.
  expect(ordered({ seed: "9007199254740993" })).toHaveProperty("seed", expect.any(String));
});

test("the table is a book or a sample house", () => {
  expect(ordered({ table: "book:pa" })).toMatchObject({ book: "pa" });
  expect(ordered({ table: "house:co-craps" })).toMatchObject({ house: { sample: "co-craps" } });
});

test("a rival is another strategy, another table, or both; the same at the same table is none", () => {
  expect(ordered({ rival: "pass" })).toMatchObject({ versus: { strategy: "pass" } });
  expect(ordered({ rival: "same", rivalTable: "book:nj" })).toMatchObject({ versus: { book: "nj" } });
  expect(ordered({ rival: "own", rivalText: "strategy X", rivalTable: "book:nj" })).toMatchObject({
    versus: { text: "strategy X", book: "nj" },
  });
  expect(ordered({ rival: "same" })).not.toHaveProperty("versus");
});

test("an address gives the same setup again", () => {
  const all = setup({
    strategy: null,
    text: "strategy <b>\nunit 5 & more #1",
    table: "book:pa",
    sessions: "500",
    goal: "none",
    form: "engine",
    rival: "own",
    rivalText: "x=1&y",
    rivalTable: "house:co-craps",
    seed: "7",
  });
  const values = Object.entries(noted(all)).filter((entry): entry is [string, string] => entry[1] !== null);
  expect(addressed(new URLSearchParams(values), texts(all))).toEqual(all);
  expect(Object.values(noted(setup()))).toEqual(Object.values(noted(setup())).map(() => null));
  expect(addressed(new URLSearchParams(""), "")).toEqual(setup());
});

test("a hostile address is only something typed", () => {
  const found = addressed(
    new URLSearchParams("form=constructor&sessions=%3Cscript%3E&at=book%3A..%2F..&__proto__=1"),
    "#text=%3Cimg%20onerror%3E",
  );
  expect(found.form).toBe("auto");
  expect(found.text).toBe("<img onerror>");
  expect(order(found)).toHaveProperty("wrong.sessions");
});

test("texts that are too long stay out of the address", () => {
  expect(texts(setup({ strategy: null, text: "x".repeat(9000) }))).toBe("");
  expect(texts(setup())).toBe("");
});
