import { describe, expect, test, vi } from "vitest";

// Preferences need a browser; this test replaces them with two switches.
const switches = vi.hoisted(() => ({ sound: false, vibration: false }));
vi.mock("./settings.svelte", () => ({ preferences: switches }));

import { BUZZES, hear, heardOf, lasts, SOUNDS, type Heard } from "./sound";

const KINDS = Object.keys(SOUNDS) as Heard[];
const loud = (kind: Heard) => SOUNDS[kind].reduce((sum, part) => sum + part.long, 0);

describe("what is heard", () => {
  test("each event has its own rhythm or timbre, not only its own pitch", () => {
    const shapes = KINDS.map((kind) => SOUNDS[kind].map((part) => `${part.kind} ${part.at} ${part.long}`).join(", "));
    expect(new Set(shapes).size).toBe(KINDS.length);
    expect(new Set(KINDS.map((kind) => BUZZES[kind].join())).size).toBe(KINDS.length);
  });

  test("won, lost and undecided have the same length and loudness, as sound and as vibration", () => {
    for (const kind of ["lost", "none"] as const) {
      expect(lasts(SOUNDS[kind])).toBeCloseTo(lasts(SOUNDS.won));
      expect(loud(kind)).toBeCloseTo(loud("won"));
      expect(BUZZES[kind].reduce((a, b) => a + b)).toBe(BUZZES.won.reduce((a, b) => a + b));
    }
  });

  test("no sound is longer than the dice animation", () => {
    for (const kind of KINDS) expect(lasts(SOUNDS[kind])).toBeLessThanOrEqual(0.6);
  });

  test("the sound of a roll depends on the net of the player's own seat, after commission", () => {
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

  test("sound and vibration are off by default and switched on separately", () => {
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
