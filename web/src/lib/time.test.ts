import { expect, test } from "vitest";
import { lasting } from "./time";

test("durations are written in hours and minutes", () => {
  expect([0, 1, 45, 60, 61, 125, 180.9].map(lasting)).toEqual([
    "less than a minute",
    "1 minute",
    "45 minutes",
    "1 hour",
    "1 hour 1 minute",
    "2 hours 5 minutes",
    "3 hours",
  ]);
});
