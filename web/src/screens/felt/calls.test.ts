import { expect, test } from "vitest";
import { called } from "./calls";

test("colorful calls add to the plain one", () => {
  const eight = { call: "eight, easy eight", line: null, dice: [5, 3] as [number, number] };
  expect(called(eight, "plain")).toBe("eight, easy eight");
  expect(called(eight, "colorful")).toBe("eight, easy eight, eighter from Decatur");
  expect(called({ ...eight, dice: [4, 4] }, "colorful")).toBe("eight, easy eight");
  expect(called({ ...eight, line: "point-made" }, "colorful")).toBe(
    "eight, easy eight; winner winner, front line winner",
  );
});
