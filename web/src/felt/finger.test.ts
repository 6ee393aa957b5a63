import { expect, test } from "vitest";
import { Finger } from "./finger";

const down = () => new Finger(7, "pass", 100, 100, 1000);

test("a tap counts where it is", () => {
  expect(down().end()).toBe("pass");
});

test("a slide counts where it ends, or nowhere", () => {
  const finger = down();
  finger.move("field", 130, 160);
  expect(finger.end()).toBe("field");
  finger.move(null, 130, 400);
  expect(finger.end()).toBeNull();
  finger.move("pass", 100, 100);
  expect(finger.end()).toBe("pass");
});

test("held still it asks for the menu once and bets nothing; a trembling finger is still", () => {
  const finger = down();
  finger.move("pass", 104, 103);
  expect(finger.ask()).toBe("pass");
  expect(finger.ask()).toBeNull();
  expect(finger.end()).toBeNull();
});

test("a finger that slides may stay as long as it likes", () => {
  const [away, about] = [down(), down()];
  away.move("field", 101, 101);
  about.move("pass", 120, 100);
  expect([away.ask(), about.ask()]).toEqual([null, null]);
  expect([away.end(), about.end()]).toEqual(["field", "pass"]);
});

test("a quick slide scrolls a page that scrolls; after a moment it is the felt's, and it stays what it began as", () => {
  const [quick, slow, still] = [down(), down(), down()];
  expect([quick.holds(1050, true), quick.holds(1500, true)]).toEqual([false, false]);
  expect([slow.holds(1130, true), slow.holds(1131, true)]).toEqual([true, true]);
  expect(still.holds(1050, false)).toBe(true);
});
