import { expect, test, vi } from "vitest";
import { get } from "../../api/client";
import { answered, exposure } from "./answers";
import type { Room } from "./room.svelte";

vi.mock("../../api/client", async (original) => ({ ...(await original<object>()), get: vi.fn() }));

const room = {
  table: "t-1",
  view: { point: 6 },
  own: {
    rail: 47800,
    bets: [
      { name: "Pass Bet", stake: 1000, works: true },
      { name: "Place 6", stake: 1200, works: false },
    ],
  },
  crew: { waiting: [{ by: ["dealer"], confirmed: [], words: "call place six on" }] },
  live: {
    legal: new Map([
      ["A", { name: "Field Bet", open: true }],
      ["B", { name: "Come Bet", open: false }],
    ]),
  },
} as unknown as Room;

test("the page shows the answer of the route that the server names", async () => {
  const text = (see: string) => answered(see, room);
  expect(await text("/tables/t-1/legal?seat=1")).toEqual({ text: "Open: Field Bet." });
  expect(await text("/tables/t-1/why/3/2")).toEqual({ card: { roll: 3, n: 2 } });
  expect(await text("/tables/t-1/rolls")).toEqual({ card: null });
  expect(await text("/tables/t-1")).toEqual({
    text: "Your bets: Pass Bet $10, Place 6 $12 (off). Chips: $478. Waiting for the dealer: call place six on. The point is 6.",
  });
});

test("what a roll would win is asked of the server with the question's own rolls", async () => {
  const see = "/tables/t-1/outcomes?seat=1&thrown=hard+eight";
  vi.mocked(get).mockResolvedValueOnce({ exposure: [{ thrown: "hard eight", net: 4500 }] });
  expect(await answered(see, room)).toEqual({ text: "hard eight: +45" });
  expect(get).toHaveBeenCalledWith(see);
});

test("all rolls are shown in the order of the server", () => {
  const lines = [
    { thrown: "seven", net: -1000 },
    { thrown: "8", net: 0 },
  ];
  expect(exposure({ exposure: lines })).toBe("seven: −10; 8: 0");
  expect(exposure(null)).toBe("You have no bets at risk.");
});
