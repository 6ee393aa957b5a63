import { expect, test } from "vitest";
import { called, spokenRoll } from "./calls";

test("a roll is called in the style that the player chose", () => {
  const eight = { call: "eight, easy eight", colorful: "eight, eighter from Decatur" };
  expect(called(eight, "plain")).toBe("eight, easy eight");
  expect(called(eight, "colorful")).toBe("eight, eighter from Decatur");
});

test("a screen reader hears the raised prices before the dice, once", () => {
  const raised = [{ by: "Power Odds", name: "Place 6", bets: ["PL6"], level: 1, pays: "5 to 1", cite: "X 1" }];
  const six = { dice: [2, 4], call: "six, easy six", colorful: "six, Jimmie Hicks", raised };
  expect(spokenRoll(six, "silent", false)).toBe(
    "Power Odds for this roll: Place 6 pays 5 to 1. 2 and 4: six, easy six.",
  );
  expect(spokenRoll(six, "colorful", true)).toBe("2 and 4: six, Jimmie Hicks.");
  expect(spokenRoll({ ...six, raised: undefined }, "plain", false)).toBe("2 and 4: six, easy six.");
});
