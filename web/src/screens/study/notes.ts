/**
 * The user's notes on a game: a few words and a sign for any roll. They are stored in this browser, under a key made from the game's text. The
 * signs say what a note is about, without judging a bet. `?` isn't one of them, because in the notation it means an edge above the threshold.
 */
import type { Step } from "./reel";

export const GLYPHS = [
  ["★", "keep"],
  ["§", "the law"],
  ["Σ", "the sum"],
  ["⚑", "look again"],
] as const;

export interface RollNote {
  glyph: string;
  words: string;
}

export type Notes = Record<number, RollNote>;

/** The key of the note on the whole game. */
export const WHOLE = 0;

export function keyOf(text: string): string {
  let sum = 5381;
  for (let index = 0; index < text.length; index += 1) sum = ((sum * 33) ^ text.charCodeAt(index)) >>> 0;
  return `boxperson.study.${sum.toString(36)}`;
}

/** Reads stored notes. Older versions stored plain text, which becomes the note on the whole game. */
export function readNotes(kept: string | null): Notes {
  if (!kept) return {};
  try {
    const found: unknown = JSON.parse(kept);
    if (typeof found !== "object" || found === null || Array.isArray(found))
      return { [WHOLE]: { glyph: "", words: kept } };
    const notes: Notes = {};
    for (const [roll, one] of Object.entries(found as Record<string, unknown>)) {
      const { glyph, words } = (one ?? {}) as Partial<RollNote>;
      if (Number.isInteger(Number(roll)) && typeof glyph === "string" && typeof words === "string")
        notes[Number(roll)] = { glyph, words };
    }
    return notes;
  } catch {
    return { [WHOLE]: { glyph: "", words: kept } };
  }
}

/** Sets the note of a roll, or removes it if the note is empty. */
export function noted(notes: Notes, roll: number, note: RollNote): Notes {
  const { [roll]: _, ...rest } = notes;
  return note.glyph === "" && note.words.trim() === "" ? rest : { ...rest, [roll]: note };
}

/** The notes in the order of the rolls; the note on the whole game comes first. */
export function listed(notes: Notes): [number, RollNote][] {
  return Object.entries(notes)
    .map(([roll, note]): [number, RollNote] => [Number(roll), note])
    .sort(([a], [b]) => a - b);
}

/** The game's text with each note as a remark at the end of its roll's line. */
export function withNotes(text: string, steps: Pick<Step, "roll" | "line">[], notes: Notes): string {
  const lines = text.split("\n");
  const line = new Map(steps.map((step) => [step.roll, step.line]));
  for (const [roll, note] of listed(notes)) {
    const said = [note.glyph, note.words.replace(/[{}\s]+/g, " ").trim()].filter(Boolean).join(" ");
    const at = (roll === WHOLE ? (steps[0]?.line ?? 1) : (line.get(roll) ?? 0)) - 1;
    const old = lines[at];
    if (said && old !== undefined) lines[at] = `${old.trimEnd()} {${said}}${old.endsWith("\r") ? "\r" : ""}`;
  }
  return lines.join("\n");
}
