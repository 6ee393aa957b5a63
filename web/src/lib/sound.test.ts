import { describe, expect, test, vi } from "vitest";

// What somebody prefers lives in a browser; here two switches will do.
const switches = vi.hoisted(() => ({ sound: false, vibration: false }));
vi.mock("./settings.svelte", () => ({ preferences: switches }));

import { BUZZES, hear, heardOf, lasts, SOUNDS, type Heard } from "./sound";

const KINDS = Object.keys(SOUNDS) as Heard[];
const loud = (kind: Heard) => SOUNDS[kind].reduce((sum, part) => sum + part.long, 0);

describe("what is heard", () => {
  test("each event has a rhythm or a timbre of its own, whatever its pitch", () => {
    const shapes = KINDS.map((kind) => SOUNDS[kind].map((part) => `${part.kind} ${part.at} ${part.long}`).join(", "));
    expect(new Set(shapes).size).toBe(KINDS.length);
    expect(new Set(KINDS.map((kind) => BUZZES[kind].join())).size).toBe(KINDS.length);
  });

  test("won, lost and undecided are equally long and equally loud, in the ear and in the hand", () => {
    for (const kind of ["lost", "none"] as const) {
      expect(lasts(SOUNDS[kind])).toBeCloseTo(lasts(SOUNDS.won));
      expect(loud(kind)).toBeCloseTo(loud("won"));
      expect(BUZZES[kind].reduce((a, b) => a + b)).toBe(BUZZES.won.reduce((a, b) => a + b));
    }
  });

  test("nothing is longer than the dice are in the air", () => {
    for (const kind of KINDS) expect(lasts(SOUNDS[kind])).toBeLessThanOrEqual(0.6);
  });

  test("a roll sounds by what it brought to one's own seat, after commission", () => {
    const result = (seat: number, paid: number, commission = 0, outcome = "won") => ({
      seat,
      outcome,
      paid,
      commission,
    });
    expect(heardOf([result(1, 1000), result(3, -5000)], 1)).toBe("won");
    expect(heardOf([result(1, 1000), result(3, -5000)], 3)).toBe("lost");
    expect(heardOf([result(1, 500, 500)], 1)).toBe("none");
    expect(heardOf([result(1, 0, 0, "moved")], 1)).toBe("none");
    expect(heardOf([result(1, 1000)], null)).toBe("none");
  });

  test("sound and vibration are off until asked for, each by itself", () => {
    const vibrate = vi.fn();
    const made = vi.fn();
    vi.stubGlobal("navigator", { vibrate });
    vi.stubGlobal(
      "AudioContext",
      class {
        constructor() {
          made();
          throw new Error("enough");
        }
      },
    );
    hear("chip");
    expect(vibrate).not.toHaveBeenCalled();
    switches.vibration = true;
    hear("chip");
    expect(vibrate).toHaveBeenCalledWith(BUZZES.chip);
    expect(made).not.toHaveBeenCalled();
    switches.vibration = false;
    switches.sound = true;
    expect(() => hear("chip")).toThrow("enough");
    expect(vibrate).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });
});
