/** What the lines of the crew and the banner of a draw show, rendered without a browser. */
import { render } from "svelte/server";
import { expect, test } from "vitest";
import type { Component } from "svelte";
import DrawBanner from "./DrawBanner.svelte";
import News from "./News.svelte";
import Waiting from "./Waiting.svelte";

const view = { book: "x", as_of: "2024-01-01" };
const request = {
  request: 3,
  seat: 1,
  words: "call place six on",
  by: ["dealer"],
  all: false,
  confirmed: [],
  cite: "X 1",
};

/** The text and links of a component, without its style. */
function shown<P extends Record<string, unknown>>(component: Component<P>, props: object): string {
  return render(component as Component<Record<string, unknown>>, { props: props as Record<string, unknown> })
    .body.replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/ class="[^"]*"/g, "")
    .replaceAll(/\s+/g, " ");
}

const waiting = (crew: object, ready = true) =>
  shown(Waiting as Component<never>, {
    room: { view, player: { ready }, crew: { waiting: [], unfulfilled: [], ...crew } },
  });

test("a waiting request has its section and a button that takes it back", () => {
  const html = waiting({ waiting: [request] });
  expect(html).toContain("Waiting for the dealer: call place six on");
  expect(html).toContain('href="/library/x/X%201?as_of=2024-01-01"');
  expect(html).toMatch(/<button>Take it back<\/button>/);
  expect(waiting({ waiting: [request] }, false)).toMatch(/<button disabled[^>]*>Take it back/);
  // This program's own procedure has no section.
  expect(waiting({ waiting: [{ ...request, cite: "" }] })).not.toContain("href");
});

test("a request without effect says why, and without requests there is no line", () => {
  const one = { request: 3, words: "call place six on", why: "Too late: the dice had stopped.", cite: "" };
  const html = waiting({ unfulfilled: [one] });
  expect(html).toContain("Not done: call place six on. <b>Too late: the dice had stopped.</b>");
  expect(html).not.toContain("Take it back");
  expect(waiting({}).trim()).toBe("");
});

test("the banner names the feature once, with every raised price and its section", () => {
  const price = (name: string, pays: string) => ({ by: "Power Odds", name, pays, bets: [], level: 1, cite: "X 2" });
  const banner = (drawn: object[]) =>
    shown(DrawBanner as Component<never>, { room: { view, live: { drawn } }, over: true });
  const html = banner([price("Place 6", "5 to 1"), price("Field", "4 to 1")]);
  expect(html.match(/Power Odds for this roll/g)).toHaveLength(1);
  expect(html).toMatch(/Place 6<\/span> <b>5 to 1<\/b>/);
  expect(html).toMatch(/Field<\/span> <b>4 to 1<\/b>/);
  expect(html.match(/href="\/library\/x\/X%202/g)).toHaveLength(2);
  expect(banner([]).trim()).toBe("");
});

test("older news is folded away", () => {
  const news = Array.from({ length: 7 }, (_, at) => ({ key: String(at), text: `News ${at}.` }));
  const html = shown(News as Component<never>, { news });
  expect(html.indexOf("News 4.")).toBeLessThan(html.indexOf("2 earlier"));
  expect(html.indexOf("News 5.")).toBeGreaterThan(html.indexOf("2 earlier"));
  expect(shown(News as Component<never>, { news: news.slice(0, 5) })).not.toContain("earlier");
});
