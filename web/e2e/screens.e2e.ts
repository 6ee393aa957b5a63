/** The other screens: replay, odds, books, lab, profile. None may have a serious accessibility fault. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { House, PROGRAM, until } from "./house";
import { SAMPLE } from "../src/screens/study/sample";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

test("the sample hand is replayed roll by roll, with what it decided and why", async () => {
  const context = await house.context();
  const page = await house.page(context);
  await page.goto("/study");
  await page.getByRole("button", { name: "A sample hand" }).click();
  await page.getByText("roll 1 of 8").waitFor();
  for (let time = 0; time < 5; time += 1) await page.getByRole("button", { name: "Step forward" }).click();
  await page.getByText("roll 3 of 8").waitFor();
  // After the third roll; then before the fourth, with five on the field.
  const felt = page.locator("svg.felt").first();
  for (const amount of ["10+50", "$379", "$230"]) expect(await felt.textContent()).toContain(amount);
  await page.getByRole("button", { name: "Step forward" }).click();
  await page.getByText("roll 4 of 8").waitFor();
  for (const amount of ["10+50", "$374", "$230"]) expect(await felt.textContent()).toContain(amount);
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await page.getByText("hard eight", { exact: false }).first().waitFor();
  const hard = page.locator("[data-result]").filter({ hasText: "8 the Hardway" });
  expect(await hard.textContent()).toContain("+$45");
  await hard.click();
  await page.locator("dl.card").getByText("9 to 1", { exact: false }).first().waitFor();
  // The same dice under another law.
  await page.getByRole("tab", { name: "Other law" }).click();
  await page.getByLabel("Same dice, other law").selectOption("nj-craps");
  await page.getByText("2 of 8 rolls differ").waitFor();
  // New Jersey pays 10 to 1 on a hard eight. Both sides show their section.
  const row = page.getByRole("row").filter({ hasText: "8 the Hardway" });
  for (const told of ["+$45", "PA 623a.5(a)", "+$50", "NJ 1.4(b)"]) expect(await row.textContent()).toContain(told);
  await context.close();
});

test("a position of a game is shared by its felt string", async () => {
  const context = await house.context({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await house.page(context);
  await page.goto("/study");
  await page.getByRole("button", { name: "A sample hand" }).click();
  await page.getByText("roll 1 of 8").waitFor();
  for (let time = 0; time < 6; time += 1) await page.keyboard.press("ArrowRight");
  await page.getByText("roll 4 of 8").waitFor();
  await page.getByRole("button", { name: "Share this position" }).click();
  await page.getByText("Copied.").waitFor();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(address).searchParams.get("felt")).toBe(
    "f2_r4_pt6_s1_1.374.P~10.PO~50.C8~10.C8O~50.PL5~10.H8~5.F~5_3.230.DP~10.DPO~60",
  );
  await page.goto(address);
  await page.getByText("Before roll 4. The point is 6.").waitFor();
  expect(await page.locator("svg.felt").first().textContent()).toContain("$374");
  await context.close();
});

test("with results concealed, a roll shows what it paid only after a guess", async () => {
  const context = await house.context();
  const page = await house.page(context);
  await page.goto("/study");
  await page.getByRole("button", { name: "A sample hand" }).click();
  await page.getByText("roll 1 of 8").waitFor();
  await page.getByRole("button", { name: "Conceal" }).click();
  await page.getByRole("button", { name: "Next decision" }).click();
  await page.getByText("roll 2 of 8").waitFor();
  await page.getByRole("button", { name: "Next of seat 1" }).click();
  await page.getByText("roll 3 of 8").waitFor();
  await page.keyboard.press("ArrowRight");
  expect(await page.locator("[data-result]").count()).toBe(0);
  // Neither the chips nor the felt shows it.
  expect(await page.locator("svg.felt").first().textContent()).toContain("$365");
  await page.getByLabel(/What does seat 1 win or lose/).fill("15");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("It is +$14").waitFor();
  expect(await page.locator("svg.felt").first().textContent()).toContain("$379");
  await context.close();
});

test("a shared position opens as it stood, and a wrong one says in which column", async () => {
  const context = await house.context();
  const page = await house.page(context);
  const felt = "r4_pt6_s1_1.379.P~10.PO~50.C8~10.C8O~50.PL5~10.H8~5_3.230.DP~10.DPO~60";
  const address = (of: string) =>
    `/study?${new URLSearchParams({ felt: of, book: "pa", as_of: "2023-10-01", house: "odds.k=3-4-5;limits.min=5;limits.max=5000;chip=1" })}`;
  await page.goto(address(felt));
  await page.getByText("Before roll 4. The point is 6.").waitFor();
  for (const amount of ["10+50", "$379", "$230"])
    expect(await page.locator("svg.felt").first().textContent()).toContain(amount);
  await page.goto(address(felt.replace("PL5", "QQ")));
  await page.getByRole("alert").getByText("column 41").waitFor();
  await context.close();
});

test("the explorer has every price of `boxperson odds`, to the fraction", async () => {
  const context = await house.context();
  const page = await house.page(context);
  type Line = { book: string; wager: string; pay_table: string; commission: string; edge: string };
  const records = JSON.parse(
    spawnSync(PROGRAM, ["odds", "--format", "json"], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout,
  ) as Line[];
  const keyed = new Map(records.map((one) => [`${one.book}/${one.wager}/${one.pay_table}/${one.commission}`, one]));
  /** Rounds to a thousandth of a percent, halves away from zero. An edge in the player's favor has a plus. */
  const shown = (edge: string) => {
    const [top, bottom] = edge.split("/").map(BigInt) as [bigint, bigint | undefined];
    const size = top < 0n ? -top : top;
    const thousandths = (size * 200_000n + (bottom ?? 1n)) / (2n * (bottom ?? 1n));
    const digits = String(thousandths).padStart(4, "0");
    return `${top < 0n ? "+" : ""}${digits.slice(0, -3)}.${digits.slice(-3)} %`;
  };
  await page.goto("/explorer?rows=every");
  await page.locator("[data-line]").first().waitFor();
  const cells = await page
    .locator("button[data-line]")
    .evaluateAll((all) => all.map((cell) => [cell.getAttribute("data-line") ?? "", cell.textContent ?? ""] as const));
  expect(new Set(cells.map(([key]) => key))).toEqual(new Set(keyed.keys()));
  for (const [key, text] of cells) expect(text.replaceAll("\u00a0", " "), key).toContain(shown(keyed.get(key)!.edge));
  for (const [wager, edge] of [
    ["pass", "7/495"],
    ["place-win-6", "1/66"],
    ["field", "1/18"],
    ["any-seven", "1/6"],
  ] as const) {
    expect(records.find((one) => one.book === "pa" && one.wager === wager)?.edge).toBe(edge);
    await page.locator(`[data-line^="pa/${wager}/"]`).first().click();
    await page.getByText(edge, { exact: false }).first().waitFor();
  }
  await context.close();
});

