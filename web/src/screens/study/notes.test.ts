import { describe, expect, test } from "vitest";
import { keyOf, listed, noted, readNotes, WHOLE, withNotes } from "./notes";

describe("notes", () => {
  test("are stored by roll, and an empty one is removed", () => {
    let notes = noted({}, 4, { glyph: "§", words: "why so?" });
    notes = noted(notes, 2, { glyph: "", words: "odds" });
    expect(listed(notes).map(([roll]) => roll)).toEqual([2, 4]);
    expect(readNotes(JSON.stringify(notes))).toEqual(notes);
    expect(noted(notes, 4, { glyph: "", words: "  " })).toEqual({ 2: { glyph: "", words: "odds" } });
  });

  test("old notes without rolls and malformed notes are read safely", () => {
    expect(readNotes("just words")).toEqual({ [WHOLE]: { glyph: "", words: "just words" } });
    expect(readNotes("[1]")).toEqual({ [WHOLE]: { glyph: "", words: "[1]" } });
    expect(readNotes('{"3": 7, "x": {"glyph": "", "words": ""}, "5": {"glyph": "★", "words": "a"}}')).toEqual({
      5: { glyph: "★", words: "a" },
    });
    expect(readNotes(null)).toEqual({});
  });

  test("two games have two keys", () => {
    expect(keyOf("a")).not.toBe(keyOf("b"));
    expect(keyOf("a")).toBe(keyOf("a"));
  });

  test("are written into the text as remarks that can't break its syntax", () => {
    const text = "[CGN]\n1. | 4-2 |\r\n2. | 3-3 | {old}\n";
    const steps = [
      { roll: 1, line: 2 },
      { roll: 2, line: 3 },
    ];
    const notes = {
      1: { glyph: "★", words: "a } | 1:P=w9 {\nb" },
      2: { glyph: "", words: "c" },
      9: { glyph: "§", words: "nowhere" },
    };
    expect(withNotes(text, steps, notes)).toBe("[CGN]\n1. | 4-2 | {★ a | 1:P=w9 b}\r\n2. | 3-3 | {old} {c}\n");
    expect(withNotes(text, steps, {})).toBe(text);
  });
});
