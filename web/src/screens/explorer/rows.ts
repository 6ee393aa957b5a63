/** The rows of the explorer: arranges records by wager and book, and searches, sorts and groups them. */
import type { ListedBook, ShownOdds, ShownRecord as Odds, WagerLine } from "../../api/openapi";
import { compare, fraction } from "../../lib/fraction";
import { together } from "../../lib/names";

/** The definition of the edge: per bet made, per bet resolved, or per roll. */
export type By = "made" | "resolved" | "roll";

/** All data from the server. */
export interface Told {
  /** The books, in the order of the columns. */
  books: ListedBook[];
  wagers: WagerLine[];
  records: Odds[];
}

/** One record with its wager. */
export interface Line {
  record: Odds;
  wager: WagerLine;
  /** The texts to show. */
  shown: ShownOdds;
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
  /** The code of its first wager's bet in the prices of a house. */
  code: string;
  /** The number, if it isn't part of the name. */
  on: string;
  /** The numbers of its wagers, in the same order; empty for a wager without one. */
  numbers: string[];
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

export function edgeOf(record: Odds, by: By): string | null {
  const edge = by === "made" ? record.edge : by === "resolved" ? record.edge_resolved : record.edge_per_throw;
  return edge ?? null;
}

function lineOf(record: Odds, wagers: Map<string, WagerLine>): Line | null {
  const { shown } = record;
  const wager = wagers.get(shown.wager);
  if (!wager) return null;
  const small = shown.readings.length > 0 || shown.commission != null || record.until != null;
  return { record, wager, shown, small };
}

const same = (line: Line) =>
  [
    line.record.pay_table,
    line.record.commission,
    line.shown.pays ?? line.shown.short,
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
  const order = new Map(told.books.map((book, at) => [book.book, at]));
  const rows = new Map<string, { row: Row; lines: Line[] }>();
  for (const record of told.records) {
    const line = lineOf(record, wagers);
    if (!line) continue;
    const when = line.shown.commission?.when;
    const id = when ? `${record.wager} ${when}` : record.wager;
    const known = rows.get(id) ?? { row: empty(id, line), lines: [] as Line[] };
    rows.set(id, known);
    known.lines.push(line);
    known.row.cells.set(record.book, [...(known.row.cells.get(record.book) ?? []), line]);
  }
  for (const { row, lines } of rows.values()) {
    const first = [...lines].sort((a, b) => (order.get(a.record.book) ?? 99) - (order.get(b.record.book) ?? 99))[0]!;
    row.name = first.record.name;
    row.fee = feeOf(lines);
    row.words = wordsOf(row, lines);
  }
  const sorted = [...rows.values()].sort(
    ({ lines: [a] }, { lines: [b] }) =>
      place.get(a!.wager.wager)! - place.get(b!.wager.wager)! || (a!.shown.number ?? 0) - (b!.shown.number ?? 0),
  );
  return sorted.map(({ row }) => row);
}

function empty(id: string, { record, wager, shown }: Line): Row {
  const { family, family_title: title } = wager;
  const on = shown.number == null ? "" : `on ${shown.number}`;
  const numbers = [shown.number == null ? wager.number : String(shown.number)];
  const { code } = shown;
  return {
    id,
    family,
    title,
    wagers: [record.wager],
    name: "",
    code,
    on,
    numbers,
    fee: "",
    cells: new Map(),
    words: "",
  };
}

function feeOf(lines: Line[]): string {
  const rates = [...new Set(lines.map((line) => line.shown.commission?.rate ?? ""))];
  const when = lines[0]!.shown.commission?.when ?? "";
  return rates.length === 1 && rates[0] ? `${rates[0]} ${when}` : when;
}

function wordsOf(row: Row, lines: Line[]): string {
  const said = lines.flatMap(({ record, shown }) => [record.name, record.wager, record.pay_table, shown.short]);
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
    numbers: alike.flatMap((row) => row.numbers),
    cells: warned(alike),
    words: alike.map((one) => one.words).join(" "),
  };
  if (first.on) return { ...row, name: together(names), on: together(alike.map((one) => one.on)) };
  if (alike.length <= 3) return { ...row, name: together(names) };
  return { ...row, name: shared(names), on: row.numbers.join(", ") };
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

/** The law's name of the pay table, unless it has none or it is the same as the odds. */
export function tableOf({ shown }: Line): string {
  return shown.table == null || shown.table === shown.short ? "" : shown.table;
}
