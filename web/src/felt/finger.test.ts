import { expect, test } from "vitest";
import { Finger } from "./finger";

const down = () => new Finger(7, "pass", 100, 100, 1000);

test("a tap bets where it is", () => {
  expect(down().end()).toBe("pass");
});

test("a slide bets where it ends, or nowhere", () => {
  const finger = down();
  finger.move("field", 130, 160);
  expect(finger.end()).toBe("field");
  finger.move(null, 130, 400);
  expect(finger.end()).toBeNull();
  finger.move("pass", 100, 100);
  expect(finger.end()).toBe("pass");
});

test("a finger held still opens the menu once and bets nothing; a little trembling is allowed", () => {
  const finger = down();
  finger.move("pass", 104, 103);
  expect(finger.ask()).toBe("pass");
  expect(finger.ask()).toBeNull();
  expect(finger.end()).toBeNull();
});

test("a finger that has moved doesn't open the menu, no matter how long it stays", () => {
  const [away, about] = [down(), down()];
  away.move("field", 101, 101);
  about.move("pass", 120, 100);
  expect([away.ask(), about.ask()]).toEqual([null, null]);
  expect([away.end(), about.end()]).toEqual(["field", "pass"]);
});

test("a quick slide scrolls the page if it can; a later one stays on the felt until it ends", () => {
  const [quick, slow, still] = [down(), down(), down()];
  expect([quick.holds(1050, true), quick.holds(1500, true)]).toEqual([false, false]);
  expect([slow.holds(1130, true), slow.holds(1131, true)]).toEqual([true, true]);
  expect(still.holds(1050, false)).toBe(true);
});
