/**
 * Highlights the text of a strategy: keywords, orders, notes, and the mistakes that the server found.
 *
 * This affects only colors. The server decides what a text means and what is wrong with it.
 */
import type { StrategyMistake } from "../../api/openapi";

export type Kind = "word" | "plain" | "order" | "note";

export interface Part {
  text: string;
  kind: Kind;
  wrong: boolean;
}

export interface Line {
  parts: Part[];
  wrong: boolean;
}

const OPENS = /^(\s*)(when|always|if|otherwise if|otherwise)(?![\w-])/;
const FIRST = /^(strategy|about|from|buy-in|unit|stop|goal|at most|book|house|quit when|let|progression)(?![\w-])/;
/** Fields that can continue on indented lines. */
const TOLD = /^(about|from)(?![\w-])/;
const NOTE = /(^|\s)#.*$/;

type Range = [from: number, to: number, kind: Kind];

function ranges(line: string, told: boolean): Range[] {
  const note = NOTE.exec(line);
  const end = note ? note.index + (note[1]?.length ?? 0) : line.length;
  const body = line.slice(0, end);
  const found: Range[] = [];
  const opens = OPENS.exec(body);
  const first = FIRST.exec(body);
  if (told || first) {
    const word = told ? 0 : (first?.[0].length ?? 0);
    found.push([0, word, "word"], [word, end, "plain"]);
  } else if (opens) {
    const word = opens[0].length;
    const colon = body.indexOf(":", word);
    const condition = colon < 0 ? end : colon + 1;
    found.push([0, word, "word"], [word, condition, "plain"], [condition, end, "order"]);
  } else found.push([0, end, "order"]);
  found.push([end, line.length, "note"]);
  return found.filter(([from, to]) => to > from);
}

/** Converts a column, which counts characters, to an index in UTF-16 units. */
function unit(line: string, column: number): number {
  return [...line].slice(0, Math.max(column - 1, 0)).join("").length;
}

export function lines(text: string, mistakes: readonly StrategyMistake[]): Line[] {
  let told = false;
  return text.split("\n").map((line, at) => {
    told = TOLD.test(line) || (told && /^\s+\S/.test(line));
    const here = mistakes.filter((mistake) => mistake.line === at + 1);
    const marks = here.map(({ column, width }): [number, number] => {
      const from = unit(line, column);
      // For something missing at the end of a line, the last character is marked.
      const to = Math.max(unit(line, column + width), from + 1);
      return from < line.length ? [from, to] : [Math.max(line.length - 1, 0), line.length];
    });
    const parts = ranges(line, told && !TOLD.test(line)).flatMap(([from, to, kind]) =>
      cut(line, from, to, kind, marks),
    );
    return { parts, wrong: here.length > 0 };
  });
}

function cut(line: string, from: number, to: number, kind: Kind, marks: [number, number][]): Part[] {
  const edges = marks.flat().filter((edge) => edge > from && edge < to);
  const places = [...new Set([from, ...edges, to])].sort((a, b) => a - b);
  return places.slice(0, -1).map((begin, at) => {
    const end = places[at + 1] ?? to;
    return { text: line.slice(begin, end), kind, wrong: marks.some(([first, last]) => first <= begin && end <= last) };
  });
}

/** The start and end of a mistake in the whole text, for a selection. */
export function selection(
  text: string,
  { line, column, width }: Pick<StrategyMistake, "line" | "column" | "width">,
): [number, number] {
  const all = text.split("\n");
  const at = Math.min(Math.max(line, 1), all.length) - 1;
  const before = all.slice(0, at).reduce((sum, one) => sum + one.length + 1, 0);
  const own = all[at] ?? "";
  return [before + unit(own, column), before + unit(own, column + width)];
}

/** The line of a position in the text, counting from 1. */
export function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}

/** The lines on which a rule begins. */
export function rules(text: string): number[] {
  return text.split("\n").flatMap((line, at) => (/^(when|always)(?![\w-])/.test(line) ? [at + 1] : []));
}

/** The indentation of a new line: the same as the line before, or deeper if that line opens a block. */
export function indent(text: string, place: number): string {
  const line = text.slice(text.lastIndexOf("\n", place - 1) + 1, place);
  const own = /^\s*/.exec(line)?.[0] ?? "";
  const opens = OPENS.test(line) && (/:\s*$/.test(line) || !line.includes(":"));
  return opens ? `${own}    ` : TOLD.test(line) ? "         " : own;
}
