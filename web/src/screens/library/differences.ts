/** Searches the differences between two books and groups them under headings. */
import type { DifferenceView } from "../../api/openapi";
import { kindOf, KINDS, namesOf, type Kind, type Names } from "./facts";

export type Speaks = "" | "both" | "left" | "right";

export interface Wanted {
  find: string;
  kind: Kind | "";
  /** Whether both books have a rule, or only one. */
  speaks: Speaks;
}

export interface Heading {
  title: string;
  kind: Kind;
  rows: Row[];
}

export interface Row {
  id: string;
  /** The question, or the names of the subjects. */
  about: string[];
  aspect: string;
  kind: Kind;
  difference: DifferenceView;
}

export function rowsOf(differences: DifferenceView[], names: Names): Row[] {
  return differences.map((difference, at) => {
    const kind = kindOf(difference.subjects, difference.aspect, names);
    const about = difference.asks ? [difference.asks] : namesOf(difference.subjects, names);
    return {
      id: `${at} ${difference.subjects[0]} ${difference.aspect}`,
      about,
      aspect: kind === "procedure" || kind === "house" ? "" : difference.aspect,
      kind,
      difference,
    };
  });
}

function speaksSo({ difference }: Row, speaks: Speaks): boolean {
  const [left, right] = [difference.left.length > 0, difference.right.length > 0];
  return speaks === "" || (speaks === "both" ? left && right : speaks === "left" ? left && !right : right && !left);
}

export function wantedRows(rows: Row[], wanted: Wanted): Row[] {
  const words = wanted.find.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if ((wanted.kind !== "" && row.kind !== wanted.kind) || !speaksSo(row, wanted.speaks)) return false;
    const { left, right, subjects } = row.difference;
    const all = [
      ...row.about,
      row.aspect,
      ...subjects,
      ...[...left, ...right].flatMap((side) => [side.value, side.cite, side.days]),
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Groups rows by kind, and questions of procedure by area. */
export function headings(rows: Row[]): Heading[] {
  const known = new Map<string, Heading>();
  for (const { kind, title } of KINDS) {
    for (const row of rows.filter((one) => one.kind === kind)) {
      const full = (kind === "procedure" ? row.difference.area : null) ?? title;
      const heading = known.get(kind + full) ?? { title: full, kind, rows: [] };
      known.set(kind + full, heading);
      heading.rows.push(row);
    }
  }
  return [...known.values()];
}

export function countOf(rows: Row[], kind: Kind | ""): number {
  return kind === "" ? rows.length : rows.filter((row) => row.kind === kind).length;
}