test("a run of the lab finishes", async () => {
  const context = await house.context();
  const page = await house.page(context);
  await page.goto("/lab?strategy=pass&sessions=200&throws=60");
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await page
    .getByText(/sampled|exact/i)
    .first()
    .waitFor();
  await page.getByRole("link", { name: /csv/i }).first().waitFor({ timeout: 60_000 });
  await context.close();
});

test("malicious names, notes and files are shown as text", async () => {
  const context = await house.context();
  const page = await house.page(context);
  const harm = `<img src=x onerror="document.title='harmed'">`;
  const owner = await house.guest();
  const { table } = await owner.post<{ table: string }>("/tables", {
    name: harm.replaceAll('"', "'"),
    house: { book: "pa" },
    practice: true,
    chat: true,
  });
  // Players' names are restricted; chat messages can be anything.
  await expect(owner.post(`/tables/${table}/seats`, { name: "<b>A</b>", buy_in: 50000 })).rejects.toThrow(
    "name: expected",
  );
  await owner.post(`/tables/${table}/seats`, { name: "A", buy_in: 50000 });
  await page.goto("/");
  await page.getByText("<img src=x").first().waitFor();
  await page.goto(`/felt/${table}`);
  await page.getByText("you are watching").waitFor();
  await page.getByRole("tab", { name: "Chat" }).click();
  await owner.post(`/tables/${table}/say`, { words: harm });
  await page.getByText(harm).first().waitFor();
  await page.goto("/study");
  await page.getByLabel("Or its text").fill(SAMPLE.replace("place 5 is off", harm).replace("Ann", "<b>A</b>"));
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page
    .getByText(/roll 1 of 8|is no|expected/)
    .first()
    .waitFor();
  await page.goto(`/study?book=pa&felt=${encodeURIComponent(harm)}`);
  await page
    .getByText(/felt, column|expected/)
    .first()
    .waitFor();
  await page.goto("/lab");
  await page.locator("textarea").first().fill(harm);
  await page.waitForTimeout(600);
  expect(await page.title()).not.toContain("harmed");
  expect(await page.locator("img").count()).toBe(0);
  await context.close();
});

