/** The table for players: refusals with their section, Why?, two browsers, lost connections, and every felt. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { House, press, until, type Client } from "./house";

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

interface Table {
  table: string;
  seats: { seat: number; name: string; own: boolean; bets: { bet: string; stake: number }[] }[];
  rolls: { roll: number; dice: number[]; call: string; results: { n: number; seat: number; bet: string }[] }[];
}

const PA = { book: "pa", as_of: "2023-10-01", keys: { "limits.min": "5", "limits.max": "5000", chip: "1" } };

async function opened(owner: Client, more: Record<string, unknown> = {}): Promise<string> {
  return (await owner.post<Table>("/tables", { name: "Test", house: PA, practice: true, ...more })).table;
}

async function seated(table: string, name: string, options: Parameters<House["context"]>[0] = {}, buyIn = "500") {
  const context = await house.context(options);
  const page = await house.page(context);
  await page.goto(`/felt/${table}`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Buy in").fill(buyIn);
  await page.getByRole("button", { name: "Sit down" }).click();
  await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  return { context, page };
}

test("a refused bet shows the reason, its section, and amounts that work", async () => {
  const table = await opened(await house.guest());
  const { context, page } = await seated(table, "Ann");
  await page.getByRole("radio", { name: "$5 chip" }).click();
  await press(page, "right/C");
  const refusal = page.getByRole("alert");
  await refusal.getByText("You can bet Come only while a point is on").waitFor();
  expect(await refusal.locator(".cite").first().textContent()).toBe("PA 623a.3(a)(3)");
  // $100 on the six can't be paid in whole chips. The nearest amounts that can be paid are offered.
  await page.getByRole("radio", { name: "$100 chip" }).click();
  await press(page, "right/PL6");
  await page.getByRole("alert").getByRole("button", { name: "Bet $96", exact: true }).click();
  await until(
    async () =>
      (await (await house.guest()).get<Table>(`/tables/${table}`)).seats[0]?.bets.some(
        (bet) => bet.bet === "PL6" && bet.stake === 9600,
      ),
    "96 on the six",
  );
  await context.close();
});

test("Why? is the server's own arithmetic", async () => {
  const { table } = await admin.post<Table>("/tables", { name: "Why", house: PA, practice: true, dice: "people" });
  const { context, page } = await seated(table, "Ann");
  await page.getByRole("radio", { name: "$5 chip" }).click();
  await press(page, "right/P");
  await press(page, "right/F");
  await page.getByText("Ann: Field Bet, $5").waitFor({ state: "attached" });
  await stick.post(`/tables/${table}/dice`, { dice: [6, 6] });
  await box.post(`/tables/${table}/dice/confirm`, { dice: [6, 6] });
  const result = page.locator("[data-result]").filter({ hasText: "Field" });
  await result.waitFor();
  expect(await result.textContent()).toContain("+$10");
  const [roll, n] = ((await result.getAttribute("data-result")) ?? "").split(".");
  await result.click();
  const card = page.locator("dl.card");
  await card.waitFor();
  const told = await page.evaluate(async (path) => (await fetch(path)).json(), `/tables/${table}/why/${roll}/${n}`);
  expect(told.sum).toContain("5 x 2/1 = 10");
  const shown = (await card.textContent()) ?? "";
  for (const part of [told.cause, told.cite, told.title, told.rule, told.sum, told.stays_up, told.cost])
    expect(shown).toContain(part);
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

test("a connection that is lost in the middle of a roll comes back to the same table", async () => {
  const table = await opened(await house.guest());
  const { context, page } = await seated(table, "Ann");
  await page.getByRole("radio", { name: "$5 chip" }).click();
  await press(page, "right/P");
  // The command is sent, and the connection breaks before its answer arrives.
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

test("the betting clock counts down", async () => {
  const owner = await house.guest();
  const { table } = await owner.post<Table>("/tables", {
    name: "Clock",
    house: { sample: "pa-craps" },
    practice: true,
    window: 45,
  });
  const { context, page } = await seated(table, "Ann");
  const told = page.getByRole("region", { name: "Betting window" }).getByText(/\d+ seconds/);
  const seconds = async () => Number(/(\d+) seconds/.exec((await told.textContent()) ?? "")?.[1]);
  const before = await seconds();
  expect(before).toBeGreaterThan(20);
  await new Promise((done) => setTimeout(done, 4_000));
  const passed = before - (await seconds());
  expect(passed).toBeGreaterThanOrEqual(3);
  expect(passed).toBeLessThanOrEqual(6);
  await context.close();
});

test("typed words bet and ask", async () => {
  const table = await opened(await house.guest());
  const { context, page } = await seated(table, "Ann");
  const say = async (words: string) => {
    await page.getByLabel("Say", { exact: true }).fill(words);
    await page.keyboard.press("Enter");
  };
  const told = (words: string) => page.locator(".notice").getByText(words).waitFor();
  await say("pass 10; field 5");
  await page.getByText("Ann: Field Bet, $5").waitFor({ state: "attached" });
  await say("? mine");
  await told("Your bets: Pass Bet $10, Field Bet $5.");
  await say("what if seven");
  await told("+5");
  expect(await page.locator(".notice").textContent()).not.toContain(";");
  await say("? legal");
  await told("Open: ");
  await say("roll");
  await page.locator(".call .said").waitFor();
  await say("why");
  await page.locator("dl.card").waitFor();
  await context.close();
});

test("a watcher sees everything except players' chip totals, and can't bet", async () => {
  const table = await opened(await house.guest());
  const ann = await seated(table, "Ann");
  const context = await house.context();
  const page = await house.page(context);
  await page.goto(`/felt/${table}`);
  await page.getByText("you are watching").waitFor();
  expect(await page.getByRole("button", { name: /^ROLL/ }).count()).toBe(0);
  expect(await page.locator("svg.felt").first().textContent()).not.toContain("$500");
  // A watcher can follow a player, but still can't bet.
  await page.getByLabel("follow").selectOption({ label: "1 Ann" });
  await page.getByText("Ann has no bets.").waitFor();
  expect(await page.getByRole("button", { name: /^ROLL/ }).count()).toBe(0);
  await context.close();
  await ann.context.close();
});

test("bets stay open by the clock, or until everybody is ready", async () => {
  const owner = await house.guest();
  const { table } = await owner.post<Table>("/tables", {
    name: "Timed",
    house: { sample: "pa-craps" },
    practice: true,
    window: 300,
  });
  const ann = await seated(table, "Ann");
  const bo = await seated(table, "Bo");
  const open = ann.page.getByRole("region", { name: "Betting window" });
  await open.getByText(/^Bets stay open for another \d+ (minutes|seconds); .* not ready\.$/).waitFor();
  await ann.page.evaluate(
    async (of) =>
      void (await fetch(`/tables/${of}/actions`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ say: "pass 15" }),
      })),
    table,
  );
  await ann.page.getByRole("button", { name: /^ROLL/ }).click();
  await ann.page.getByRole("alert").getByText("until everybody is ready").waitFor();
  await open.getByRole("button", { name: "Ready" }).click();
  await open.getByText("one player is not ready").waitFor();
  await bo.page.getByRole("region", { name: "Betting window" }).getByRole("button", { name: "Ready" }).click();
  await open.getByText("The dice can be rolled any time now.").waitFor();
  await ann.page.getByRole("button", { name: /^ROLL/ }).click();
  await ann.page.locator(".call .said").waitFor();
  await ann.context.close();
  await bo.context.close();
});

describe("every felt", async () => {
  const samples = [
    "pa-craps",
    "pa-mini",
    "pa-electronic",
    "pa-hybrid",
    "md-craps",
    "md-mini",
    "nj-craps",
    "nj-mini",
    "nj-automated",
    "co-craps",
    "co-crapless",
  ];
  test.each(samples)("%s is drawn, and every wager that it offers is placed by its area", async (sample) => {
    const { table } = await admin.post<Table>("/tables", {
      name: sample,
      house: { sample },
      practice: true,
      dice: "people",
    });
    const { context, page } = await seated(table, "Ann", {}, "20000");
    const at = <T>(path: string) =>
      page.evaluate(async (of) => (await fetch(of)).json() as Promise<T>, `/tables/${table}${path}`);
    type Legal = { bet: string; open: boolean; min: number; step: number };
    const stake = async (bet: string) =>
      (await at<Table>("")).seats.find((seat) => seat.own)?.bets.find((one) => one.bet === bet)?.stake ?? 0;
    const placed = new Set<string>();

    /** Makes every open bet that hasn't been made yet, with the menu of its area. One bet can open another. */
    const place = async () => {
      for (;;) {
        const open = (await at<{ legal: Legal[] }>("/legal")).legal.find((one) => one.open && !placed.has(one.bet));
        if (!open) return;
        const before = await stake(open.bet);
        await page.locator(`[data-bets~="${open.bet}"]`).first().focus();
        await page.keyboard.press("Shift+F10");
        await page.getByRole("dialog").locator(`[data-least="${open.bet}"]`).click();
        const sure = page.getByRole("status").getByRole("button", { name: /^Bet / });
        await until(async () => {
          if (await sure.count()) await sure.first().click();
          return (await stake(open.bet)) > before;
        }, `${open.bet} at ${sample}`);
        placed.add(open.bet);
      }
    };
    /** Rolls a total, first betting come and don't come (if open) so that they move to it. */
    const thrown = async (total: number) => {
      for (const bet of ["P", "DP", "C", "DC"]) {
        const terms = (await at<{ legal: Legal[] }>("/legal")).legal.find((one) => one.bet === bet && one.open);
        if (terms && (await stake(bet)) === 0)
          await page.evaluate(
            async ([of, body]) =>
              void (await fetch(of, { method: "POST", headers: { "Content-Type": "application/json" }, body })),
            [
              `/tables/${table}/actions`,
              JSON.stringify({ bets: [{ bet, amount: Math.ceil(terms.min / terms.step) * terms.step }] }),
            ] as const,
          );
      }
      const rolls = (await at<Table>("")).rolls.length;
      const dice = [Math.floor(total / 2), Math.ceil(total / 2)];
      await stick.post(`/tables/${table}/dice`, { dice });
      await box.post(`/tables/${table}/dice/confirm`, { dice });
      await page
        .getByText(`roll ${rolls + 1} ·`)
        .first()
        .waitFor();
    };

    await place();
    const { legal } = await at<{ legal: Legal[] }>("/legal");
    const numbers = [...new Set(legal.flatMap((one) => /^C(\d+)$/.exec(one.bet)?.[1] ?? []))].map(Number);
    // The first of them is the point, and it is rolled again at the end.
    for (const total of [...numbers, numbers[0]!]) {
      await thrown(total);
      await place();
    }
    // Bets that can only move to their number can't be made there.
    const left = legal.map((one) => one.bet).filter((bet) => !placed.has(bet) && !/^D?C\d+$/.test(bet));
    expect(left).toEqual([]);
    expect(placed.size).toBeGreaterThan(60);
    await context.close();
  });
});
