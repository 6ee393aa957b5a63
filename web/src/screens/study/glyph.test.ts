import { describe, expect, test } from "vitest";
import { glyphOf } from "./glyph";

describe("the ? mark after a bet", () => {
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
