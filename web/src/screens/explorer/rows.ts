/** The rows of the explorer: arranges records by wager and book, and searches, sorts and groups them. */
import type { BookView, FactView, Record as Odds, WagerLine, WagerView } from "../../api/openapi";
import { compare, fraction } from "../../lib/fraction";
import { numbersOf, together } from "../../lib/names";
import { inShort, netsInShort, payout, priceFact, rate, timing } from "./pays";

/** The definition of the edge: per bet made, per bet resolved, or per roll. */
export type By = "made" | "resolved" | "roll";

/** All data from the server. */
export interface Told {
  books: BookView[];
  wagers: WagerLine[];
  records: Odds[];
  /** The facts by book and wager. */
  facts: Map<string, Map<string, WagerView>>;
}

/** One record with the texts to show. */
export interface Line {
  record: Odds;
  wager: WagerLine;
  /** The full payout as the book writes it; null if the facts don't have it. */
  pays: string | null;
  short: string;
  /** The ids of the readings that its price depends on. */
  readings: string[];
  /** True if there is small print: a reading, a commission or an end date. */
  small: boolean;
}

export interface Row {
  id: string;
  family: string;
  /** The title of the family. */
  title: string;
  /** The wagers of this row: several if they have the same odds in every book. */
  wagers: string[];
  name: string;
  /** The number, if it isn't part of the name. */
  on: string;
  /** The rate and timing of the commission. */
  fee: string;
  /** The records by book. */
  cells: Map<string, Line[]>;
  /** The text that a search looks at. */
  words: string;
}

export interface Group {
  family: string;
  title: string;
  rows: Row[];
}

const ORDER = ["pa", "md", "nj", "nj-automated", "co", "co-crapless"];

/** Sorts books in the order of the columns. A book that isn't listed comes last. */
export function inOrder(books: BookView[]): BookView[] {
  const at = (book: BookView) => (ORDER.includes(book.book) ? ORDER.indexOf(book.book) : ORDER.length);
  return [...books].sort((a, b) => at(a) - at(b));
}

export function edgeOf(record: Odds, by: By): string | null {
  const edge = by === "made" ? record.edge : by === "resolved" ? record.edge_resolved : record.edge_per_throw;
  return edge ?? null;
}

/** The wager and number of a record's id: `pass-odds-4` is `pass-odds` on 4. */
export function wagerOf(
  id: string,
  wagers: Map<string, WagerLine>,
): { wager: WagerLine; number: string | null } | null {
  const whole = wagers.get(id);
  if (whole) return { wager: whole, number: null };
  const cut = id.lastIndexOf("-");
  const part = wagers.get(id.slice(0, cut));
  return part ? { wager: part, number: id.slice(cut + 1) } : null;
}

const PRICED = /^(pays|price|commission|settled)/;

/** True if this fact is about the record's commission. */
function isOf(commission: string, aspect: string): boolean {
  return aspect === `commission ${commission.split(" of ")[0]!.replace("-", " ")}`;
}

function lineOf(record: Odds, told: Told, wagers: Map<string, WagerLine>): Line | null {
  const found = wagerOf(record.wager, wagers);
  if (!found) return null;
  const facts: FactView[] = told.facts.get(record.book)?.get(found.wager.wager)?.facts ?? [];
  const pays = payout(record, found.number, facts);
  const own = priceFact(record, facts);
  const rests = facts.filter(
    (fact) =>
      PRICED.test(fact.aspect) &&
      (!fact.aspect.startsWith("pays") || fact === own) &&
      (!fact.aspect.startsWith("commission") || isOf(record.commission, fact.aspect)),
  );
  const readings = [...new Set(rests.flatMap((fact) => fact.readings))];
  return {
    record,
    wager: found.wager,
    pays,
    short:
      pays === null
        ? (facts.find((fact) => fact.aspect === "settled" && record.pay_table === "standard")?.value ??
          netsInShort(record))
        : inShort(pays),
    readings,
    small: readings.length > 0 || record.commission !== "none" || (record.until ?? null) !== null,
  };
}

