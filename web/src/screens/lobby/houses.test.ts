import { expect, test } from "vitest";
import type { SampleHouse } from "../../api/openapi";
import { chosen, gamesOf } from "./houses";

const house = (sample: string, book: string, game: string) =>
  ({ sample, book, game, name: sample, as_of: "2024-01-01", keys: {} }) as unknown as SampleHouse;
const houses = [
  house("md-mini", "md", "mini-craps"),
  house("md-craps", "md", "craps"),
  house("pa-craps", "pa", "craps"),
];

test("the full game of a book comes first", () => {
  expect(gamesOf(houses, "md").map((one) => one.sample)).toEqual(["md-craps", "md-mini"]);
});

test("an unknown house in the URL gets the default one", () => {
  expect(chosen(houses, "md-mini")?.sample).toBe("md-mini");
  expect(chosen(houses, "xx")?.sample).toBe("pa-craps");
  expect(chosen(houses.slice(0, 1), null)?.sample).toBe("md-mini");
  expect(chosen([], null)).toBeNull();
});
