/** A law from a folder, with wagers of its own: a repeater, and a field with a five. The page knows neither of them. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, press, until } from "./house";

const ROOT = new URL("../..", import.meta.url).pathname;
const BASE = ["book.toml", "sections.toml", "readings.toml", "house.toml", "procedure.toml", "wagers/line.toml"];

let books: string;
let house: House;
beforeAll(async () => {
  books = mkdtempSync(join(tmpdir(), "boxperson-books-"));
  writeBook(join(books, "own"));
  house = await House.open(["--rulebooks", books]);
});
afterAll(async () => {
  await house.close();
  rmSync(books, { recursive: true, force: true });
});

/** Writes a book: the line bets and the procedure of the playground, and the two wagers that the tests of the command line use too. */
function writeBook(folder: string): void {
  for (const file of BASE) cpSync(join(ROOT, "examples/playground/no-law", file), join(folder, file));
  for (const part of ["catalogue", "wagers"])
    cpSync(join(ROOT, "crates/boxperson/tests/own-law", part, "own.toml"), join(folder, part, "own.toml"));
  const options = readFileSync(join(folder, "house.toml"), "utf8").split("[[option]]");
  writeFileSync(
    join(folder, "house.toml"),
    options.filter((one) => !one.includes("repeater.offered")).join("[[option]]"),
  );
}

interface Table {
  table: string;
  seats: { bets: { bet: string; stake: number }[] }[];
  rolls: { roll: number; dice: [number, number]; results: { n: number; bet: string; outcome: string }[] }[];
}

/** The stake on a bet, as the server has it. */
const stake = async (table: string, bet: string) =>
  (await (await house.guest()).get<Table>(`/tables/${table}`)).seats[0]?.bets.find((one) => one.bet === bet)?.stake;

async function roll(page: Page, table: string): Promise<Table["rolls"][number]> {
  const guest = await house.guest();
  const before = (await guest.get<Table>(`/tables/${table}`)).rolls.at(-1)?.roll ?? 0;
  await page.getByRole("button", { name: /^ROLL/ }).click();
  return until(async () => {
    const last = (await guest.get<Table>(`/tables/${table}`)).rolls.at(-1);
    return last && last.roll > before ? last : null;
  }, "a roll");
}

async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel("Say", { exact: true }).fill(words);
  await page.getByRole("button", { name: /^Do it/ }).click();
}

test("a wager of a new law is bet by click and by talk, played and explained", async () => {
  const { table } = await (
    await house.guest()
  ).post<Table>("/tables", { name: "Own", house: { book: "own" }, practice: true });
  const context = await house.context();
  const page = await house.page(context);
  await page.goto(`/felt/${table}`);
  await page.getByLabel("Name").fill("Ann");
  await page.getByLabel("Buy in").fill("5000");
  await page.getByRole("button", { name: "Sit down" }).click();
  await page.getByRole("radio", { name: "$5 chip" }).click();

  // A click puts chips on the wager's own area.
  await press(page, "centre/ECHO");
  // The law says that the bet stays up once the dice are rolled, or takes it without a question.
  await until(async () => (await stake(table, "ECHO")) === 500, "$5 on the repeater");
  await page.getByText("Ann: The Echo, $5").waitFor({ state: "attached" });
  await press(page, "centre/OWNF");
  await until(async () => (await stake(table, "OWNF")) === 500, "$5 on the field");

  // The same bets by talk.
  await say(page, "own field 10; echo eleven 5");
  await until(async () => (await stake(table, "OWNF")) === 1500, "$10 more on the field");
  await until(async () => (await stake(table, "ECHO")) === 1000, "$5 more on the repeater");
  await page.getByText("Ann: The Own Field, $15").waitFor({ state: "attached" });
  await say(page, "pass 10");
  await until(async () => (await stake(table, "P")) === 1000, "a bet to shoot with");

  // Every roll decides the field. It has the five, and not the four.
  const first = await roll(page, table);
  const field = first.results.find((one) => one.bet === "OWNF");
  const total = first.dice[0] + first.dice[1];
  expect(field?.outcome, `total ${total}`).toBe([2, 3, 5, 9, 10, 11, 12].includes(total) ? "won" : "lost");

  // The repeater ends with a second eleven or a seven.
  let last = first;
  for (let rolls = 1; !last.results.some((one) => one.bet === "ECHO"); rolls += 1) {
    expect(rolls).toBeLessThan(500);
    if ((await stake(table, "P")) === undefined) {
      await say(page, "pass 10");
      await until(async () => (await stake(table, "P")) === 1000, "a bet to shoot with");
    }
    last = await roll(page, table);
  }

  const result = page.locator("[data-result]").filter({ hasText: "Echo" });
  await result.waitFor();
  await result.click();
  const card = page.locator("dl.card");
  await card.waitFor();
  const [n, number] = [last.results.find((one) => one.bet === "ECHO")?.n, last.roll];
  const told = await page.evaluate(async (path) => (await fetch(path)).json(), `/tables/${table}/why/${number}/${n}`);
  expect(told.cite).toContain("PLAY");
  const shown = (await card.textContent()) ?? "";
  for (const part of [told.cause, told.cite, told.title, told.rule, told.cost]) expect(shown).toContain(part);
  // Two elevens before a seven have a chance of 1/16; 12 to 1 returns 13/16.
  expect(told.cost).toContain("3/16");
  await context.close();
});

test("the explorer has its exact edge", async () => {
  const context = await house.context();
  const page = await house.page(context);
  await page.goto("/explorer?rows=every");
  for (const [wager, edge] of [
    ["echo-11", "3/16"],
    ["own-field", "1/36"],
  ]) {
    await page.locator(`button[data-line^="own/${wager}/"]`).first().click();
    await page.getByText(edge!).first().waitFor();
  }
  await context.close();
});

test("the lab simulates it", async () => {
  const context = await house.context();
  const page = await house.page(context);
  await page.goto("/lab?at=book:own&sessions=200&throws=40&seed=3");
  await page
    .locator("textarea")
    .first()
    .fill(
      "strategy Echo\nabout    The pass line, and the echo for every new shooter.\nbuy-in   300\nunit     5\n\n" +
        "when a new shooter\n    echo for 5\nwhen coming out\n    pass line for unit\n",
    );
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await page.getByRole("link", { name: /csv/i }).first().waitFor({ timeout: 60_000 });
  expect(await page.locator("main").textContent()).toMatch(/echo/i);
  await context.close();
});