const same = (line: Line) =>
  [
    line.record.pay_table,
    line.record.commission,
    line.pays ?? line.short,
    JSON.stringify(line.record.distribution),
    line.record.edge,
    line.record.edge_resolved,
    line.record.edge_per_throw,
    line.record.from,
    line.record.until,
  ].join("|");

function signature(row: Row): string {
  const cells = [...row.cells].map(([book, lines]) => `${book}=${lines.map(same).join("&")}`);
  return [row.family, row.fee, ...cells.sort()].join(" ");
}

/** Returns one row for each wager and commission timing, in the order of the catalogue. */
export function rowsOf(told: Told): Row[] {
  const wagers = new Map(told.wagers.map((wager) => [wager.wager, wager]));
  const place = new Map(told.wagers.map((wager, at) => [wager.wager, at]));
  const order = new Map(inOrder(told.books).map((book, at) => [book.book, at]));
  const rows = new Map<string, { row: Row; lines: Line[]; number: number }>();
  for (const record of told.records) {
    const line = lineOf(record, told, wagers);
    if (!line) continue;
    const when = timing(record.commission);
    const id = when ? `${record.wager} ${when}` : record.wager;
    const { number } = wagerOf(record.wager, wagers)!;
    const known = rows.get(id) ?? {
      row: empty(id, record.wager, line.wager),
      lines: [] as Line[],
      number: Number(number ?? 0),
    };
    rows.set(id, known);
    known.lines.push(line);
    known.row.cells.set(record.book, [...(known.row.cells.get(record.book) ?? []), line]);
  }
  for (const { row, lines } of rows.values()) {
    const first = [...lines].sort((a, b) => (order.get(a.record.book) ?? 99) - (order.get(b.record.book) ?? 99))[0]!;
    row.name = first.record.name;
    row.on = first.wager.wager === row.wagers[0] ? "" : `on ${numbersOf(row.wagers[0]!)}`;
    row.fee = feeOf(lines);
    row.words = wordsOf(row, lines);
  }
  const sorted = [...rows.values()].sort(
    (a, b) => place.get(a.lines[0]!.wager.wager)! - place.get(b.lines[0]!.wager.wager)! || a.number - b.number,
  );
  return sorted.map(({ row }) => row);
}

function empty(id: string, wager: string, { family, family_title: title }: WagerLine): Row {
  return { id, family, title, wagers: [wager], name: "", on: "", fee: "", cells: new Map(), words: "" };
}

function feeOf(lines: Line[]): string {
  const rates = [...new Set(lines.map((line) => rate(line.record.commission)))];
  const when = timing(lines[0]!.record.commission);
  return rates.length === 1 && rates[0] ? `${rates[0]} ${when}` : when;
}

function wordsOf(row: Row, lines: Line[]): string {
  const said = lines.flatMap((line) => [line.record.name, line.record.wager, line.record.pay_table, line.short]);
  const codes = lines[0]!.wager.codes;
  return [...new Set([...said, ...codes, row.on, row.fee, row.title])].join(" ").toLowerCase();
}

/** Merges rows of a family that have the same odds and edge in every book. */
export function alikeTogether(rows: Row[]): Row[] {
  const known = new Map<string, Row[]>();
  for (const row of rows) {
    const key = signature(row);
    known.set(key, [...(known.get(key) ?? []), row]);
  }
  return [...known.values()].map((alike) => (alike.length === 1 ? alike[0]! : merged(alike)));
}

function merged(alike: Row[]): Row {
  const [first] = alike as [Row];
  const wagers = alike.flatMap((row) => row.wagers);
  const names = alike.map((row) => row.name);
  const row = {
    ...first,
    id: `${wagers.join("+")} ${first.fee}`,
    wagers,
    cells: warned(alike),
    words: alike.map((one) => one.words).join(" "),
  };
  if (first.on) return { ...row, name: together(names), on: together(alike.map((one) => one.on)) };
  if (alike.length <= 3) return { ...row, name: together(names) };
  return { ...row, name: shared(names), on: wagers.map(numbersOf).join(", ") };
}

