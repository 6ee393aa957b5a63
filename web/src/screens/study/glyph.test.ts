import { describe, expect, test } from "vitest";
import { betPut, glyphOf } from "./glyph";

describe("the ? mark after a bet", () => {
  test("applies to actions that put chips down", () => {
    expect(["1:PL5+10", "12:DPO+60", "1:HP22+5", "1:place-win-6+12"].map(betPut)).toEqual([
      "PL5",
      "DPO",
      "HP22",
      "place-win-6",
    ]);
    expect(["1:H8-5", "1:PL6!off", "# shooter 1", "@seat 3 leave"].map(betPut)).toEqual([null, null, null, null]);
  });

  test("appears above the threshold but not at it, and names the definition", () => {
    expect(glyphOf("1/18", "1/20")).toBe("edge 1/18 = 5.556 % per bet resolved");
    expect(glyphOf("1/20", "1/20")).toBeNull();
    expect(glyphOf("7/495", "1/50")).toBeNull();
    expect(glyphOf("-1/100", "1/50")).toBeNull();
  });

  test("doesn't appear without an edge or without a valid threshold", () => {
    expect([glyphOf(null, "1/20"), glyphOf("1/2", ""), glyphOf("1/2", "five")]).toEqual([null, null, null]);
  });
});
