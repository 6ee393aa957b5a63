/** Measurements. Times are only printed, because they depend on the machine. What doesn't depend on it, such as the page size, is asserted. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House } from "./house";

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

const tell = (name: string, value: string) => console.log(`figure: ${name}: ${value}`);

test("the first load is small", async () => {
  const context = await house.context();
  const page = await house.page(context);
  const sizes = new Map<string, number>();
  page.on("response", async (response) => {
    const url = new URL(response.url());
    if (!url.pathname.startsWith("/assets/") && url.pathname !== "/felt/practice-pa") return;
    const body = await response.body().catch(() => Buffer.alloc(0));
    sizes.set(url.pathname, url.pathname.endsWith(".woff2") ? body.length : gzipSync(body).length);
  });
  const start = performance.now();
  await page.goto("/felt/practice-pa");
  await page.locator("svg.felt [data-area]").first().waitFor();
  tell("felt interactive", `${Math.round(performance.now() - start)} ms`);
  await page.waitForLoadState("networkidle");
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  tell("first load of the felt, gzip", `${(all / 1000).toFixed(1)} kB in ${sizes.size} files`);
  expect(all).toBeLessThan(150_000);
  await context.close();
});

test("a chip is there right after a click", async () => {
  const context = await house.context();
  const page = await house.page(context);
  const owner = await house.guest();
  const { table } = await owner.post<{ table: string }>("/tables", {
    name: "Quick",
    house: { book: "pa" },
    practice: true,
  });
  await page.goto(`/felt/${table}`);
  await page.getByRole("button", { name: "Sit down" }).click();
  await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  const times: number[] = [];
  for (let time = 0; time < 15; time += 1) {
    // One click at a time, like a person.
    await page.waitForTimeout(200);
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>((done) => {
            const area = document.querySelector('[data-area="right/P"]');
            const felt = document.querySelector("svg.felt");
            const before = felt?.textContent;
            const start = performance.now();
            const watch = new MutationObserver(() => {
              if (felt?.textContent === before) return;
              watch.disconnect();
              requestAnimationFrame(() => done(performance.now() - start));
            });
            if (felt) watch.observe(felt, { subtree: true, childList: true, characterData: true });
            area?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
          }),
      ),
    );
  }
  times.sort((a, b) => a - b);
  tell("click to chip, stored and drawn", `median ${times[7]?.toFixed(1)} ms, slowest ${times[14]?.toFixed(1)} ms`);
  expect(times).toHaveLength(15);
  await context.close();
});

test("a crowded felt", async () => {
  const owner = await house.guest();
  const { table } = await owner.post<{ table: string }>("/tables", {
    name: "Full",
    house: { sample: "pa-craps" },
    practice: true,
  });
  type Legal = { bet: string; open: boolean; min: number; step: number };
  for (let seat = 1; seat <= 16; seat += 1) {
    const player = await house.guest();
    await player.post(`/tables/${table}/seats`, { name: `P${seat}`, buy_in: 5_000_000, seat });
    const { legal } = await player.get<{ legal: Legal[] }>(`/tables/${table}/legal`);
    const open = legal.filter((one) => one.open).slice(0, 40);
    for (const { bet, min, step } of open)
      await player
        .post(`/tables/${table}/actions`, { bets: [{ bet, amount: Math.ceil(min / step) * step }] })
        .catch(() => undefined);
  }
  const context = await house.context();
  const page = await house.page(context);
  await page.goto(`/felt/${table}`);
  await page.locator("svg.felt").first().waitFor();
  const bets = await page.locator("svg.felt .stack").count();
  const frames = await page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const areas = [...document.querySelectorAll<SVGElement>("svg.felt .area")];
        const times: number[] = [];
        let last = performance.now();
        const step = () => {
          const now = performance.now();
          times.push(now - last);
          last = now;
          areas[times.length % Math.max(areas.length, 1)]?.dispatchEvent(
            new PointerEvent("pointerenter", { pointerType: "mouse" }),
          );
          if (times.length < 120) requestAnimationFrame(step);
          else done(times.slice(5).sort((a, b) => a - b));
        };
        requestAnimationFrame(step);
      }),
  );
  tell(
    `frame with 16 seats and ${bets} bets`,
    `median ${frames[57]?.toFixed(1)} ms, 95 of 100 within ${frames[109]?.toFixed(1)} ms`,
  );
  expect(bets).toBeGreaterThan(300);
  await context.close();
});

test("ten thousand rolls scrub", async () => {
  const rolls: string[] = [];
  // The same short hand repeated: a point, and the point made.
  for (let roll = 1; roll <= 10_000; roll += 2)
    rolls.push(`${roll}. ${roll === 1 ? "1:P+5 " : "1:P+5 "}| 4-2^ |`, `${roll + 1}. | 3-3* |`);
  const text = `[CGN "1"]\n[Rules "pa as-of 2023-10-01"]\n[House "limits.min=5; limits.max=5000; chip=1"]\n[Seats "1 Ann 500000"]\n# shooter 1\n${rolls.join("\n")}\n`;
  const context = await house.context();
  const page = await house.page(context);
  await page.goto("/study");
  const start = performance.now();
  // As a file, because a browser is slow to lay out that many lines in a text field.
  await page
    .getByLabel("A file")
    .setInputFiles({ name: "long.cgn", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByText("roll 1 of 10000").waitFor({ timeout: 60_000 });
  tell("10,000 rolls opened", `${Math.round(performance.now() - start)} ms`);
  const stall = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const input = document.querySelector<HTMLInputElement>('input[type="range"]');
        let [worst, last, at] = [0, performance.now(), 0];
        const step = () => {
          const now = performance.now();
          worst = Math.max(worst, now - last);
          last = now;
          at += 83;
          if (input) {
            input.value = String(at);
            input.dispatchEvent(new Event("input", { bubbles: true }));
          }
          if (at < 9900) requestAnimationFrame(step);
          else done(worst);
        };
        requestAnimationFrame(step);
      }),
  );
  tell("worst frame while scrubbing them", `${stall.toFixed(1)} ms`);
  await page.getByText(/roll (9[89]\d\d|10000) of 10000/).waitFor();
  await context.close();
});
