import { expect, test } from "vitest";
import { answered, exposure } from "./answers";
import type { Room } from "./room.svelte";

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
  live: {
    outcomes: {
      exposure: [
        { thrown: "seven", net: -1000 },
        { thrown: "eight", net: 0 },
        { thrown: "hard eight", net: 4500 },
      ],
    },
    legal: new Map([
      ["A", { name: "Field Bet", open: true }],
      ["B", { name: "Come Bet", open: false }],
    ]),
  },
} as unknown as Room;

test("the page shows the answer of the route that the server names", () => {
  const text = (see: string, asked = "") => answered(see, asked, room);
  expect(text("/tables/t-1/legal?seat=1")).toEqual({ text: "Open: Field Bet." });
  expect(text("/tables/t-1/why/3/2")).toEqual({ card: { roll: 3, n: 2 } });
  expect(text("/tables/t-1/rolls")).toEqual({ card: null });
  expect(text("/tables/t-1")).toEqual({
    text: "Your bets: Pass Bet $10, Place 6 $12 (off). Chips: $478. The point is 6.",
  });
});

test("a question about one total shows that total; otherwise all are shown", () => {
  expect(exposure(room, "? seven")).toBe("seven: −10");
  expect(exposure(room, "what if hard eight")).toBe("hard eight: +45");
  expect(exposure(room)).toBe("seven: −10; eight: 0; hard eight: +45");
});
