import { describe, expect, test } from "vitest";
import { asked, keysAsText, keysOf, toPosition, toRoll } from "./share";

const FELT = "r4_pt6_s1_1.379.P~10.PO~50_3.230.DP~10.DPO~60_fire.4.9";

describe("the URL of a position", () => {
  test("gives the same position again", () => {
    const house = {
      book: "pa",
      as_of: "2023-10-01",
      game: "craps",
      keys: { "odds.k": "3-4-5", higher_odds: "field/2:3 to 1,hop-1-3:16 to 1", odd: "a=b;c%3B" },
    };
    const address = new URL(toPosition(FELT, house), "http://x");
    expect(address.pathname).toBe("/study");
    expect(asked(address.searchParams)).toEqual({ felt: FELT, house });
  });

  test("keys typed by people are read too", () => {
    expect(keysOf("odds.k=3-4-5; limits.min=5;;=7; lone")).toEqual({ "odds.k": "3-4-5", "limits.min": "5" });
    expect(keysAsText({})).toBe("");
  });

  test("can name a sample house, and without a felt string there is no position", () => {
    expect(asked(new URLSearchParams({ felt: FELT, sample: "nj-craps" }))).toEqual({
      felt: FELT,
      house: { sample: "nj-craps" },
    });
    expect(asked(new URLSearchParams({ table: "t" }))).toBeNull();
  });

  test("a roll of a hand", () => {
    expect(toRoll("a b", "3", 7)).toBe("/study?table=a+b&hand=3&roll=7");
    expect(toRoll("t", null, 1)).toBe("/study?table=t&roll=1");
  });
});
