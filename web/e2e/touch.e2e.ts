/** A finger on a phone: the page shows what is under it and what it would do. It can slide to another area, and it bets where it lifts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CDPSession, Page } from "playwright-core";
import { House, spot, until } from "./house";

let house: House;
let page: Page;
let hand: CDPSession;
let table: string;

beforeAll(async () => {
  house = await House.open();
  const context = await house.context({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  page = await house.page(context);
  hand = await context.newCDPSession(page);
  await page.goto("/");
  table = await page.evaluate(async () => {
    const post = async (path: string, body: unknown) =>
      (
        await fetch(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      ).json();
    await post("/guests", {});
    return (
      await post("/tables", {
        name: "Touch",
        house: {
          book: "pa",
          as_of: "2023-10-01",
          keys: { "limits.min": "5", "limits.max": "5000", chip: "1", "odds.k": "3-4-5" },
        },
        practice: true,
      })
    ).table;
  });
  await page.goto(`/felt/${table}`);
  await page.getByLabel("Name").fill("Ann");
  await page.getByLabel("Seat").selectOption("1");
  await page.getByRole("button", { name: "Sit down" }).tap();
  await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  await page.getByRole("radio", { name: "$5 chip", exact: true }).tap();
});
afterAll(() => house.close());

type At = { x: number; y: number };
const down = (at: At) => hand.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
const up = () => hand.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
const pause = (time: number) => new Promise((done) => setTimeout(done, time));

async function slide(from: At, to: At): Promise<void> {
  for (let part = 1; part <= 6; part += 1) {
    await hand.send("Input.dispatchTouchEvent", {
      type: "touchMove",
      touchPoints: [{ x: from.x + ((to.x - from.x) * part) / 6, y: from.y + ((to.y - from.y) * part) / 6 }],
    });
  }
}

const lens = (of: Page) => of.locator(".lens");
const staked = () =>
  page.evaluate(
    async (of) =>
      (await (await fetch(`/tables/${of}`)).json()).seats[0].bets
        .map((one: { bet: string; stake: number }) => `${one.bet} ${one.stake}`)
        .join(),
    table,
  );

test("a finger shows a halo and a magnifier, and bets where it lifts", async () => {
  const [field, line] = [await spot(page, "right/F"), await spot(page, "right/P")];
  await down(field);
  await pause(200);
  expect(await lens(page).textContent()).toContain("Field");
  expect(await page.locator(".table .halo").count()).toBe(1);
  expect(((await lens(page).boundingBox())?.y ?? 0) + ((await lens(page).boundingBox())?.height ?? 0)).toBeLessThan(
    field.y,
  );
  await slide(field, line);
  await until(async () => (await lens(page).textContent())?.includes("Pass"), "the lens over the line");
  // After a slide no menu opens, no matter how long the finger stays.
  await pause(600);
  expect(await page.locator(".menu").getByRole("heading").count()).toBe(0);
  await up();
  await until(async () => (await staked()) === "P 500", "a bet on the line alone");
  expect(await lens(page).count()).toBe(0);
  expect(await page.locator(".table .halo").count()).toBe(0);
});

test("a finger off the felt bets nothing; held still it opens the menu and bets nothing", async () => {
  const field = await spot(page, "right/F");
  await down(field);
  await pause(200);
  await slide(field, { x: field.x, y: 20 });
  expect(await lens(page).count()).toBe(0);
  await up();
  await down(field);
  const menu = page.getByRole("dialog", { name: /field/i });
  await menu.waitFor();
  expect(await lens(page).count()).toBe(0);
  await up();
  await pause(300);
  expect(await menu.count()).toBe(1);
  expect(await staked()).toBe("P 500");
  await page.keyboard.press("Escape");
});

test("a tap bets once", async () => {
  const field = await spot(page, "right/F");
  await page.touchscreen.tap(field.x, field.y);
  await until(async () => (await staked()) === "P 500,F 500", "a bet on the field");
  await pause(800);
  expect(await staked()).toBe("P 500,F 500");
});
