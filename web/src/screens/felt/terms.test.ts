import { expect, test } from "vitest";
import { amounts } from "./terms";

test("the amounts of a bet are a range, with the step if it isn't a dollar", () => {
  expect(amounts({ min: 1200, max: 300000, step: 600 })).toBe("$12 to $3,000, in $6s");
  expect(amounts({ min: 500, max: 50000, step: 500 })).toBe("$5 to $500, in $5s");
  expect(amounts({ min: 1500, max: null, step: 100 })).toBe("$15 or more");
});
