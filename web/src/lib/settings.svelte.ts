/** The user's preferences, stored only in this browser. Limits on play are stored on the server (`/me/limits`). */

export type Theme = "auto" | "light" | "dark";
export type Palette = "usual" | "blue-orange" | "grey";
export type Calls = "plain" | "colorful" | "silent";

export interface Preferences {
  theme: Theme;
  palette: Palette;
  calls: Calls;
  /** Show dice without animation, even if the device allows motion. */
  still: boolean;
  sound: boolean;
  vibration: boolean;
  /** Hide chips and results until the user asks for them. */
  hideBalance: boolean;
  /** Show the felt as a list. */
  text: boolean;
  /** Allow single letters as shortcuts. */
  letters: boolean;
  /** Changed shortcuts: action to key. */
  keys: Record<string, string>;
  /** Replays mark bets with a house edge above this fraction. */
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
    // Older versions stored the British spelling.
    return (all.calls as string) === "colourful" ? { ...all, calls: "colorful" } : all;
  } catch {
    return { ...USUAL };
  }
}

export const preferences: Preferences = $state(kept());

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** True if animations are on. */
export function moves(): boolean {
  return !preferences.still && !still.matches;
}

function show(): void {
  const root = document.documentElement;
  root.dataset.theme = preferences.theme === "auto" ? (dark.matches ? "dark" : "light") : preferences.theme;
  root.dataset.palette = preferences.palette;
  root.dataset.motion = preferences.still ? "none" : "some";
}

/** Applies the preferences to the page and stores them when they change. */
export function keep(): void {
  dark.addEventListener("change", show);
  $effect.root(() => {
    $effect(() => {
      show();
      try {
        localStorage.setItem(KEPT_AS, JSON.stringify(preferences));
      } catch {
        // Without storage the page still works.
      }
    });
  });
}
