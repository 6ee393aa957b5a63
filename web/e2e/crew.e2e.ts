/** A table with a crew of people: what a player asks for waits on the page until the crew answers, and a draw is shown before the dice. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, until, type Body, type Client } from "./house";

let house: House;
let admin: Client;
let dealer: Client;
let stick: Client;
let box: Client;
beforeAll(async () => {
  house = await House.open();
  admin = house.staff("Admin", "admin", ["watch", "admin"]);
  dealer = house.staff("Dealer", "dealer");
  stick = house.staff("Stick", "stickperson");
  box = house.staff("Box", "boxperson");
});
afterAll(() => house.close());

interface Table {
  table: string;
  rolled: number;
  requests?: { request: number; words: string; by: string[] }[];
  raised?: { name: string; pays: string; by: string; cite: string }[];
  seats: { rail: number; bets: { bet: string; works: boolean }[] }[];
}

const LIMITS = { "limits.min": "5", "limits.max": "5000", chip: "1" };
const PA = { book: "pa", as_of: "2023-10-01", keys: LIMITS };

/** Opens a table with a crew of people, and its procedure. */
async function opened(law: Body = PA): Promise<string> {
  const { table } = await admin.post<Table>("/tables", {
    name: "Crew",
    house: law,
    practice: true,
    crew: "people",
    dice: "people",
  });
  await box.post(`/tables/${table}/procedure`, { act: "open-table", dice: 5 });
  return table;
}

const acts = (table: string, act: Body) => stick.post(`/tables/${table}/procedure`, act);
const seen = (table: string) => dealer.get<Table>(`/tables/${table}`);
const answer = (who: Client, table: string, request: number, agrees: boolean) =>
  who.post(`/tables/${table}/requests/${request}`, { agrees });

/** Waits until somebody has asked for something, and returns the number of the request. */
const asked = async (table: string) =>
  (await until(async () => (await seen(table)).requests?.[0], "a request")).request;

const own = (page: Page) => page.getByRole("list", { name: "Your requests" });
const news = (page: Page) => page.getByRole("list", { name: "At the table" });
const spoken = (page: Page, words: string) =>
  page.getByRole("status").filter({ hasText: words }).waitFor({ state: "attached" });

async function sits(page: Page, table: string): Promise<void> {
  await page.goto(`/felt/${table}`);
  await page.getByLabel("Name").fill("Ann");
  await page.getByLabel("Buy in").fill("500");
  await page.getByLabel("Seat").selectOption("1");
  await page.getByRole("button", { name: "Sit down" }).click();
}

/** Sits down, and the dealer sells the chips. */
async function seated(table: string) {
  const context = await house.context();
  const page = await house.page(context);
  await sits(page, table);
  await answer(dealer, table, await asked(table), true);
  await own(page).waitFor({ state: "hidden" });
  return { context, page };
}

/** Sits down with chips, makes a pass bet and a place bet on the six, and gets the dice. */
async function shooting(law?: Body) {
  const table = await opened(law);
  const { context, page } = await seated(table);
  await says(page, "pass 10; 12 on the six");
  await page.getByText("Ann: Place Bet 6 to Win, $12").waitFor({ state: "attached" });
  await acts(table, { act: "offer-dice", seat: 1 });
  await acts(table, { act: "take-dice", seat: 1 });
  return { table, context, page };
}

async function says(page: Page, words: string): Promise<void> {
  await page.getByLabel("Say", { exact: true }).fill(words);
  await page.keyboard.press("Enter");
}

/** The bet is off in a come-out roll. The player calls it on with the menu of its area. */
async function callsOn(page: Page): Promise<void> {
  await page.locator('[data-area="right/PL6"]').focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("dialog").getByRole("button", { name: "Turn on" }).click();
  await own(page).getByText("Waiting for the dealer: call place six on").waitFor();
}

const works = async (table: string) =>
  (await seen(table)).seats[0]?.bets.find((one) => one.bet === "PL6")?.works ?? false;

test("a player sits down without chips, and the buy-in waits for the crew", async () => {
  const table = await opened();
  const context = await house.context();
  const page = await house.page(context);
  await sits(page, table);
  await own(page).getByText("Waiting for the dealer or the boxperson: buy in for 500").waitFor();
  await news(page).getByText("Ann asked: buy in for 500. It waits for the dealer or the boxperson.").waitFor();
  expect((await seen(table)).seats[0]?.rail).toBe(0);
  await answer(box, table, await asked(table), true);
  await own(page).waitFor({ state: "hidden" });
  await spoken(page, "Done: buy in for 500.");
  await news(page).getByText("The boxperson confirmed “buy in for 500”.").waitFor();
  expect((await seen(table)).seats[0]?.rail).toBe(50_000);
  await context.close();
});

test("a call waits for the dealer, who turns it down and then confirms it", async () => {
  const { table, context, page } = await shooting();
  await callsOn(page);
  // The sections that make it wait are links into the book.
  expect(await own(page).locator(".cite").first().getAttribute("href")).toContain("/library/pa/");
  await news(page).getByText("Ann asked: call place six on. It waits for the dealer.").waitFor();
  expect(await works(table)).toBe(false);

  await answer(dealer, table, await asked(table), false);
  const unfulfilled = own(page).getByText("Not done: call place six on. The dealer turned it down.");
  await unfulfilled.waitFor();
  await spoken(page, "Not done: call place six on. The dealer turned it down.");
  await news(page).getByText("“call place six on” was turned down.").waitFor();
  expect(await own(page).getByRole("button", { name: "Take it back" }).count()).toBe(0);
  expect(await works(table)).toBe(false);
  await own(page).getByRole("button", { name: "Dismiss" }).click();
  await own(page).waitFor({ state: "hidden" });

  await callsOn(page);
  await answer(dealer, table, await asked(table), true);
  await own(page).waitFor({ state: "hidden" });
  await spoken(page, "Done: call place six on.");
  await news(page).getByText("The dealer confirmed “call place six on”.").waitFor();
  await news(page).getByText("“call place six on” took effect.").waitFor();
  expect(await works(table)).toBe(true);
  // The button on the bet is the dealer's.
  await page.locator('[data-area="right/PL6"]').focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("dialog").getByText("working", { exact: true }).waitFor();
  await context.close();
});

