/** Takes pictures of every screen in three widths and both themes, and of unusual states. They are saved in `web/pictures`. */
import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, test } from "vitest";
import type { Page } from "playwright-core";
import { House, press, until, type Client } from "./house";

const OUT = new URL("../pictures/", import.meta.url).pathname;
const WIDTHS = {
  wide: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
} as const;
const THEMES = ["light", "dark"] as const;

let house: House;
let stick: Client;
let box: Client;
let admin: Client;
beforeAll(async () => {
  mkdirSync(OUT, { recursive: true });
  house = await House.open();
  stick = house.staff("Stick", "stickperson");
  box = house.staff("Box", "boxperson");
  admin = house.staff("Admin", "admin", ["watch", "admin"]);
});
afterAll(() => house.close());

const HOUSE = {
  book: "pa",
  as_of: "2023-10-01",
  keys: {
    "limits.min": "5",
    "limits.max": "5000",
    chip: "1",
    "odds.k": "3-4-5",
    offer: "all",
    "power_odds.offered": "no",
  },
};

/** Opens a table with the sample hand after its third roll and some other players. */
async function inTheMiddle(page: Page, name = "Practice 7"): Promise<string> {
  const dee = await house.guest();
  const { table } = await admin.post<{ table: string }>("/tables", {
    name,
    house: HOUSE,
    practice: true,
    dice: "people",
    chat: true,
  });
  await page.goto(`/felt/${table}`);
  await page.getByLabel("Name").fill("Ann");
  await page.getByLabel("Seat").selectOption("1");
  await page.getByRole("button", { name: "Sit down" }).click();
  await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  const [bo, gus, ida] = [await house.guest(), await house.guest(), await house.guest()];
  await bo.post(`/tables/${table}/seats`, { name: "Bo", seat: 3, buy_in: 30000 });
  await dee.post(`/tables/${table}/seats`, { name: "Dee", seat: 6, buy_in: 60000 });
  await gus.post(`/tables/${table}/seats`, { name: "Gus", seat: 11, buy_in: 70000 });
  await ida.post(`/tables/${table}/seats`, { name: "Ida", seat: 14, buy_in: 25000 });
  const own = (say: string) =>
    page.evaluate(
      async ([of, words]) =>
        void (await fetch(`/tables/${of}/actions`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ say: words }),
        })),
      [table, say] as const,
    );
  const say = (who: Client, words: string) =>
    who.post(`/tables/${table}/actions`, { say: words }).catch((error: unknown) => console.log(String(error)));
  const thrown = async (dice: [number, number]) => {
    await stick.post(`/tables/${table}/dice`, { dice });
    await box.post(`/tables/${table}/dice/confirm`, { dice });
  };
  await own("pass 10");
  await say(bo, "don't pass 10");
  await say(dee, "pass 25; fire 5");
  await say(gus, "don't pass 25; hot roller 5");
  await say(ida, "make 'em all 5");
  await thrown([4, 2]);
  await own("odds 50");
  await own("come 10");
  await say(bo, "lay odds 60");
  await say(dee, "odds 100");
  await say(gus, "buy the four for 50");
  await thrown([5, 3]);
  await own("come odds 50");
  await own("10 on the five; hard eight 5");
  await say(dee, "25 on the ten");
  await say(ida, "15 on the five; 10 field");
  await thrown([3, 2]);
  await until(
    async () =>
      (await page.getByText("Five, no field", { exact: false }).count()) > 0 ||
      (await page.locator(".last .words").count()) > 0,
    "the third roll",
  );
  await page.waitForTimeout(500);
  return table;
}

async function each(name: string, draw: (page: Page) => Promise<void>, full = false): Promise<void> {
  for (const [width, viewport] of Object.entries(WIDTHS)) {
    for (const theme of THEMES) {
      const context = await house.context({ viewport, colorScheme: theme, hasTouch: width !== "wide" });
      const page = await context.newPage();
      await draw(page);
      await page.waitForTimeout(500);
      await page.screenshot({ path: `${OUT}${name}-${width}-${theme}.png`, fullPage: full });
      await context.close();
    }
  }
}

