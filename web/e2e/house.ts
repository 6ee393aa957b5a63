/** Helpers for the tests: a server for each test file, clients, and a browser. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";

export const PROGRAM = process.env.BOXPERSON ?? new URL("../../target/debug/boxperson", import.meta.url).pathname;
const DIST = new URL("../dist", import.meta.url).pathname;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  ...(process.env.FRESH ? ["--disable-features=LocalNetworkAccessChecks"] : []),
];

export type Body = Record<string, unknown>;

/** A client that talks to the server without a page. */
export class Client {
  constructor(
    readonly base: string,
    private readonly headers: Record<string, string>,
  ) {}

  async ask<T = Body>(method: string, path: string, body?: Body): Promise<T> {
    const answer = await fetch(this.base + path, {
      method,
      headers: { ...this.headers, ...(body ? { "Content-Type": "application/json" } : {}) },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text) as T;
  }

  get = <T = Body>(path: string) => this.ask<T>("GET", path);
  post = <T = Body>(path: string, body: Body = {}) => this.ask<T>("POST", path, body);
}

/** Starts a server with a database and more options. Returns it with its actual address. */
async function serve(address: string, folder: string, more: string[]): Promise<{ server: ChildProcess; base: string }> {
  // All browsers of the tests have one address.
  const perAddress = ["--connections", "5000", "--seats", "5000", "--tables", "5000"];
  const limits = ["--rate", "1000", "--burst", "5000", "--guests", "1000", ...perAddress];
  const server = spawn(PROGRAM, ["serve", "--addr", address, "--db", join(folder, "tables.db"), ...limits, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const base = await new Promise<string>((found, failed) => {
    let told = "";
    const late = setTimeout(() => failed(new Error(`no address within a minute: ${told}`)), 60_000);
    server.stdout.on("data", (chunk: Buffer) => {
      told += chunk.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(told)?.[0];
      if (address) {
        clearTimeout(late);
        found(address);
      }
    });
    server.on("exit", (code) => failed(new Error(`the server ended with ${code}: ${told}`)));
  });
  return { server, base };
}

export class House {
  private constructor(
    readonly base: string,
    private server: ChildProcess,
    private readonly folder: string,
    readonly browser: Browser,
    private readonly more: string[],
  ) {}

  /** Opens a house. `more` are further options of `boxperson serve`. */
  static async open(more: string[] = []): Promise<House> {
    const folder = mkdtempSync(join(tmpdir(), "boxperson-web-"));
    const { server, base } = await serve("127.0.0.1:0", folder, more);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
    return new House(base, server, folder, browser, more);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Stops the server. Its database stays. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const over = new Promise((done) => this.server.on("exit", done));
    this.server.kill(signal);
    await over;
  }

  /** Starts the server again with the same database and port. */
  async start(): Promise<void> {
    this.server = (await serve(new URL(this.base).host, this.folder, this.more)).server;
  }

  /** The server process, for tests that kill it. */
  get process(): ChildProcess {
    return this.server;
  }

  async guest(): Promise<Client> {
    const answer = await fetch(`${this.base}/guests`, { method: "POST" });
    return new Client(this.base, { Cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" });
  }

  /** A client for a staff member, with a token. */
  staff(name: string, role: string, scopes = ["watch", "deal"]): Client {
    const run = (words: string[], input = "") =>
      spawnSync(PROGRAM, ["admin", ...words, "--db", join(this.folder, "tables.db")], { input, encoding: "utf8" });
    run(["add-account", name, "--role", role], "a long enough pass phrase\n");
    const token = run(["add-token", name, "--label", "test", ...scopes.flatMap((scope) => ["--scope", scope])]).stdout;
    const found = /[0-9a-f]{64}/.exec(token)?.[0];
    if (!found) throw new Error(`no token for ${name}: ${token}`);
    return new Client(this.base, { Authorization: `Bearer ${found}` });
  }

  async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
      baseURL: this.base,
      ...options,
    });
    // During work on the page, serve the files of the last web build, so that the program needn't be rebuilt.
    if (process.env.FRESH) {
      await context.route(/\/assets\//, (route) =>
        route.fulfill({ path: DIST + new URL(route.request().url()).pathname }),
      );
      await context.route(
        () => true,
        (route) =>
          route.request().isNavigationRequest() ? route.fulfill({ path: `${DIST}/index.html` }) : route.fallback(),
      );
    }
    return context;
  }

  /** A page that fails the test if a script error occurs in it. */
  async page(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on("pageerror", (error) => {
      throw error;
    });
    return page;
  }
}

/** Waits until a condition is true. */
export async function until<T>(
  look: () => Promise<T | null | undefined | false>,
  what: string,
  within = 15_000,
): Promise<T> {
  const end = Date.now() + within;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`timed out: ${what}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** A point in the window that hits an area of the felt. The middle of an area that goes around a corner may be outside of it. */
export async function spot(page: Page, area: string): Promise<{ x: number; y: number }> {
  const shape = page.locator(`.table [data-area="${area}"] .shape`);
  await shape.waitFor({ state: "attached" });
  await shape.evaluate((path) => path.scrollIntoView({ block: "nearest" }));
  const found = await shape.evaluate((path) => {
    const box = path.getBoundingClientRect();
    for (let down = 0.5, step = 0; step < 20; step += 1, down = (down + 0.31) % 1) {
      for (let across = 0.5, turn = 0; turn < 20; turn += 1, across = (across + 0.37) % 1) {
        const [x, y] = [box.left + box.width * across, box.top + box.height * down];
        if (path.parentElement?.contains(document.elementFromPoint(x, y))) return { x, y };
      }
    }
    return null;
  });
  if (!found) throw new Error(`no point hits ${area}`);
  return found;
}

/** Presses an area with a pointer. */
export async function press(page: Page, area: string): Promise<void> {
  const { x, y } = await spot(page, area);
  await page.mouse.click(x, y);
}
