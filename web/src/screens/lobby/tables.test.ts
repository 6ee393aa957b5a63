import { expect, test } from "vitest";
import type { LobbyView } from "../../api/openapi";
import { fits, inOrder, limits, odds } from "./tables";

const table = (name: string, players: number, seat: number | null = null) =>
  ({
    table: name,
    name,
    players,
    seat,
    limits: {
      chip: 100,
      min: 500,
      max: null,
      odds: [
        [4, 3],
        [6, 5],
        [5, 4],
        [8, 5],
      ],
    },
  }) as unknown as LobbyView;

test("the player's own tables come first, then tables with other players", () => {
  expect(inOrder([table("a", 0), table("b", 2), table("c", 1, 4), table("d", 0)]).map((one) => one.name)).toEqual([
    "c",
    "b",
    "a",
    "d",
  ]);
});

test("every search word must match", () => {
  expect(fits("mini Mary", "Practice", "Maryland", "mini-craps")).toBe(true);
  expect(fits("mini jersey", "Practice", "Maryland", "mini-craps")).toBe(false);
  expect(fits("  ", "Practice")).toBe(true);
});

test("limits and odds in short", () => {
  expect(limits(table("a", 0))).toBe("from $5");
  expect(limits({ limits: { ...table("a", 0).limits, max: 500000 } })).toBe("$5–$5,000");
  expect(odds(table("a", 0))).toBe("3-4-5");
});