async function once(
  name: string,
  viewport: { width: number; height: number },
  draw: (page: Page) => Promise<void>,
  theme: "light" | "dark" = "dark",
): Promise<void> {
  const context = await house.context({ viewport, colorScheme: theme, hasTouch: viewport.width < 800 });
  const page = await context.newPage();
  await draw(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${OUT}${name}.png` });
  await context.close();
}

test("felt", () =>
  each("felt", async (page) => {
    await inTheMiddle(page);
    const result = page.locator("[data-result]").first();
    if (await result.isVisible()) await result.click();
  }));

for (const [name, path] of [
  ["lobby", "/"],
  ["explorer", "/explorer?at=pa/place-win-6"],
  ["library", "/library/pa"],
  ["section", "/library/pa/623a.5"],
  ["lab", "/lab?strategy=molly"],
  ["profile", "/profile"],
  ["sign-in", "/sign-in"],
] as const) {
  test(name, () => each(name, async (page) => void (await page.goto(path))));
}

test("study", () =>
  each("study", async (page) => {
    await page.goto("/study");
    await page.getByRole("button", { name: "A sample hand" }).click();
    await page.getByText("roll 1 of 8").waitFor();
    for (let time = 0; time < 7; time += 1) await page.getByRole("button", { name: "Step forward" }).click();
  }));

/** Opens the sample hand at its fourth roll. */
async function fourth(page: Page): Promise<void> {
  await page.goto("/study");
  await page.getByRole("button", { name: "A sample hand" }).click();
  await page.getByText("roll 1 of 8").waitFor();
  for (let time = 0; time < 6; time += 1) await page.getByRole("button", { name: "Step forward" }).click();
}

test("states of a replay", async () => {
  await once(
    "study-other-law",
    WIDTHS.wide,
    async (page) => {
      await fourth(page);
      await page.getByRole("button", { name: "Roll", exact: true }).click();
      await page.getByRole("tab", { name: "Other law" }).click();
      await page.getByLabel("Same dice, other law").selectOption("nj-craps");
      await page.getByText("2 of 8 rolls differ").waitFor();
    },
    "light",
  );
  await once("study-concealed", WIDTHS.wide, async (page) => {
    await fourth(page);
    await page.getByRole("button", { name: "Conceal" }).click();
    await page.getByRole("button", { name: "Roll", exact: true }).click();
  });
  await once(
    "study-guessed-phone",
    WIDTHS.phone,
    async (page) => {
      await fourth(page);
      await page.getByRole("button", { name: "Conceal" }).click();
      await page.getByRole("button", { name: "Roll", exact: true }).click();
      await page.getByLabel(/What does seat 1 win or lose/).fill("100");
      await page.getByRole("button", { name: "Check" }).click();
    },
    "light",
  );
  await once("study-notes", WIDTHS.wide, async (page) => {
    await fourth(page);
    await page.getByRole("tab", { name: "Notes" }).click();
    await page.getByRole("button", { name: "the sum" }).click();
    await page.getByLabel("Note on roll 4").fill("50 at 6 to 5 is 60; the flat bet is paid even.");
  });
  await once(
    "study-text",
    WIDTHS.wide,
    async (page) => {
      await fourth(page);
      await page.getByRole("button", { name: "Text", exact: true }).click();
    },
    "light",
  );
});

test("position", () =>
  each("position", async (page) => {
    const felt = "r4_pt6_s1_1.379.P~10.PO~50.C8~10.C8O~50.PL5~10.H8~5_3.230.DP~10.DPO~60";
    await page.goto(
      `/study?${new URLSearchParams({ felt, book: "pa", as_of: "2023-10-01", house: "odds.k=3-4-5;limits.min=5;limits.max=5000;chip=1" })}`,
    );
    await page.getByText("Before roll 4.").waitFor();
  }));

test("watching, and a table with a clock", async () => {
  const [ann, bo] = [await house.guest(), await house.guest()];
  const { table } = await ann.post<{ table: string }>("/tables", {
    name: "By the clock",
    house: HOUSE,
    practice: true,
    window: 300,
  });
  await ann.post(`/tables/${table}/seats`, { name: "Ann", seat: 1, buy_in: 50000 });
  await bo.post(`/tables/${table}/seats`, { name: "Bo", seat: 14, buy_in: 30000 });
  await ann.post(`/tables/${table}/actions`, { say: "pass 10" });
  await bo.post(`/tables/${table}/actions`, { say: "pass 25; field 10" });
  const watch = async (page: Page) => {
    await page.goto(`/felt/${table}`);
    await page.getByLabel("follow").selectOption({ label: "14 Bo" });
  };
  await once("watching", WIDTHS.wide, watch);
  await once("watching-phone", WIDTHS.phone, watch, "light");
  await once(
    "clock",
    WIDTHS.wide,
    async (page) => {
      await page.goto(`/felt/${table}`);
      await page.getByRole("button", { name: "Sit down" }).click();
      await page.getByRole("region", { name: "Betting window" }).getByRole("button", { name: "Ready" }).waitFor();
    },
    "light",
  );
});

test("lab that has run", () =>
  each("lab-run", async (page) => {
    await page.goto("/lab?strategy=pass&sessions=500&throws=60");
    await page.getByRole("button", { name: /^Run/ }).first().click();
    await page.getByRole("link", { name: /csv/i }).first().waitFor({ timeout: 60_000 });
  }));

test("states that are easily forgotten", async () => {
  const wide = WIDTHS.wide;
  const sit = async (page: Page, sample: string) => {
    const owner = await house.guest();
    const { table } = await owner.post<{ table: string }>("/tables", {
      name: sample,
      house: { sample },
      practice: true,
    });
    await page.goto(`/felt/${table}`);
    await page.getByRole("button", { name: "Sit down" }).click();
    await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
  };
  for (const sample of ["pa-mini", "pa-electronic", "md-craps", "nj-craps", "nj-automated", "co-craps", "co-crapless"])
    await once(`house-${sample}`, wide, (page) => sit(page, sample));
  await once("come-out", wide, (page) => sit(page, "pa-craps"));
  await once("refusal", wide, async (page) => {
    await sit(page, "pa-craps");
    await press(page, "right/C");
    await page.getByRole("alert").waitFor();
  });
  await once("raised", wide, async (page) => {
    await sit(page, "pa-craps");
    await page.getByRole("radio", { name: "$25 chip" }).click();
    await press(page, "right/P");
    await page.getByRole("button", { name: /^ROLL/ }).click();
    await page.locator(".raised").first().waitFor();
  });
  await once("hover", wide, async (page) => {
    await inTheMiddle(page);
    await page.getByRole("radio", { name: "$25 chip" }).click();
    await page.locator('[data-area="right/PL9"]').hover();
  });
  await once("menu", wide, async (page) => {
    await inTheMiddle(page);
    await press(page, "centre/HP");
    await page.getByRole("dialog").waitFor();
  });
  await once(
    "text",
    wide,
    async (page) => {
      await inTheMiddle(page);
      await page.getByRole("button", { name: "Text", exact: true }).click();
    },
    "light",
  );
  await once("fair", wide, async (page) => {
    await page.goto("/felt/practice-pa");
    await page.getByRole("button", { name: /Fair dice/ }).click();
  });
  await once("narrowest", { width: 320, height: 640 }, async (page) => void (await inTheMiddle(page)), "light");
  await once("phone-results", WIDTHS.phone, async (page) => {
    await inTheMiddle(page);
    await page.getByRole("button", { name: "Results" }).click();
  });
  await once("twice-the-size", { width: 720, height: 450 }, async (page) => void (await inTheMiddle(page)));
  const moving = await house.context({ viewport: wide, colorScheme: "dark", reducedMotion: "no-preference" });
  const page = await moving.newPage();
  await sit(page, "pa-craps");
  await page.getByRole("radio", { name: "$25 chip" }).click();
  await press(page, "right/P");
  await page.waitForTimeout(300);
  await page.getByRole("button", { name: /^ROLL/ }).click();
  await page.waitForTimeout(220);
  await page.screenshot({ path: `${OUT}dice-in-flight.png` });
  await moving.close();
});

/** A real hand: rolls until a number pays while a point is on. */
test("for the README", async () => {
  await once(
    "readme",
    WIDTHS.wide,
    async (page) => {
      for (let time = 0; time < 20; time += 1) {
        const owner = await house.guest();
        const { table } = await owner.post<{ table: string }>("/tables", {
          name: "Practice 7",
          house: HOUSE,
          practice: true,
        });
        await page.goto(`/felt/${table}`);
        await page.getByLabel("Name").fill("Ann");
        await page.getByLabel("Seat").selectOption("1");
        await page.getByRole("button", { name: "Sit down" }).click();
        await page.getByRole("radiogroup", { name: "Chip in hand" }).waitFor();
        const say = (words: string) =>
          page.evaluate(
            async ([of, said]) =>
              (
                await fetch(`/tables/${of}/actions`, {
                  method: "POST",
                  headers: { "Content-Type": "application/json" },
                  body: JSON.stringify({ say: said }),
                })
              ).ok,
            [table, words] as const,
          );
        // The first player to bet has the dice.
        await say("pass 10");
        for (const [name, seat] of [
          ["Bo", 3],
          ["Dee", 6],
          ["Gus", 11],
          ["Ida", 14],
        ] as const) {
          const guest = await house.guest();
          await guest.post(`/tables/${table}/seats`, { name, seat, buy_in: 50000 });
          await guest.post(`/tables/${table}/actions`, {
            say: {
              Bo: "don't pass 10",
              Dee: "pass 25; fire 5",
              Gus: "don't pass 25; hot roller 5",
              Ida: "make 'em all 5; 15 on the five",
            }[name],
          });
        }
        const point = async () => (await owner.get<{ point: number | null }>(`/tables/${table}`)).point;
        const roll = async () => {
          const before = (await owner.get<{ rolls: unknown[] }>(`/tables/${table}`)).rolls.length;
          await page.getByRole("button", { name: /^ROLL/ }).click();
          await page
            .getByText(`roll ${before + 1} ·`)
            .first()
            .waitFor();
          await page.waitForTimeout(300);
        };
        await roll();
        if (!(await point())) continue;
        await say("odds 50");
        await say("come 10");
        await say("12 on the six");
        await say("12 on the eight; 10 on the five; hard eight 5");
        await roll();
        if (!(await point())) continue;
        await say("come odds 50");
        await roll();
        if (
          !(await point()) ||
          (await page
            .locator("[data-result]")
            .filter({ hasText: /Place Bet . to Win.*won/ })
            .count()) === 0
        )
          continue;
        await page.getByRole("radio", { name: "$25 chip" }).click();
        await page.locator("[data-result]").filter({ hasText: "won" }).first().click();
        await page.locator("dl.card").first().waitFor();
        await page.locator('[data-area="right/F"]').hover();
        return;
      }
      throw new Error("no such hand in twenty");
    },
    "light",
  );
});

test("second factor", async () => {
  const signedIn = async (page: Page) => {
    await page.goto("/sign-in?to=/profile");
    await page.getByLabel("Name").fill("Admin");
    await page.getByLabel("Password").fill("a long enough pass phrase");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Set up a second factor" }).click();
    await page.getByRole("region", { name: "Second factor" }).getByRole("img").scrollIntoViewIfNeeded();
  };
  await once("second-factor", WIDTHS.wide, signedIn);
  await once("second-factor-phone", WIDTHS.phone, signedIn, "light");
});
