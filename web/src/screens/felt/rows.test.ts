import { expect, test } from "vitest";
import type { Happened, RowView } from "../../api/openapi";
import { happenedIn, raisedWords, told, type Known } from "./rows";

const known: Known = {
  player: (seat) => ({ 1: "Ann" })[seat] ?? `Seat ${seat}`,
  asked: (request) => (request === 3 ? "call place six on" : null),
  wager: (id) => ({ "bonus-all-small": "All Small", fire: "Fire Bet" })[id] ?? null,
  raised: null,
};
const price = (by: string, name: string, pays: string) => ({ by, name, pays, bets: [], level: 1, cite: "X 1" });
const words = (happened: Happened) => told(happened, known);

test("an order to give up the dice says who gave it and why", () => {
  expect(words({ what: "ordered-off", by: "box", ground: "delay" })).toBe(
    "The boxperson ordered the shooter to give up the dice for holding up the game.",
  );
  expect(words({ what: "ordered-off", by: "floor", ground: "invalid-rolls" })).toBe(
    "The floorperson ordered the shooter to give up the dice after too many rolls that didn't count.",
  );
  expect(words({ what: "ordered-off", by: "box", ground: "breach" })).toContain("for breaking the rules");
  // Old logs have no ground.
  expect(words({ what: "ordered-off", by: "box" })).toBe("The boxperson ordered the shooter to give up the dice.");
});

test("side bets: removed marks and the call to surveillance", () => {
  expect(words({ what: "marks-removed", wagers: ["fire", "bonus-all-small"] })).toBe(
    "New shooter: the marks of Fire Bet and All Small were removed, because nobody has a bet on them.",
  );
  // Without all the names, no id is shown either.
  expect(words({ what: "marks-removed", wagers: ["fire", "hot-roller"] })).toBe(
    "New shooter: the marks of some side bets were removed, because nobody has a bet on them.",
  );
  expect(words({ what: "surveillance-told" })).toBe("Surveillance was told how far a side bet has come.");
});

test("a request is followed from its beginning to its end", () => {
  expect(words({ what: "requested", request: 3, seat: 1, by: ["dealer", "box"], all: false })).toBe(
    "Ann asked: call place six on. It waits for the dealer or the boxperson.",
  );
  expect(words({ what: "requested", request: 4, seat: 2, by: ["dealer"], all: true })).toBe(
    "Seat 2 made request 4. It waits for the dealer.",
  );
  expect(words({ what: "confirmed", request: 3, by: "dealer" })).toBe("The dealer confirmed “call place six on”.");
  expect(words({ what: "confirmed", request: 4, by: "dealer" })).toBe("The dealer confirmed request 4.");
  const ended = (how: string, request = 3) => words({ what: "request-ended", request, how });
  expect(ended("done")).toBe("“call place six on” took effect.");
  expect(ended("turned-down")).toBe("“call place six on” was turned down.");
  expect(ended("taken-back", 4)).toBe("Request 4 was taken back.");
  expect(ended("too-late", 4)).toBe("Request 4 came too late, because the dice had stopped.");
  expect(ended("left", 4)).toBe("Request 4 ended, because the player left.");
});

test("a draw is told with the server's names and prices", () => {
  const drawn: Happened = { what: "drawn", levels: [["place-win-6", 2]] };
  expect(words(drawn)).toBe("A draw raised prices for the next roll.");
  const raised = { roll: 3, prices: [price("Power Odds", "Place Bet 6 to Win", "3 to 2")] };
  expect(told(drawn, { ...known, raised })).toBe("Power Odds for roll 3: Place Bet 6 to Win pays 3 to 2.");
});

test("what the felt shows has no words, and a chat message has nothing that happened", () => {
  expect(words({ what: "dice-passed" })).toBeNull();
  expect(happenedIn({ did: "said", words: "Hi" } as RowView)).toEqual([]);
  const passed: Happened = { what: "dice-passed" };
  expect(happenedIn({ did: "ordered", happened: [passed] } as unknown as RowView)).toEqual([passed]);
});

test("raised prices are grouped by the feature that raised them", () => {
  expect(raisedWords([price("Power Odds", "Place 6", "5 to 1"), price("Power Odds", "Field", "4 to 1")])).toBe(
    "Power Odds for this roll: Place 6 pays 5 to 1 and Field pays 4 to 1.",
  );
  expect(raisedWords([price("One", "A", "2 to 1"), price("Two", "B", "3 to 1")])).toBe(
    "One for this roll: A pays 2 to 1. Two for this roll: B pays 3 to 1.",
  );
  expect(raisedWords([])).toBe("");
});
