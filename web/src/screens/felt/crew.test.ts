import { expect, test } from "vitest";
import type { Happened, RequestView, RowView, TableView, WagerView } from "../../api/openapi";
import { Crew } from "./crew.svelte";

const request = (number: number, seat = 1, words = "call place six on"): RequestView => ({
  request: number,
  seat,
  words,
  by: ["dealer"],
  all: false,
  confirmed: [],
  cite: "X 1",
});
const asks = (number: number, seat = 1): Happened => ({
  what: "requested",
  request: number,
  seat,
  by: ["dealer"],
  all: false,
});
const ends = (number: number, how: string): Happened => ({ what: "request-ended", request: number, how });

let seq = 0;
const row = (did: "ordered" | "thrown", happened: Happened[], role = "dealer") =>
  ({ seq: (seq += 1), at: 0, role, did, happened }) as unknown as RowView;

/** A crew at a table with these requests, seen from seat 1. */
function crewOf(...requests: RequestView[]): Crew {
  const view = { book: "x", seats: [{ seat: 1, name: "Ann" }], requests } as unknown as TableView;
  const crew = new Crew(
    () => view,
    () => 1,
    () => Promise.resolve([{ wager: "fire", name: "Fire Bet" } as WagerView]),
  );
  crew.know(requests);
  return crew;
}

test("only the player's own requests wait at the rail", () => {
  const crew = crewOf(request(1), request(2, 2, "buys chips"));
  expect(crew.waiting.map((one) => one.request)).toEqual([1]);
  expect(crew.spoken).toBe("Waiting for the dealer: call place six on.");
});

test("a request that took effect goes without a reason", () => {
  const crew = crewOf(request(1));
  crew.hear(row("ordered", [{ what: "confirmed", request: 1, by: "dealer" }, ends(1, "done")]));
  expect([crew.waiting, crew.unfulfilled]).toEqual([[], []]);
  expect(crew.spoken).toBe("Done: call place six on.");
});

test("a request that the dealer turned down says so until the next roll", () => {
  const crew = crewOf(request(1));
  crew.hear(row("ordered", [ends(1, "turned-down")]));
  expect(crew.waiting).toEqual([]);
  expect(crew.unfulfilled).toEqual([
    { request: 1, words: "call place six on", why: "The dealer turned it down.", cite: "X 1" },
  ]);
  expect(crew.spoken).toBe("Not done: call place six on. The dealer turned it down.");
  crew.hear(row("thrown", []));
  expect(crew.unfulfilled).toEqual([]);
});

test("the roll that overtakes a request says that it came too late", () => {
  const crew = crewOf(request(1), request(2, 2));
  crew.hear(row("thrown", [ends(1, "too-late"), ends(2, "too-late")], "stick"));
  expect(crew.unfulfilled.map((one) => one.why)).toEqual(["Too late: the dice had stopped."]);
  // A new request takes the place of the message.
  crew.hear(row("ordered", [asks(3)], "player"));
  expect(crew.unfulfilled).toEqual([]);
});

test("the end of a request is known by its row even before the view named it", () => {
  const crew = crewOf();
  crew.hear(row("ordered", [asks(1)], "player"));
  crew.hear(row("ordered", [ends(1, "turned-down")]));
  expect(crew.unfulfilled).toMatchObject([{ words: "what you asked for", why: "The dealer turned it down." }]);
});

test("a request without words is spoken once, and one can dismiss its end", () => {
  const crew = crewOf(request(1, 1, ""));
  expect(crew.spoken).toBe("Waiting for the dealer: what you asked for.");
  crew.spoken = "";
  crew.know([request(1, 1, "")]);
  expect(crew.spoken).toBe("");
  crew.hear(row("ordered", [ends(1, "turned-down")]));
  expect(crew.unfulfilled).toHaveLength(1);
  crew.dismiss(1);
  expect(crew.unfulfilled).toEqual([]);
});

test("taking back and leaving need no reason", () => {
  const crew = crewOf(request(1), request(2));
  crew.hear(row("ordered", [ends(1, "taken-back")], "player"));
  expect([crew.spoken, crew.unfulfilled]).toEqual(["Taken back: call place six on.", []]);
  crew.hear(row("ordered", [ends(2, "left")], "player"));
  expect([crew.spoken, crew.unfulfilled]).toEqual(["Taken back: call place six on.", []]);
});

test("the news lists the latest first and uses words that come later", () => {
  const crew = crewOf();
  crew.hear(row("ordered", [{ what: "dice-passed" }, asks(1)], "player"));
  expect(crew.news.map((one) => one.text)).toEqual(["Ann made request 1. It waits for the dealer."]);
  crew.know([request(1)]);
  crew.hear(row("ordered", [{ what: "confirmed", request: 1, by: "dealer" }, ends(1, "done")]));
  expect(crew.news.map((one) => one.text)).toEqual([
    "“call place six on” took effect.",
    "The dealer confirmed “call place six on”.",
    "Ann asked: call place six on. It waits for the dealer.",
  ]);
  for (let more = 0; more < 40; more += 1) crew.hear(row("ordered", [{ what: "surveillance-told" }]));
  expect(crew.news).toHaveLength(30);
});

test("the news of a draw has the prices of the view, or else those of the roll", () => {
  const crew = crewOf();
  const texts = () => crew.news.map((one) => one.text);
  const draw = () => row("ordered", [{ what: "drawn", levels: [["place-win-6", 2]] }], "rng");
  const raised = (pays: string) => [
    { by: "Power Odds", name: "Place Bet 6 to Win", pays, bets: [], level: 2, cite: "X" },
  ];
  const sees = (next_roll: number, prices: object[], of = seq) =>
    crew.see({ next_roll, seq: of, raised: prices } as unknown as TableView);
  crew.hear(draw());
  expect(texts()).toEqual(["A draw raised prices for the next roll."]);
  // A view from before the draw says nothing about it.
  sees(1, raised("9 to 1"), seq - 1);
  sees(1, []);
  expect(texts()).toEqual(["A draw raised prices for the next roll."]);
  sees(1, raised("3 to 2"));
  const first = "Power Odds for roll 1: Place Bet 6 to Win pays 3 to 2.";
  expect(texts()).toEqual([first]);
  const thrown = (roll: number, pays: string) => ({ ...row("thrown", []), roll: { roll, raised: raised(pays) } });
  crew.hear(thrown(1, "3 to 2") as unknown as RowView);
  crew.hear(draw());
  crew.hear(thrown(2, "4 to 1") as unknown as RowView);
  sees(3, raised("5 to 1"));
  expect(texts()).toEqual(["Power Odds for roll 2: Place Bet 6 to Win pays 4 to 1.", first]);
});

test("the news asks for the names of wagers when it needs them", async () => {
  const crew = crewOf();
  crew.hear(row("ordered", [{ what: "marks-removed", wagers: ["fire"] }]));
  expect(crew.news[0]?.text).toContain("the marks of some side bets were removed");
  await new Promise((done) => setTimeout(done));
  expect(crew.news[0]?.text).toContain("the marks of Fire Bet were removed");
});
