/** Prepares facts for display: combines equal facts about several subjects and lists them under the parts that they cite. */
import type { BookPage, FactView, PartView, ReadingView, SectionPage } from "../../api/openapi";
import { together } from "../../lib/names";

/** The names in a book: wagers by id, questions of procedure by topic. Wagers with the same stem differ only in their number. */
export interface Names {
  wagers: Map<string, { name: string; stem: string }>;
  asks: Map<string, string>;
}

export type Kind = "wager" | "procedure" | "house" | "book";

export const KINDS: { kind: Kind; title: string }[] = [
  { kind: "wager", title: "Wagers" },
  { kind: "procedure", title: "Procedure" },
  { kind: "house", title: "House options" },
  { kind: "book", title: "The book itself" },
];

export function kindOf(subjects: string[], aspect: string, names: Names): Kind {
  if (aspect === "rule") return "procedure";
  if (aspect === "house") return "house";
  return subjects.some((subject) => names.wagers.has(subject)) ? "wager" : "book";
}

/** The names of subjects, with wagers of one kind combined: `Place Bet 4, 5 or 6 to Win; Field Bet`. */
export function namesOf(subjects: string[], names: Names): string[] {
  const kinds = new Map<string, string[]>();
  for (const subject of subjects) {
    const wager = names.wagers.get(subject);
    const name = names.asks.get(subject) ?? wager?.name ?? inWords(subject);
    const kind = wager?.stem ?? subject;
    kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
  }
  return [...kinds.values()].map(together);
}

/** An internal id as text: `no_roll.callers` becomes `no roll: callers`. */
export function inWords(id: string): string {
  return id === "book" ? "The book" : id.replace(".", ": ").replaceAll("_", " ").replaceAll("-", " ");
}

/** One fact about several subjects. */
export interface Said {
  aspect: string;
  value: string;
  cite: string;
  days: string;
  readings: string[];
  /** What the program does with it. */
  mark: string;
  /** Why it is only recorded. */
  why?: string | null;
  subjects: string[];
}

export function said(facts: FactView[]): Said[] {
  const known = new Map<string, Said>();
  for (const { subject, ...fact } of facts) {
    const key = JSON.stringify([fact.aspect, fact.value, fact.cite, fact.days, fact.readings, fact.mark, fact.why]);
    const same = known.get(key) ?? { ...fact, subjects: [] };
    same.subjects.push(subject);
    known.set(key, same);
  }
  return [...known.values()];
}

export interface Under {
  /** Null for the section as a whole. */
  part: PartView | null;
  facts: Said[];
  readings: ReadingView[];
}

/** The facts and readings of a section under its parts, as the server sorts them. */
export function underParts(section: SectionPage): Under[] {
  return section.under.map(({ part, facts, readings }) => ({
    part: section.parts.find((one) => one.cite === part) ?? null,
    facts: said(facts.map((at) => section.facts[at]!)),
    readings: readings.map((at) => section.readings[at]!),
  }));
}

/** All facts of the book that depend on a reading. */
export function restingOn(page: BookPage, reading: string): Said[] {
  const facts = page.contents.flatMap((section) => section.facts.filter((fact) => fact.readings.includes(reading)));
  const once = new Map(facts.map((fact) => [JSON.stringify(fact), fact]));
  return said([...once.values()]);
}

export interface Found {
  sections: { cite: string; title: string; gist: string }[];
  readings: ReadingView[];
  topics: BookPage["topics"];
  facts: Said[];
}

/** Finds everything in a book that contains all these words. */
export function search(page: BookPage, names: Names, text: string): Found {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (...texts: string[]) => {
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const sections = page.contents.flatMap((section) => [
    ...(has(section.cite, section.title, section.gist)
      ? [{ cite: section.cite, title: section.title, gist: section.gist }]
      : []),
    ...section.parts
      .filter((part) => has(part.cite, part.gist))
      .map((part) => ({ cite: part.cite, title: section.title, gist: part.gist })),
  ]);
  const facts = new Map<string, FactView>();
  for (const fact of page.contents.flatMap((section) => section.facts)) {
    if (
      fact.aspect !== "rule" &&
      has(fact.aspect, fact.value, fact.cite, fact.subject, names.wagers.get(fact.subject)?.name ?? "")
    )
      facts.set(JSON.stringify(fact), fact);
  }
  return {
    sections,
    readings: page.read.filter((reading) =>
      has(
        reading.id,
        reading.asks,
        reading.taken,
        reading.rejected,
        reading.why,
        reading.cite,
        ...(reading.switch ?? []),
      ),
    ),
    topics: page.topics.filter((topic) =>
      has(topic.topic, topic.asks, ...topic.answers.flatMap((answer) => [answer.value, answer.cite])),
    ),
    facts: said([...facts.values()]),
  };
}

/** Splits a text at the search words, so that they can be highlighted. */
export function cut(text: string, find: string): { text: string; hit: boolean }[] {
  const words = find
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (words.length === 0) return [{ text, hit: false }];
  return text
    .split(new RegExp(`(${words.join("|")})`, "gi"))
    .map((part, at) => ({ text: part, hit: at % 2 === 1 }))
    .filter((part) => part.text !== "");
}