test("a player takes a call back, and a watcher sees no buttons", async () => {
  const { table, context, page } = await shooting();
  const watching = await house.context();
  const other = await house.page(watching);
  await other.goto(`/felt/${table}`);
  await other.getByText("you are watching").waitFor();
  await callsOn(page);
  await news(other).getByText("Ann asked: call place six on. It waits for the dealer.").waitFor();
  expect(await own(other).count()).toBe(0);
  await own(page).getByRole("button", { name: "Take it back" }).click();
  await own(page).waitFor({ state: "hidden" });
  await spoken(page, "Taken back: call place six on.");
  await news(other).getByText("“call place six on” was taken back.").waitFor();
  expect((await seen(table)).requests).toBeUndefined();
  expect(await works(table)).toBe(false);
  await watching.close();
  await context.close();
});

test("a bet in flight waits for two people, and the dice can overtake it", async () => {
  const { table, context, page } = await shooting({ book: "nj", keys: LIMITS });
  await acts(table, { act: "release" });
  await says(page, "field 5");
  await own(page).getByText("Waiting for the dealer and the boxperson: ").waitFor();
  const request = await asked(table);
  await answer(dealer, table, request, true);
  await own(page).getByText("Waiting for the boxperson: ").waitFor();
  await stick.post(`/tables/${table}/dice`, { dice: [5, 4] });
  await box.post(`/tables/${table}/dice/confirm`, { dice: [5, 4] });
  await own(page).getByText("Too late: the dice had stopped.").waitFor();
  expect(await own(page).getByRole("button", { name: "Take it back" }).count()).toBe(0);
  expect((await seen(table)).seats[0]?.bets.some((one) => one.bet === "F")).toBe(false);
  await context.close();
});

const POWER = { ...PA, keys: { ...LIMITS, offer: "power_odds", "power_odds.draws": "3" } };
const banner = (page: Page) => page.getByRole("region", { name: "Raised for this roll" });

test("people roll: the banner of a draw appears when the bets close and goes with the roll", async () => {
  const { table, context, page } = await shooting(POWER);
  for (const [roll, dice] of [
    [1, [4, 2]],
    [2, [5, 3]],
  ] as const) {
    expect(await banner(page).count()).toBe(0);
    await acts(table, { act: "close-bets" });
    await banner(page).waitFor();
    const view = await seen(table);
    expect([view.rolled, view.raised?.length]).toEqual([roll - 1, 3]);
    for (const { by, name, pays, cite } of view.raised ?? []) {
      await banner(page)
        .getByRole("heading", { name: `${by} for this roll` })
        .waitFor();
      const line = banner(page).getByRole("listitem").filter({ hasText: name });
      expect(await line.first().textContent()).toContain(pays);
      expect(await line.first().locator(".cite").first().textContent()).toBe(cite.split(", ")[0]);
    }
    const told = news(page)
      .getByRole("listitem")
      .filter({ hasText: `Power Odds for roll ${roll}: ` });
    await told.waitFor();
    for (const { name, pays } of view.raised ?? []) expect(await told.textContent()).toContain(`${name} pays ${pays}`);
    await acts(table, { act: "release" });
    expect(await banner(page).count()).toBe(1);
    await stick.post(`/tables/${table}/dice`, { dice: [...dice] });
    expect(await banner(page).count()).toBe(1);
    await box.post(`/tables/${table}/dice/confirm`, { dice: [...dice] });
    await page.getByText(`roll ${roll} ·`).first().waitFor();
    await banner(page).waitFor({ state: "hidden" });
  }
  expect(await news(page).textContent()).not.toMatch(/power_odds|[a-z]-\d|level/);
  await context.close();
});

test("the machine rolls: the banner is shown before the dice move and goes when they have landed", async () => {
  const owner = await house.guest();
  const { table } = await owner.post<Table>("/tables", { name: "Power", house: POWER, practice: true });
  const context = await house.context({ reducedMotion: "no-preference" });
  const page = await house.page(context);
  await sits(page, table);
  await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  await says(page, "pass 10");
  await page.getByText("Ann: Pass Bet, $10").waitFor({ state: "attached" });
  expect(await banner(page).count()).toBe(0);
  // What the page shows, each time that it changes.
  const order = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const look = () => {
      const drawn = document.querySelector("section.draw") ? "draw" : "";
      const rolled = document.body.textContent.includes("roll 1 ·") ? "roll" : "";
      const now = `${drawn}${rolled}` || "nothing";
      if (seen.at(-1) !== now) seen.push(now);
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    return seen;
  });
  await page.getByRole("button", { name: /^ROLL/ }).click();
  await page.getByText("roll 1 ·").first().waitFor();
  await banner(page).waitFor({ state: "hidden" });
  expect(await order.jsonValue()).toEqual(["nothing", "draw", "roll"]);
  await news(page).getByText("Power Odds for roll 1: ").waitFor();
  await context.close();
});
