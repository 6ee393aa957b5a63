import { expect, test } from "vitest";
import { amounts, leastToAdd } from "./terms";

test("the lowest amount shown is one that can be bet", () => {
  expect(amounts({ min: 1000, max: 300000, step: 600 })).toBe("$12 to $3,000, in $6s");
  expect(amounts({ min: 500, max: 50000, step: 500 })).toBe("$5 to $500, in $5s");
  expect(amounts({ min: 1500, max: null, step: 100 })).toBe("$15 or more");
});

test("the minimum to add makes a whole number of steps with the current bet", () => {
  expect(leastToAdd({ min: 1000, max: 300000, step: 600, standing: 0 })).toBe(1200);
  expect(leastToAdd({ min: 1000, max: 300000, step: 600, standing: 600 })).toBe(600);
  expect(leastToAdd({ min: 1000, max: 300000, step: 600, standing: 1200 })).toBe(600);
});
