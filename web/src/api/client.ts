/** Requests to the server. Every error response is thrown as a `Refused` with the server's message and citation. */
import type { Problem } from "./openapi";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }

  get cite(): string | null {
    return this.problem.cite ?? null;
  }
}

type Body = Record<string, unknown> | unknown[];

async function ask<T>(method: string, path: string, body?: Body, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(invited(path), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: "same-origin",
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new Refused(0, {
      code: "unreachable",
      message: "Can't reach the server. Try again in a moment.",
    });
  }
  const text = await answer.text();
  if (!answer.ok) throw new Refused(answer.status, problem(text, answer.status));
  const type = answer.headers.get("Content-Type") ?? "";
  return (type.includes("json") ? JSON.parse(text) : text) as T;
}

function problem(text: string, status: number): Problem {
  try {
    const told = JSON.parse(text) as Problem;
    if (typeof told.message === "string") return told;
  } catch {
    // Not from our server; it may be a proxy's error page.
  }
  return { code: `http-${status}`, message: `The server answered ${status}.` };
}

export const get = <T>(path: string, signal?: AbortSignal) => ask<T>("GET", path, undefined, signal);
export const post = <T>(path: string, body: Body = {}, signal?: AbortSignal) => ask<T>("POST", path, body, signal);
export const put = <T>(path: string, body: Body) => ask<T>("PUT", path, body);
export const remove = <T>(path: string) => ask<T>("DELETE", path);

/** Joins parts into a path and encodes each for a URL. */
export function path(...parts: (string | number)[]): string {
  return `/${parts.map((part) => encodeURIComponent(part)).join("/")}`;
}

/** The query string of a URL. Empty and unknown values are left out. */
export function query(values: Record<string, string | number | boolean | null | undefined>): string {
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return known.length === 0 ? "" : `?${new URLSearchParams(known.map(([key, value]) => [key, String(value)]))}`;
}

/** Adds the invitation in the page's URL to requests for that private table. */
export function invited(to: string, here: Pick<URL, "pathname" | "search"> = location): string {
  const invitation = new URLSearchParams(here.search).get("invitation");
  const table = `/tables/${here.pathname.split("/")[2] ?? ""}`;
  const about = to === table || to.startsWith(`${table}/`) || to.startsWith(`${table}?`);
  if (!invitation || !about) return to;
  return `${to}${to.includes("?") ? "&" : "?"}invitation=${encodeURIComponent(invitation)}`;
}

/** A new idempotency key for a command: the server runs the command only once, even if it is sent twice. */
export function newKey(): string {
  return crypto.randomUUID();
}

/** The message of anything that was thrown. */
export function words(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