/** The cells of the first row, marked if any of the rows has small print. */
function warned(alike: Row[]): Map<string, Line[]> {
  const small = (book: string, at: number) => alike.some((row) => row.cells.get(book)?.[at]?.small);
  return new Map(
    [...alike[0]!.cells].map(([book, lines]) => [
      book,
      lines.map((line, at) => (line.small === small(book, at) ? line : { ...line, small: true })),
    ]),
  );
}

/** The common end of several names. */
function shared(names: string[]): string {
  const split = names.map((name) => name.split(" "));
  const common: string[] = [];
  for (
    let back = 1;
    split.every((words) => words.at(-back) !== undefined && words.at(-back) === split[0]!.at(-back));
    back += 1
  )
    common.unshift(split[0]!.at(-back)!);
  const text = common.join(" ");
  return text ? text[0]!.toUpperCase() + text.slice(1) : names[0]!;
}

/** The rows that contain every search word, of one family or all. */
export function found(rows: Row[], find: string, family: string): Row[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(
    (row) =>
      (family === "" || row.family === family) &&
      words.every((word) => row.words.includes(word) || row.name.toLowerCase().includes(word)),
  );
}

export interface Sort {
  /** `group`, `name`, or the id of a book. */
  by: string;
  down: boolean;
}

export const sortOf = (text: string): Sort =>
  text.startsWith("-") ? { by: text.slice(1), down: true } : { by: text || "group", down: false };

/** Sorts rows by name or by the exact edge in one book. Wagers that the book doesn't have come last in both directions. */
export function sorted(rows: Row[], sort: Sort, by: By): Row[] {
  if (sort.by === "group") return sort.down ? [...rows].reverse() : rows;
  const turn = sort.down ? -1 : 1;
  if (sort.by === "name")
    return [...rows].sort((a, b) => turn * (a.name.localeCompare(b.name) || a.id.localeCompare(b.id)));
  const edge = (row: Row) => {
    const first = row.cells.get(sort.by)?.[0];
    return first ? edgeOf(first.record, by) : null;
  };
  const keyed = rows.map((row) => ({ row, edge: edge(row) }));
  keyed.sort((a, b) => {
    if (a.edge === null || b.edge === null) return a.edge === b.edge ? 0 : a.edge === null ? 1 : -1;
    return turn * compare(a.edge, b.edge);
  });
  return keyed.map(({ row }) => row);
}

/** Groups rows by family, in the order of the catalogue, or into a single group for any other sort order. */
export function grouped(rows: Row[], sort: Sort): Group[] {
  if (sort.by !== "group") return [{ family: "", title: "", rows }];
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const known = groups.get(row.family) ?? { family: row.family, title: row.title, rows: [] };
    groups.set(row.family, known);
    known.rows.push(row);
  }
  // Wagers that few books have come last, so that the top of the table has few empty cells.
  for (const group of groups.values()) group.rows.sort((a, b) => b.cells.size - a.cells.size);
  return [...groups.values()];
}

/** The size class of an edge: small, middle, large, or for the player. */
export function sizeOf(edge: string): "player" | "small" | "middle" | "large" {
  const { top, bottom } = fraction(edge);
  if (top < 0n) return "player";
  if (top * 50n < bottom) return "small";
  return top * 100n < bottom * 9n ? "middle" : "large";
}

/** The law's name of the pay table, unless it is standard or the same as the odds. */
export function tableOf(line: Line): string {
  return line.record.pay_table === "standard" || line.record.pay_table === line.short ? "" : line.record.pay_table;
}

/** How a book sets its odds: `fixed`, `at least`, or both. */
export function pricing(facts: Map<string, WagerView> | undefined): string {
  const values = [...(facts?.values() ?? [])].flatMap((wager) =>
    wager.facts.filter((fact) => fact.aspect === "price").map((fact) => fact.value),
  );
  const kinds = [...new Set(values)].sort();
  return kinds.length === 0 ? "" : kinds.length === 1 ? kinds[0]! : `${kinds.join(", or ")}`;
}
