import { expect, test } from "vitest";
import { isSole, meant } from "./codes";

const CODES = ["P", "PO", "PUT6", "PX6", "PL4", "PL6", "PL10", "F", "C", "C6", "DC6", "H6", "LY6"];

test("a code is found as it is typed", () => {
  expect(meant("pl6", CODES)).toBe("PL6");
  expect(meant("p", CODES)).toBe("P");
  expect(meant("c6", CODES)).toBe("C6");
});

test("the first letters and the number are enough", () => {
  expect(meant("p 6", CODES)).toBe("PL6");
  expect(meant("l6", CODES)).toBe("LY6");
  expect(meant("p10", CODES)).toBe("PL10");
  expect(meant("x6", CODES)).toBeNull();
});

test("text that can mean only one bet needs no more letters", () => {
  expect(isSole("f", CODES)).toBe(true);
  expect(isSole("p", CODES)).toBe(false);
  expect(isSole("l6", CODES)).toBe(true);
  // Not complete: more letters may follow.
  expect(isSole("l", CODES)).toBe(false);
  expect(isSole("p6", CODES)).toBe(false);
  // It may still become p10.
  expect(isSole("p1", CODES)).toBe(false);
});
