import { expect, test } from "vitest";
import { signOf, told, type Told } from "./told";

const result = (outcome: string, stands: { bet: string } | null = null) =>
  ({ outcome, stake: 1000, stands }) as unknown as Told;
const names = (bet: string) => (bet === "C8" ? "Come Bet 8" : bet);

test("the result of a bet is shown as text and with a sign, not only by color", () => {
  expect(told(result("won", { bet: "PL6" }), names)).toBe("$10 · won, stays up");
  expect(told(result("won"), names)).toBe("$10 · won, comes down");
  expect(told(result("lost"), names)).toBe("$10 · lost");
  expect(told(result("returned"), names)).toBe("$10 · returned");
  expect(told(result("moved", { bet: "C8" }), names)).toBe("moved to Come Bet 8");
  expect(new Set(["won", "lost", "returned", "credited", "moved"].map((outcome) => signOf(result(outcome)))).size).toBe(
    5,
  );
});
