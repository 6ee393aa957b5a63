import { expect, test } from "vitest";
import { addressed, noted, order, texts, USUAL, type Setup } from "./setup";

const setup = (changes: Partial<Setup> = {}): Setup => ({ ...USUAL, ...changes });
const ordered = (changes: Partial<Setup> = {}) => {
  const found = order(setup(changes));
  return "order" in found ? found.order : found.wrong;
};

test("empty fields aren't sent, so the strategy's values apply", () => {
  expect(ordered()).toEqual({ strategy: "molly", sessions: 10_000, throws: 100, form: "auto" });
});

test("amounts are sent in cents, limits with their sign, and `none` is sent as null", () => {
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

test("all errors are reported at once, by field", () => {
  const wrong = ordered({ sessions: "many", throws: "0", buyIn: "0", unit: "x", goal: "soon", stop: "0", seed: "-1" });
  expect(Object.keys(wrong).sort()).toEqual(["buyIn", "goal", "seed", "sessions", "stop", "throws", "unit"]);
  // A larger seed would lose precision.
  expect(ordered({ seed: "9007199254740993" })).toHaveProperty("seed", expect.any(String));
});

test("the table is a book or a sample house", () => {
  expect(ordered({ table: "book:pa" })).toMatchObject({ book: "pa" });
  expect(ordered({ table: "house:co-craps" })).toMatchObject({ house: { sample: "co-craps" } });
});

test("a rival is another strategy, another table, or both; the same strategy at the same table isn't one", () => {
  expect(ordered({ rival: "pass" })).toMatchObject({ versus: { strategy: "pass" } });
  expect(ordered({ rival: "same", rivalTable: "book:nj" })).toMatchObject({ versus: { book: "nj" } });
  expect(ordered({ rival: "own", rivalText: "strategy X", rivalTable: "book:nj" })).toMatchObject({
    versus: { text: "strategy X", book: "nj" },
  });
  expect(ordered({ rival: "same" })).not.toHaveProperty("versus");
});

test("a URL gives the same setup again", () => {
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

test("a malicious URL is treated as typed text", () => {
  const found = addressed(
    new URLSearchParams("form=constructor&sessions=%3Cscript%3E&at=book%3A..%2F..&__proto__=1"),
    "#text=%3Cimg%20onerror%3E",
  );
  expect(found.form).toBe("auto");
  expect(found.text).toBe("<img onerror>");
  expect(order(found)).toHaveProperty("wrong.sessions");
});

test("texts that are too long aren't put in the URL", () => {
  expect(texts(setup({ strategy: null, text: "x".repeat(9000) }))).toBe("");
  expect(texts(setup())).toBe("");
});
