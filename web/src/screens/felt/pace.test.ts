import { describe, expect, test } from "vitest";
import { inWords, leftAfter, share } from "./pace";

const WINDOW = { seconds: 20, times: 1, left: 12_400, waiting_for: 0, ready: false, own: 1 };

describe("the betting window", () => {
  test("counts down from the server's value, never below zero", () => {
    expect(leftAfter(WINDOW, 400)).toBe(12_000);
    expect(leftAfter(WINDOW, 99_000)).toBe(0);
    // Setting the clock back doesn't add time.
    expect(leftAfter(WINDOW, -5)).toBe(12_400);
    expect(share(WINDOW, 10_000)).toBe(0.5);
    expect(share({ seconds: 20, times: 2 }, 10_000)).toBe(0.25);
    expect(share({ seconds: 0, times: 1 }, 5)).toBe(0);
  });

  test("is written in whole seconds, with who needs more time and who isn't ready", () => {
    expect(inWords(WINDOW, 12_400)).toBe("Bets stay open for another 13 seconds.");
    expect(inWords(WINDOW, 900)).toBe("Bets stay open for another second.");
    expect(inWords(WINDOW, 90_000)).toBe("Bets stay open for another 90 seconds.");
    expect(inWords(WINDOW, 296_000)).toBe("Bets stay open for another 5 minutes.");
    expect(inWords(WINDOW, 0)).toBe("The dice can be rolled any time now.");
    expect(inWords({ ...WINDOW, times: 2, waiting_for: 1 }, 5_000)).toBe(
      "Bets stay open for another 5 seconds (twice as long, because a player needs it); one player is not ready.",
    );
    expect(inWords({ ...WINDOW, waiting_for: 3 }, 5_000)).toBe(
      "Bets stay open for another 5 seconds; 3 players are not ready.",
    );
  });
});