test("the page's policy holds: nothing inline, nothing from elsewhere", async () => {
  const answer = await fetch(house.base, { headers: { Accept: "text/html" } });
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(await answer.text()).not.toMatch(/<script(?![^>]*src=)/);
});

describe("no screen has a serious fault", () => {
  const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
  const screens = [
    "/",
    "/felt/practice-pa",
    "/felt/practice-co-crapless",
    "/study",
    "/explorer",
    "/library",
    "/library/pa",
    "/lab",
    "/profile",
    "/sign-in",
  ];
  for (const [name, options] of [
    ["wide, night", { colorScheme: "dark" }],
    ["phone, day", { viewport: { width: 390, height: 844 }, colorScheme: "light" }],
  ] as const) {
    test.each(screens)(`%s, ${name}`, async (path) => {
      const context = await house.context({ ...options, bypassCSP: true });
      const page = await house.page(context);
      await page.goto(path);
      await page.locator("main h1, main h2, main svg.felt").first().waitFor();
      await page.waitForTimeout(400);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const run = (
          window as unknown as {
            axe: {
              run: (
                where: Document,
                how: object,
              ) => Promise<{
                violations: {
                  id: string;
                  impact: string;
                  help: string;
                  nodes: { target: string[]; failureSummary: string }[];
                }[];
              }>;
            };
          }
        ).axe.run;
        const { violations } = await run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] });
        return violations
          .filter((one) => one.impact === "serious" || one.impact === "critical")
          .map(
            (one) =>
              `${one.id}: ${one.help}: ${one.nodes
                .slice(0, 3)
                .map((node) => node.target.join(" "))
                .join(" | ")}`,
          );
      });
      expect(found).toEqual([]);
      await context.close();
    });
  }
});

test("nothing is lost at 320 px, nor at twice the size", async () => {
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 720, height: 450 },
  ]) {
    const context = await house.context({ viewport });
    const page = await house.page(context);
    for (const path of ["/", "/felt/practice-pa", "/study", "/explorer", "/library", "/lab", "/profile"]) {
      await page.goto(path);
      await page.locator("main h1, main h2, main svg.felt").first().waitFor();
      await until(
        async () => (await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width,
        `${path} fits ${viewport.width} px`,
        3000,
      );
    }
    await context.close();
  }
});

test("every fact under a paragraph shows its own mark, on a phone too", async () => {
  type Section = { facts: { mark: string }[]; under: { part?: string | null; facts: number[] }[] };
  const { facts, under } = await (await house.guest()).get<Section>("/books/pa/sections/623a.7");
  for (const width of [390, 1280]) {
    const context = await house.context({ viewport: { width, height: 844 } });
    const page = await house.page(context);
    await page.goto("/library/pa/623a.7");
    for (const one of under.filter(({ part, facts }) => part && facts.length > 0)) {
      const box = page.locator(`section[id="${one.part!.replaceAll(" ", "-")}"]`);
      const marks = [...new Set(one.facts.map((at) => facts[at]!.mark))].sort();
      await box.waitFor();
      const summed = await box.locator("summary .badge").allTextContents();
      expect(summed.map((text) => text.split(" ")[0]).sort()).toEqual(marks);
      await box.locator("summary").first().click();
      const shown = await box
        .locator(".facts > li")
        .evaluateAll((all) =>
          all.map((fact) => [...fact.querySelectorAll(".badge")].map((badge) => badge.textContent)),
        );
      expect(shown.every((badges) => badges.length === 1)).toBe(true);
      expect([...new Set(shown.flat())].sort()).toEqual(marks);
      for (const badge of await box.locator(".facts .badge").all()) {
        const at = await badge.boundingBox();
        expect(at!.x + at!.width).toBeLessThanOrEqual(width);
      }
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await context.close();
  }
});
