import { expect, test } from "vitest";
import { countedMarks, MARKS, marksOf, meaningOf } from "./marks";

const facts = (...marks: string[]) => marks.map((mark) => ({ mark }));

test("the facts of a section are counted by mark, and marks without facts aren't named", () => {
  expect(countedMarks(facts("acts", "paper", "acts", "recorded", "judged", "recorded"))).toBe(
    "Of 6 facts, the program acts on 2, the check of a house judges by 1, a document states 1 and 2 are only recorded.",
  );
  expect(countedMarks(facts("recorded"))).toBe("Of 1 fact, 1 is only recorded.");
  expect(countedMarks(facts("acts", "acts"))).toBe("Of 2 facts, the program acts on 2.");
  expect(countedMarks([])).toBe("");
});

test("every mark of the server has a meaning of its own", () => {
  expect(MARKS.map((one) => one.mark)).toEqual(["acts", "judged", "paper", "recorded"]);
  expect(new Set(MARKS.map((one) => meaningOf(one.mark))).size).toBe(4);
  expect(meaningOf("new")).toBeUndefined();
});

test("the marks of a paragraph are listed with the strongest first, and an unknown one is not lost", () => {
  expect(marksOf(facts("recorded", "new", "acts", "recorded"))).toEqual([
    { mark: "acts", count: 1 },
    { mark: "recorded", count: 2 },
    { mark: "new", count: 1 },
  ]);
  expect(marksOf([])).toEqual([]);
});
