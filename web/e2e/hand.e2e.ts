/** Plays one hand by pointer, by keyboard alone, and by touch in a 320 px window. The game must be the same each time. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { House, press, spot, until, type Client } from "./house";

let house: House;
let stick: Client;
let box: Client;
let admin: Client;

beforeAll(async () => {
  house = await House.open();
  stick = house.staff("Stick", "stickperson");
  box = house.staff("Box", "boxperson");
  admin = house.staff("Admin", "admin", ["watch", "admin"]);
});
afterAll(() => house.close());

/** The bets before each roll, and the dice: a point, odds, a come bet that moves, a point made, a seven-out. */
const HAND: { bets: { chip: number; bet: string; times: number }[]; dice: [number, number] }[] = [
  { bets: [{ chip: 5, bet: "P", times: 2 }], dice: [4, 2] },
  {
    bets: [
      { chip: 25, bet: "PO", times: 2 },
      { chip: 5, bet: "C", times: 2 },
    ],
    dice: [5, 3],
  },
  {
    bets: [
      { chip: 5, bet: "PL5", times: 2 },
      { chip: 5, bet: "H8", times: 1 },
    ],
    dice: [3, 2],
  },
  { bets: [{ chip: 5, bet: "F", times: 1 }], dice: [4, 4] },
  { bets: [], dice: [3, 3] },
  { bets: [{ chip: 5, bet: "P", times: 2 }], dice: [5, 4] },
  { bets: [{ chip: 5, bet: "F", times: 1 }], dice: [5, 2] },
];

const CHIPS = [1, 5, 25, 100, 500];

type Put = (page: Page, bet: string, chip: number) => Promise<void>;

const areaOf = (bet: string) => (bet.startsWith("H") ? `centre/${bet}` : `right/${bet}`);

const byPointer: Put = async (page, bet, chip) => {
  await page.getByRole("radio", { name: `$${chip} chip`, exact: true }).click();
  await press(page, areaOf(bet));
};

const byKeyboard: Put = async (page, bet, chip) => {
  await page.keyboard.press(String(CHIPS.indexOf(chip) + 1));
  // `g` and the code. A place bet can be named by `p` and its number.
  const code = bet.replace(/^PL(\d+)$/, "p$1").toLowerCase();
  await page.keyboard.press("g");
  await page.keyboard.type(code);
  await until(
    () => page.evaluate((wanted) => document.activeElement?.getAttribute("data-bet") === wanted, bet),
    `focus on ${bet}`,
  );
  await page.keyboard.press("Enter");
};

const BANDS: Record<string, string> = { H8: "Center" };

const byTouch: Put = async (page, bet, chip) => {
  await page.getByRole("button", { name: BANDS[bet] ?? "Boxes", exact: true }).tap();
  await page.getByRole("radio", { name: `$${chip} chip`, exact: true }).tap();
  const { x, y } = await spot(page, areaOf(bet));
  await page.touchscreen.tap(x, y);
};

async function play(put: Put, options: Parameters<House["context"]>[0]): Promise<string> {
  const owner = await house.guest();
  const { table } = await admin.post<{ table: string }>("/tables", {
    name: "Hand",
    house: {
      book: "pa",
      as_of: "2023-10-01",
      keys: { "limits.min": "5", "limits.max": "5000", chip: "1", "odds.k": "3-4-5" },
    },
    practice: true,
    dice: "people",
  });
  const context = await house.context(options);
  const page = await house.page(context);
  await page.goto(`/felt/${table}`);
  await page.getByLabel("Name").fill("Ann");
  await page.getByLabel("Seat").selectOption("1");
  await page.getByRole("button", { name: "Sit down" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  const staked = async () =>
    (await owner.get<{ seats: { bets: { bet: string; stake: number }[] }[] }>(`/tables/${table}`)).seats[0]?.bets ?? [];
  for (const { bets, dice } of HAND) {
    for (const { chip, bet, times } of bets) {
      for (let time = 0; time < times; time += 1) {
        const before = (await staked()).find((one) => one.bet === bet)?.stake ?? 0;
        await put(page, bet, chip);
        const told = async () => (await page.locator(".notice").allTextContents()).join(" ");
        await until(
          async () => (await staked()).some((one) => one.bet === bet && one.stake === before + chip * 100),
          `${chip} more on ${bet}`,
        ).catch(async (error: Error) => {
          throw new Error(`${error.message}: ${await told()}`);
        });
      }
    }
    const rolls = async () => (await owner.get<{ rolls: unknown[] }>(`/tables/${table}`)).rolls.length;
    const before = await rolls();
    await stick.post(`/tables/${table}/dice`, { dice });
    await box.post(`/tables/${table}/dice/confirm`, { dice });
    await until(async () => (await rolls()) === before + 1, "the roll");
    await page
      .getByText(`roll ${before + 1} ·`, { exact: false })
      .first()
      .waitFor({ state: options?.viewport && options.viewport.width < 760 ? "attached" : "visible" });
  }
  const seat = await page.evaluate(async (of) => (await fetch(`/tables/${of}/cgn`)).text(), table);
  await context.close();
  return seat.replace(/\[Date [^\]]*\]/, "").replace(/\[Table [^\]]*\]/, "");
}

test("a hand by pointer, by keyboard alone and by touch at 320 px is the same game", async () => {
  const pointer = await play(byPointer, {});
  expect(pointer).toContain("1:P+5");
  expect(pointer).toMatch(/\d-\d%/);
  const keyboard = await play(byKeyboard, {});
  expect(keyboard).toBe(pointer);
  const touch = await play(byTouch, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  expect(touch).toBe(pointer);
});
