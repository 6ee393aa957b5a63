import { expect, test } from "vitest";
import { named } from "./names";

test("a bet has its number once", () => {
  expect(named({ name: "Come Bet", number: 6 })).toBe("Come Bet 6");
  expect(named({ name: "Place Bet 6 to Win", number: 6 })).toBe("Place Bet 6 to Win");
  expect(named({ name: "Field Bet", number: null })).toBe("Field Bet");
});
