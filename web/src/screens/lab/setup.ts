/** The settings of a run: as typed, in the URL, and as sent to the server. */
import { read } from "../../lib/money";
import type { SimulationForm, SimulationOrder, SimulationVersus } from "../../api/openapi";

export interface Setup {
  /** A built-in strategy, or null for the user's own text. */
  strategy: string | null;
  text: string;
  /** `book:pa`, `house:pa-craps`, or empty for the strategy's book or else the first book. */
  table: string;
  sessions: string;
  throws: string;
  buyIn: string;
  unit: string;
  goal: string;
  stop: string;
  seed: string;
  form: SimulationForm;
  /** Empty, `same` (at another table), `own` (a saved text), or a built-in strategy. */
  rival: string;
  rivalText: string;
  /** Like `table`; empty is the same table. */
  rivalTable: string;
}

export const FORMS: SimulationForm[] = ["auto", "exact", "tabulated", "engine"];
export const FIRST_STRATEGY = "molly";

export const USUAL: Readonly<Setup> = {
  strategy: FIRST_STRATEGY,
  text: "",
  table: "",
  sessions: "10,000",
  throws: "100",
  buyIn: "",
  unit: "",
  goal: "",
  stop: "",
  seed: "",
  form: "auto",
  rival: "",
  rivalText: "",
  rivalTable: "",
};

/** Error messages by field. */
export type Wrong = Partial<Record<keyof Setup, string>>;

function whole(text: string, most: number): number | null {
  const digits = text.replace(/(\d)[, ](?=\d{3})/g, "$1").trim();
  if (!/^\d{1,19}$/.test(digits)) return null;
  const number = Number(digits);
  return number <= most ? number : null;
}

/** Reads a limit. Empty is undefined (the strategy's value), `none` is null, and an amount gets the given sign. */
function limit(text: string, sign: 1 | -1): { ok: number | null | undefined } | null {
  const typed = text.trim().toLowerCase();
  if (typed === "") return { ok: undefined };
  if (typed === "none") return { ok: null };
  const amount = read(typed.replace(/^[-−+]/, ""));
  return amount === null || amount === 0 ? null : { ok: sign * amount };
}

function at(table: string): { book?: string; house?: { sample: string } } {
  const [kind, ...name] = table.split(":");
  if (kind === "book") return { book: name.join(":") };
  if (kind === "house") return { house: { sample: name.join(":") } };
  return {};
}

function way(strategy: string | null, text: string): { strategy: string } | { text: string } {
  return strategy === null ? { text } : { strategy };
}

/** The body of a request to check the text at the table. */
export function asked(setup: Setup): { text: string; book?: string; house?: { sample: string } } {
  return { text: setup.text, ...at(setup.table) };
}

type Order = SimulationOrder;

/** Returns the order for the server, or all errors in the fields. */
export function order(setup: Setup): { order: Order } | { wrong: Wrong } {
  const wrong: Wrong = {};
  const sessions = whole(setup.sessions, 1_000_000_000);
  if (!sessions) wrong.sessions = "Enter a number of sessions, 1 or more.";
  const throws = whole(setup.throws, 1_000_000);
  if (!throws) wrong.throws = "Enter a number of rolls, 1 to 1,000,000.";
  const amount = (field: "buyIn" | "unit") => {
    if (setup[field].trim() === "") return undefined;
    const minor = read(setup[field]);
    if (minor === null || minor === 0) wrong[field] = "Enter an amount above zero, or leave it empty.";
    return minor ?? undefined;
  };
  const [buy_in, unit] = [amount("buyIn"), amount("unit")];
  const [goal, stop] = [limit(setup.goal, 1), limit(setup.stop, -1)];
  if (!goal) wrong.goal = "Enter an amount to win or “none”, or leave it empty.";
  if (!stop) wrong.stop = "Enter an amount to lose or “none”, or leave it empty.";
  const seed = setup.seed.trim() === "" ? undefined : whole(setup.seed, Number.MAX_SAFE_INTEGER);
  if (seed === null) wrong.seed = "Enter a whole number up to 9,007,199,254,740,991, or leave it empty.";
  if (Object.keys(wrong).length > 0 || !sessions || !throws || !goal || !stop || seed === null) return { wrong };
  const versus = rival(setup);
  const all: Order = {
    ...way(setup.strategy, setup.text),
    ...at(setup.table),
    sessions,
    throws,
    form: setup.form,
    ...(buy_in === undefined ? {} : { buy_in }),
    ...(unit === undefined ? {} : { unit }),
    ...(goal.ok === undefined ? {} : { goal: goal.ok }),
    ...(stop.ok === undefined ? {} : { stop: stop.ok }),
    ...(seed === undefined ? {} : { seed }),
    ...(versus ? { versus } : {}),
  };
  return { order: all };
}

/** The other side of a duel, or null if it is the same strategy at the same table. */
function rival(setup: Setup): SimulationVersus | null {
  const table = at(setup.rivalTable);
  if (setup.rival === "" || (setup.rival === "same" && setup.rivalTable === "")) return null;
  if (setup.rival === "same") return table;
  return setup.rival === "own" ? { text: setup.rivalText, ...table } : { strategy: setup.rival, ...table };
}

/** The URL parameters by field. */
const NAMES: Partial<Record<keyof Setup, string>> = {
  table: "at",
  sessions: "sessions",
  throws: "throws",
  buyIn: "buy_in",
  unit: "unit",
  goal: "goal",
  stop: "stop",
  seed: "seed",
  form: "form",
  rival: "versus",
  rivalTable: "versus_at",
};

/** The query of the URL. Default values are left out. */
export function noted(setup: Setup): Record<string, string | null> {
  const values = Object.entries(NAMES).map(([field, name]): [string, string | null] => {
    const value = setup[field as keyof Setup];
    return [name, value === USUAL[field as keyof Setup] ? null : value];
  });
  return { strategy: setup.strategy === FIRST_STRATEGY ? null : setup.strategy, ...Object.fromEntries(values) };
}

/** The longest hash. Longer URLs can't be shared. */
const LONGEST = 8_000;

/** The hash of the URL: the user's own texts. The hash isn't sent to the server. */
export function texts(setup: Setup): string {
  const own = new URLSearchParams();
  if (setup.strategy === null) own.set("text", setup.text);
  if (setup.rival === "own") own.set("rival", setup.rivalText);
  const hash = own.toString();
  return hash === "" || hash.length > LONGEST ? "" : `#${hash}`;
}

/** Reads the setup from a URL. Its values are checked like typed ones. */
export function addressed(search: URLSearchParams, hash: string): Setup {
  const own = new URLSearchParams(hash.replace(/^#/, ""));
  const found: Setup = { ...USUAL };
  for (const [field, name] of Object.entries(NAMES) as [Exclude<keyof Setup, "strategy" | "form">, string][]) {
    const value = search.get(name);
    if (value !== null && field !== ("form" as string)) found[field] = value;
  }
  found.form = FORMS.find((form) => form === search.get("form")) ?? USUAL.form;
  const text = own.get("text");
  found.strategy = text === null ? (search.get("strategy") ?? FIRST_STRATEGY) : null;
  found.text = text ?? "";
  found.rivalText = own.get("rival") ?? "";
  return found;
}
