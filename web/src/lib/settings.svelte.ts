/** What somebody prefers. Kept in this browser alone; limits on play are the server's (`/me/limits`). */

export type Theme = "auto" | "light" | "dark";
export type Palette = "usual" | "blue-orange" | "grey";
export type Calls = "plain" | "colorful" | "silent";

export interface Preferences {
  theme: Theme;
  palette: Palette;
  calls: Calls;
  /** Dice that appear at once, whatever the device prefers. */
  still: boolean;
  sound: boolean;
  vibration: boolean;
  /** Rails and results are covered until asked for. */
  hideBalance: boolean;
  /** Felt as a structured list. */
  text: boolean;
  /** Single letters act. */
  letters: boolean;
  /** Which key does what, where it was changed. */
  keys: Record<string, string>;
  /** Edges above this are marked in replays, as a fraction. */
  glyphAbove: string;
}

const USUAL: Preferences = {
  theme: "auto",
  palette: "usual",
  calls: "plain",
  still: false,
  sound: false,
  vibration: false,
  hideBalance: false,
  text: false,
  letters: true,
  keys: {},
  glyphAbove: "1/20",
};

const KEPT_AS = "boxperson.preferences";

function kept(): Preferences {
  try {
    const text = localStorage.getItem(KEPT_AS);
    const found: unknown = text === null ? null : JSON.parse(text);
    if (typeof found !== "object" || found === null) return { ...USUAL };
    const known = Object.entries(found).filter(
      ([key, value]) => key in USUAL && typeof value === typeof USUAL[key as keyof Preferences],
    );
    const all: Preferences = { ...USUAL, ...Object.fromEntries(known) };
    // It was once spelled otherwise.
    return (all.calls as string) === "colourful" ? { ...all, calls: "colorful" } : all;
  } catch {
    return { ...USUAL };
  }
}

export const preferences: Preferences = $state(kept());

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Do things move here? */
export function moves(): boolean {
  return !preferences.still && !still.matches;
}

function show(): void {
  const root = document.documentElement;
  root.dataset.theme = preferences.theme === "auto" ? (dark.matches ? "dark" : "light") : preferences.theme;
  root.dataset.palette = preferences.palette;
  root.dataset.motion = preferences.still ? "none" : "some";
}

/** Keeps the page as somebody prefers it. */
export function keep(): void {
  dark.addEventListener("change", show);
  $effect.root(() => {
    $effect(() => {
      show();
      try {
        localStorage.setItem(KEPT_AS, JSON.stringify(preferences));
      } catch {
        // A browser that keeps nothing still plays.
      }
    });
  });
}
