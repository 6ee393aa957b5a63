import { expect, test } from "vitest";
import { unfulfilled, waiting } from "./requests";

const request = {
  request: 3,
  seat: 1,
  words: "call place six on",
  by: ["dealer"],
  all: false,
  confirmed: [] as string[],
  cite: "X 1",
};

test("a request names the roles that it waits for", () => {
  expect(waiting(request)).toBe("Waiting for the dealer: call place six on");
  expect(waiting({ ...request, by: ["dealer", "box"] })).toBe(
    "Waiting for the dealer or the boxperson: call place six on",
  );
  const both = { ...request, by: ["dealer", "box", "stick"], all: true };
  expect(waiting(both)).toBe("Waiting for the dealer, the boxperson and the stickperson: call place six on");
  expect(waiting({ ...both, confirmed: ["box"] })).toBe(
    "Waiting for the dealer and the stickperson: call place six on",
  );
});

test("a request without words or roles still makes a sentence", () => {
  expect(waiting({ ...request, words: "", by: [] })).toBe("Waiting for the crew: what you asked for");
});

test("only an end without effect is explained", () => {
  expect(unfulfilled("too-late", "stick")).toBe("Too late: the dice had stopped.");
  expect(unfulfilled("turned-down", "dealer")).toBe("The dealer turned it down.");
  expect(unfulfilled("turned-down", "floor")).toBe("The floorperson turned it down.");
  expect(["done", "taken-back", "left"].map((how) => unfulfilled(how, "player"))).toEqual([null, null, null]);
});
