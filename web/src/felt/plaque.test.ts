import { expect, test } from "vitest";
import { plaque, plaqued } from "./layout";

const stations = [
  { seat: 1, x: 2601, y: 150 },
  { seat: 2, x: 2601, y: 330 },
  { seat: 3, x: 2601, y: 620 },
];

test("a nameplate doesn't cover its neighbor", () => {
  const [first] = stations;
  const alone = plaque(first!, stations, (seat) => seat === 1);
  const crowded = plaque(first!, stations, (seat) => seat <= 2);
  expect(alone).toBe(13);
  expect(crowded).toBe(5);
  // At its drawn width, it ends before the neighbor begins.
  expect(crowded * 16 + 74).toBeLessThan(180 - 20);
});

test("a name is cut before the money is", () => {
  expect(plaqued("Ann", "$379", 13)).toBe("Ann $379");
  expect(plaqued("Guest 3b0833", "$500", 13)).toBe("Guest 3… $500");
  expect(plaqued("Guest 3b0833", "$500", 5)).toBe("Gues…");
  expect(plaqued("Bo", null, 5)).toBe("Bo");
});
