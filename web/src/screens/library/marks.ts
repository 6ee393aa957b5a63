/** What the program does with each fact of a book: the marks, what they mean, and how many facts have each. */
import type { FactView } from "../../api/openapi";
import { all, counted } from "../../lib/count";

export interface Meaning {
  mark: string;
  /** One short sentence. */
  means: string;
}

/** All marks, the strongest first. */
export const MARKS: Meaning[] = [
  { mark: "acts", means: "The program does what it says." },
  { mark: "judged", means: "The check of a house tests the house against it." },
  { mark: "paper", means: "A document that the program writes states it." },
  { mark: "recorded", means: "It is only written down here. The program does nothing with it." },
];

export function meaningOf(mark: string): string | undefined {
  return MARKS.find((one) => one.mark === mark)?.means;
}

/** The marks of these facts, the strongest first, with the number of facts that have each. */
export function marksOf(facts: Pick<FactView, "mark">[]): { mark: string; count: number }[] {
  const marks = new Set([...MARKS, ...facts].map(({ mark }) => mark));
  return [...marks]
    .map((mark) => ({ mark, count: facts.filter((fact) => fact.mark === mark).length }))
    .filter(({ count }) => count > 0);
}

/** The number of facts with each mark, as a sentence. Empty without facts. */
export function countedMarks(facts: Pick<FactView, "mark">[]): string {
  const of = (mark: string) => facts.filter((fact) => fact.mark === mark).length;
  const [acts, judged, paper, recorded] = [of("acts"), of("judged"), of("paper"), of("recorded")];
  const parts = [
    acts > 0 ? `the program acts on ${acts}` : "",
    judged > 0 ? `the check of a house judges by ${judged}` : "",
    paper > 0 ? `a document states ${paper}` : "",
    recorded > 0 ? `${recorded} ${recorded === 1 ? "is" : "are"} only recorded` : "",
  ];
  const told = all(parts);
  return told === "" ? "" : `Of ${counted(facts.length, "fact")}, ${told}.`;
}
