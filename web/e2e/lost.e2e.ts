/** The server goes away and comes back. Nothing that is pressed in between is ever done. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { House, press, spot, until } from "./house";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

interface Table {
  table: string;
  seq: number;
  seats: { seat: number; bets: { bet: string; stake: number }[] }[];
  rolls: unknown[];
}

const RULES = { book: "pa", as_of: "2023-10-01", keys: { "limits.min": "5", "limits.max": "5000", chip: "1" } };

async function seated(): Promise<{
  table: string;
  page: Page;
  look: () => Promise<Table>;
  close: () => Promise<void>;
  arm: Awaited<ReturnType<typeof cut>>;
}> {
  const owner = await house.guest();
  const { table } = await owner.post<Table>("/tables", { name: "Lost", house: RULES, practice: true });
  const context = await house.context();
  const page = await house.page(context);
  const arm = await cut(page);
  await page.goto(`/felt/${table}`);
  await page.getByLabel("Name").fill("Ann");
  await page.getByLabel("Buy in").fill("500");
  await page.getByRole("button", { name: "Sit down" }).click();
  await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  await page.getByRole("radio", { name: "$5 chip" }).click();
  const look = () => owner.get<Table>(`/tables/${table}`);
  return { table, page, look, close: () => context.close(), arm };
}

const lost = (page: Page) => page.getByText("Connection lost.");

test("nothing can be sent while the server is away, and nothing happens later when it is back", async () => {
  const { page, look, close } = await seated();
  await press(page, "right/P");
  await until(async () => (await look()).seats[0]?.bets.length === 1, "a bet on the line");
  const before = await look();
  const roll = page.getByRole("button", { name: /^ROLL/ });
  const field = await spot(page, "right/F");
  expect(await roll.isEnabled()).toBe(true);

  await house.stop();
  await lost(page).waitFor();
  expect(await roll.isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: /^Undo/ }).isDisabled()).toBe(true);
  // By pointer, by forced click, by keys and by typed words.
  for (let time = 0; time < 4; time += 1) await page.mouse.click(field.x, field.y);
  await page.getByRole("alert").getByText("Nothing was sent").waitFor();
  for (let time = 0; time < 3; time += 1) await roll.click({ force: true });
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  for (const key of ["Space", "r", "u", "c"]) await page.keyboard.press(key);
  await page.getByLabel("Say", { exact: true }).fill("field 5");
  await page.keyboard.press("Enter");
  await page.getByText("No connection. You can't bet right now.").waitFor();
  await page.getByLabel("Say", { exact: true }).fill("");

  await house.start();
  await lost(page).waitFor({ state: "detached" });
  await until(() => roll.isEnabled(), "the table is back");
  // Long enough for anything still queued to be sent and done.
  await new Promise((done) => setTimeout(done, 1_500));
  const after = await look();
  expect(after.rolls).toEqual([]);
  expect(after.seats).toEqual(before.seats);
  expect(after.seq).toBe(before.seq);

  // The game goes on as before.
  await press(page, "right/F");
  await until(async () => (await look()).seats[0]?.bets.length === 2, "a bet on the field");
  await close();
});

/** Cuts the stream of a page, either before the next command of a kind is sent or before its answer arrives. */
async function cut(page: Page): Promise<(what: "command" | "answer", of: string) => void> {
  let armed: { what: "command" | "answer"; of: string; id?: string } | null = null;
  await page.routeWebSocket(/\/stream/, (stream) => {
    const server = stream.connectToServer();
    const hangUp = () => {
      armed = null;
      void stream.close();
      void server.close();
    };
    stream.onMessage((text) => {
      const sent = JSON.parse(String(text)) as { do?: string; id?: string };
      if (armed && sent.do === armed.of) {
        if (armed.what === "command") return hangUp();
        armed.id = sent.id;
      }
      server.send(text);
    });
    server.onMessage((text) => {
      const told = JSON.parse(String(text)) as { kind: string; id?: string };
      if (armed?.id !== undefined && told.kind === "answer" && told.id === armed.id) return hangUp();
      stream.send(text);
    });
  });
  return (what, of) => (armed = { what, of });
}

test("a command whose answer is lost is done once, and the page says so", async () => {
  const { page, look, close, arm } = await seated();
  arm("answer", "actions");
  await press(page, "right/P");
  await page.getByText("your last action went through").waitFor();
  expect((await look()).seats[0]?.bets).toMatchObject([{ bet: "P", stake: 500 }]);
  arm("answer", "roll");
  await page.getByRole("button", { name: /^ROLL/ }).click();
  await page.getByText("your last action went through").waitFor();
  expect((await look()).rolls).toHaveLength(1);
  await close();
});

test("a command that never reached the table isn't sent later, and the page says so", async () => {
  const { page, look, close, arm } = await seated();
  await press(page, "right/P");
  await until(async () => (await look()).seats[0]?.bets.length === 1, "a bet on the line");
  arm("command", "roll");
  await page.getByRole("button", { name: /^ROLL/ }).click();
  await page.getByText("Your last action didn't go through").waitFor();
  await new Promise((done) => setTimeout(done, 1_000));
  expect((await look()).rolls).toEqual([]);
  await close();
});
