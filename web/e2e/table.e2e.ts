/** The table as players meet it: refusals with their section, Why? as the server has it, two browsers, lost connections, every felt. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { House, press, until, type Client } from "./house";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

interface Table {
  table: string;
  seats: { seat: number; name: string; own: boolean; bets: { bet: string; stake: number }[] }[];
  rolls: { roll: number; dice: number[]; call: string; results: { n: number; seat: number; bet: string }[] }[];
}

const PA = { book: "pa", as_of: "2023-10-01", keys: { "limits.min": "5", "limits.max": "5000", chip: "1" } };

async function opened(owner: Client, more: Record<string, unknown> = {}): Promise<string> {
  return (await owner.post<Table>("/tables", { name: "Test", house: PA, practice: true, ...more })).table;
}

async function seated(table: string, name: string, options: Parameters<House["context"]>[0] = {}) {
  const context = await house.context(options);
  const page = await house.page(context);
  await page.goto(`/felt/${table}`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Sit down" }).click();
  await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  return { context, page };
}

test("a refused bet shows why, with its section, and what would do", async () => {
  const table = await opened(await house.guest());
  const { context, page } = await seated(table, "Ann");
  await page.getByRole("radio", { name: "$5 chip" }).click();
  await press(page, "right/C");
  const refusal = page.getByRole("alert");
  await refusal.getByText("it is made only while a point is on").waitFor();
  expect(await refusal.locator(".cite").first().textContent()).toBe("PA 623a.3(a)(3)");
  // Ten on the six cannot be paid in whole chips: the amounts beside it can, and are offered.
  await page.getByRole("radio", { name: "$100 chip" }).click();
  await press(page, "right/PL6");
  await page.getByRole("alert").getByRole("button", { name: "$96", exact: true }).click();
  await until(async () => (await (await house.guest()).get<Table>(`/tables/${table}`)).seats[0]?.bets.some((bet) => bet.bet === "PL6" && bet.stake === 9600), "96 on the six");
  await context.close();
});

test("Why? is the server's own arithmetic", async () => {
  const table = await opened(await house.guest());
  const { context, page } = await seated(table, "Ann");
  await page.getByRole("radio", { name: "$5 chip" }).click();
  await press(page, "right/P");
  await press(page, "right/F");
  await page.getByRole("button", { name: /^ROLL/ }).click();
  const result = page.locator("[data-result]").first();
  await result.waitFor();
  const [roll, n] = ((await result.getAttribute("data-result")) ?? "").split(".");
  await result.click();
  const card = page.locator("dl.card");
  await card.waitFor();
  const told = await page.evaluate(async (path) => (await fetch(path)).json(), `/tables/${table}/why/${roll}/${n}`);
  const shown = (await card.textContent()) ?? "";
  for (const part of [told.cite, told.rule, told.stays_up, told.cost, ...(told.sum ? [told.sum] : [])]) expect(shown).toContain(part);
  await context.close();
});

test("two browsers at one table see each other's bets and one result", async () => {
  const table = await opened(await house.guest());
  const ann = await seated(table, "Ann");
  const bo = await seated(table, "Bo");
  await ann.page.getByRole("radio", { name: "$5 chip" }).click();
  await press(ann.page, "right/P");
  await bo.page.getByText("Ann: Pass Bet, $5").waitFor({ state: "attached" });
  await bo.page.getByRole("radio", { name: "$25 chip" }).click();
  await press(bo.page, "right/F");
  await ann.page.getByText("Bo: Field Bet, $25").waitFor({ state: "attached" });
  await ann.page.getByRole("button", { name: /^ROLL/ }).click();
  const said = async (page: typeof ann.page) => {
    await page.locator(".call .said").waitFor();
    return page.locator(".call .said").textContent();
  };
  expect(await said(ann.page)).toBe(await said(bo.page));
  await ann.context.close();
  await bo.context.close();
});

test("a connection that is lost in the middle of a throw comes back to the same table", async () => {
  const table = await opened(await house.guest());
  const { context, page } = await seated(table, "Ann");
  await page.getByRole("radio", { name: "$5 chip" }).click();
  await press(page, "right/P");
  // The command is sent, and the connection is gone before its answer is heard.
  await page.getByRole("button", { name: /^ROLL/ }).click({ noWaitAfter: true });
  await context.setOffline(true);
  await new Promise((done) => setTimeout(done, 500));
  await context.setOffline(false);
  await page.locator(".call .said").waitFor();
  const view = await (await house.guest()).get<Table>(`/tables/${table}`);
  expect(view.rolls).toHaveLength(1);
  expect((await page.locator(".call .said").textContent())?.toLowerCase()).toContain(view.rolls[0]?.call.toLowerCase());
  await context.close();
});

test("whoever watches sees everything but rails, and has nothing to bet with", async () => {
  const table = await opened(await house.guest());
  const ann = await seated(table, "Ann");
  const context = await house.context();
  const page = await house.page(context);
  await page.goto(`/felt/${table}`);
  await page.getByText("you are watching").waitFor();
  expect(await page.getByRole("button", { name: /^ROLL/ }).count()).toBe(0);
  expect(await page.locator("svg.felt").first().textContent()).not.toContain("$500");
  // One player can be followed, and still nothing be bet.
  await page.getByLabel("follow").selectOption({ label: "1 Ann" });
  await page.getByText("Ann has no bets.").waitFor();
  expect(await page.getByRole("button", { name: /^ROLL/ }).count()).toBe(0);
  await context.close();
  await ann.context.close();
});

test("bets stay open by the clock, or until everybody is ready", async () => {
  const owner = await house.guest();
  const { table } = await owner.post<Table>("/tables", { name: "Timed", house: { sample: "pa-craps" }, practice: true, window: 300 });
  const ann = await seated(table, "Ann");
  const bo = await seated(table, "Bo");
  const open = ann.page.getByRole("region", { name: "Betting window" });
  await open.getByText(/^Bets stay open for another \d+ (minutes|seconds); .* not ready\.$/).waitFor();
  await ann.page.evaluate(async (of) => void (await fetch(`/tables/${of}/actions`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ say: "pass 15" }) })), table);
  await ann.page.getByRole("button", { name: /^ROLL/ }).click();
  await ann.page.getByRole("alert").getByText("until everybody is ready").waitFor();
  await open.getByRole("button", { name: "Ready" }).click();
  await open.getByText("one player is not ready").waitFor();
  await bo.page.getByRole("region", { name: "Betting window" }).getByRole("button", { name: "Ready" }).click();
  await open.getByText("The dice may be thrown any time now.").waitFor();
  await ann.page.getByRole("button", { name: /^ROLL/ }).click();
  await ann.page.locator(".call .said").waitFor();
  await ann.context.close();
  await bo.context.close();
});

describe("every felt", async () => {
  const samples = ["pa-craps", "pa-mini", "pa-electronic", "pa-hybrid", "md-craps", "md-mini", "nj-craps", "nj-mini", "nj-automated", "co-craps", "co-crapless"];
  test.each(samples)("%s is drawn, and every wager that is open can be placed by its area", async (sample) => {
    const owner = await house.guest();
    const { table } = await owner.post<Table>("/tables", { name: sample, house: { sample }, practice: true });
    const { context, page } = await seated(table, "Ann");
    const { legal } = await page.evaluate(async (path) => (await fetch(path)).json(), `/tables/${table}/legal`);
    const open = (legal as { bet: string; open: boolean; min: number; step: number; locked?: string | null }[]).filter((one) => one.open);
    expect(open.length).toBeGreaterThan(5);
    for (const { bet, min, step, locked } of open) {
      const area = page.locator(`[data-bets~="${bet}"]`).first();
      await area.waitFor({ state: "attached" });
      // The least amount that the table takes, by the area's own menu.
      await area.focus();
      await page.keyboard.press("Shift+F10");
      const menu = page.getByRole("dialog");
      const least = menu.locator(`[data-least="${bet}"]`);
      await least.waitFor();
      await least.click();
      const amount = Math.ceil(min / step) * step;
      const stands = async () => {
        const view = await page.evaluate(async (path) => (await fetch(path)).json() as Promise<Table>, `/tables/${table}`);
        return view.seats.find((seat) => seat.own)?.bets.some((one) => one.bet === bet && one.stake >= amount);
      };
      const yes = page.getByRole("status").getByRole("button", { name: /^Bet / });
      await until(async () => {
        if (await yes.count()) await yes.first().click();
        return stands();
      }, `${bet} at ${sample}`);
      // What the law locks once it is made stays.
      if (locked) continue;
      await page.keyboard.press("u");
      await until(async () => !(await stands()), `${bet} taken back at ${sample}`);
    }
    await context.close();
  });
});
