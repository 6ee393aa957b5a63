/** The second factor in the page: setting one up, signing in with it, recovery codes, and removing it. */
import { createHmac } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { House, until } from "./house";

const PASSWORD = "a long enough pass phrase";

let house: House;
beforeAll(async () => {
  house = await House.open(["--second-factor", "staff"]);
});
afterAll(() => house.close());

/** The codes of an authenticator app, each of them once. */
class Device {
  private last = 0;
  constructor(private readonly secret: string) {}

  async next(): Promise<string> {
    return until(
      async () => {
        const now = Date.now() / 1000;
        const step = Math.max(Math.floor((now + 5) / 30) - 1, this.last + 1);
        if (step > Math.floor(now / 30) + 1) return null;
        this.last = step;
        return this.code(step);
      },
      "the next code",
      60_000,
    );
  }

  private code(step: number): string {
    const bits = [...this.secret].map((c) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0"),
    );
    const key = Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const digest = createHmac("sha1", key).update(counter).digest();
    const at = digest.at(-1)! & 15;
    return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
  }
}

async function signIn(page: Page, to: string): Promise<void> {
  await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
  await page.getByLabel("Name").fill("Dee");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page
    .getByRole("region", { name: "Who you are" })
    .getByRole("button", { name: "Sign out", exact: true })
    .click();
  await page.getByText("Not signed in").waitFor();
}

test("a dealer sets up a second factor, signs in with it, and removes it", async () => {
  house.staff("Dee", "dealer");
  const context = await house.context();
  const page = await house.page(context);
  await signIn(page, "/profile");
  const panel = page.getByRole("region", { name: "Second factor" });
  await panel.getByText("This server wants a second factor for your role (dealer)").waitFor();
  await panel.getByRole("button", { name: "Set up a second factor" }).click();
  const picture = panel.getByRole("img");
  await picture.waitFor();
  expect(await picture.evaluate((drawn: HTMLImageElement) => drawn.complete && drawn.naturalWidth > 100)).toBe(true);
  const secret = (await panel.locator("code").textContent())!.replaceAll(" ", "");
  expect(await panel.getByRole("link").getAttribute("href")).toContain(`secret=${secret}`);
  const device = new Device(secret);
  await panel.getByLabel("Code that the app shows now").fill("000000");
  await panel.getByRole("button", { name: "Turn on" }).click();
  await panel.getByRole("alert").getByText("That code is wrong").waitFor();
  await panel.getByLabel("Code that the app shows now").fill(await device.next());
  await panel.getByRole("button", { name: "Turn on" }).click();
  await panel.getByText("Recovery codes.").waitFor();
  const recovery = await panel.locator(".codes code").allTextContents();
  expect(new Set(recovery).size).toBe(10);
  await panel.getByRole("button", { name: "I have kept them" }).click();
  expect(await panel.textContent()).not.toContain(recovery[0]);
  await panel.getByText("10 recovery codes are left.").waitFor();
  await page.getByText("Role: dealer.").waitFor();

  // From now on, a password isn't enough.
  await signOut(page);
  await signIn(page, "/profile");
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("That code is wrong").waitFor();
  await page.getByLabel("Code").fill(await device.next());
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Role: dealer.").waitFor();

  // A recovery code does, once.
  await signOut(page);
  await signIn(page, "/profile");
  await page.getByLabel("Code").fill(recovery[0]!);
  await page.getByRole("button", { name: "Sign in" }).click();
  await panel.getByText("9 recovery codes are left.").waitFor();
  await panel.getByRole("button", { name: "Remove the second factor" }).click();
  await panel.getByText("your password alone is enough").waitFor();
  await panel.getByRole("button", { name: "Remove it" }).click();
  await panel.getByRole("button", { name: "Set up a second factor" }).waitFor();
  await page.getByText("Waiting for a second factor: dealer.").waitFor();
  await context.close();
});
