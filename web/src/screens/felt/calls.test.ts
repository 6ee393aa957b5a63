import { expect, test } from "vitest";
import { called } from "./calls";

test("a roll is called in the style that the player chose", () => {
  const eight = { call: "eight, easy eight", colorful: "eight, eighter from Decatur" };
  expect(called(eight, "plain")).toBe("eight, easy eight");
  expect(called(eight, "colorful")).toBe("eight, eighter from Decatur");
});
