/**
 * Keyboard shortcuts of the felt. The felt runs them, and the profile shows them and lets people change them.
 *
 * A key is the browser's name for it (`u`, `U`, `Enter`, `Space`, `F2`). The case of a letter depends on the Shift key, so that Caps Lock doesn't
 * turn undo into redo.
 */

export interface Action {
  id: string;
  /** What it does, as shown to people. */
  name: string;
  group: "Chips" | "Bets" | "After a win" | "Game" | "Ask";
  usual: string;
}

export const ACTIONS: readonly Action[] = [
  { id: "chip-1", name: "Take the first chip", group: "Chips", usual: "1" },
  { id: "chip-2", name: "Take the second chip", group: "Chips", usual: "2" },
  { id: "chip-3", name: "Take the third chip", group: "Chips", usual: "3" },
  { id: "chip-4", name: "Take the fourth chip", group: "Chips", usual: "4" },
  { id: "chip-5", name: "Take the fifth chip", group: "Chips", usual: "5" },
  { id: "chip-6", name: "Take the sixth chip", group: "Chips", usual: "6" },
  { id: "go", name: "Go to a bet: then type its code, or its first letter and its number", group: "Bets", usual: "g" },
  { id: "add", name: "Bet the chip in hand", group: "Bets", usual: "Enter" },
  { id: "reduce", name: "Take one chip off", group: "Bets", usual: "-" },
  { id: "take-down", name: "Take the bet down", group: "Bets", usual: "Delete" },
  { id: "most", name: "Bet the maximum, or full odds", group: "Bets", usual: "m" },
  { id: "working", name: "Turn this bet on or off", group: "Bets", usual: "o" },
  { id: "all-working", name: "Turn all bets on or off", group: "Bets", usual: "O" },
  { id: "press", name: "Press", group: "After a win", usual: "p" },
  { id: "half-press", name: "Press half", group: "After a win", usual: "h" },
  { id: "same", name: "Same bet", group: "After a win", usual: "s" },
  { id: "down", name: "Down", group: "After a win", usual: "d" },
  { id: "undo", name: "Undo", group: "Game", usual: "u" },
  { id: "redo", name: "Redo", group: "Game", usual: "U" },
  { id: "repeat", name: "Repeat the last bets", group: "Game", usual: "r" },
  { id: "clear", name: "Take down every bet that can come down", group: "Game", usual: "c" },
  { id: "roll", name: "Roll the dice", group: "Game", usual: "Space" },
  { id: "why", name: "Why?", group: "Ask", usual: "w" },
  { id: "ask", name: "Ask about your bets", group: "Ask", usual: "?" },
];

/** The changed keys, by action. An empty key means that the action has no key. */
export type Changed = Readonly<Record<string, string>>;

/** The parts of a keyboard event that matter here. */
export interface Press {
  key: string;
  shiftKey?: boolean;
  ctrlKey?: boolean;
  altKey?: boolean;
  metaKey?: boolean;
}

/** Keys that the browser and page navigation need. */
const TAKEN = new Set([
  "Tab",
  "Escape",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "F5",
  "F11",
  "F12",
]);
const NONE = new Set([
  "Shift",
  "Control",
  "Alt",
  "AltGraph",
  "Meta",
  "CapsLock",
  "NumLock",
  "Dead",
  "Process",
  "Unidentified",
  "Fn",
  "ContextMenu",
]);

/** The name of the pressed key, or null if it can't be a shortcut. */
export function named(press: Press): string | null {
  if (press.ctrlKey || press.altKey || press.metaKey || NONE.has(press.key)) return null;
  if (press.key === " ") return "Space";
  const [letter, ...more] = press.key;
  if (letter === undefined || more.length > 0) return press.key || null;
  const [small, large] = [letter.toLowerCase(), letter.toUpperCase()];
  if (small === large || press.shiftKey === undefined) return letter;
  return press.shiftKey ? large : small;
}

/** True for a single character, which dictation or an accidental touch of the keyboard can also type. */
export function isCharacter(key: string): boolean {
  return [...key].length === 1;
}

/** The key of an action, or null if it has none. */
export function keyOf(id: string, changed: Changed): string | null {
  const own = Object.hasOwn(changed, id) ? changed[id] : undefined;
  const key = own ?? ACTIONS.find((action) => action.id === id)?.usual;
  return key ? key : null;
}

/** The action of a key press, or null. With `letters` off, single characters do nothing. */
export function actionFor(press: Press, changed: Changed, letters: boolean): string | null {
  const key = named(press);
  if (key === null || (!letters && isCharacter(key))) return null;
  return ACTIONS.find((action) => keyOf(action.id, changed) === key)?.id ?? null;
}

export type Assigned = { changed: Record<string, string> } | { refused: string };

/** Assigns a key to an action. Refuses a key that another action has. */
export function assign(changed: Changed, id: string, key: string): Assigned {
  const action = ACTIONS.find((known) => known.id === id);
  if (!action) return { refused: "Unknown action." };
  if (TAKEN.has(key)) return { refused: `${shown(key)} is needed to navigate the page.` };
  const other = ACTIONS.find((known) => known.id !== id && keyOf(known.id, changed) === key);
  if (other) return { refused: `${shown(key)} is already used for “${other.name}”. Change that key first.` };
  return { changed: without(changed, id, key === action.usual ? null : key) };
}

/** Removes an action's key. */
export function clear(changed: Changed, id: string): Record<string, string> {
  return without(changed, id, "");
}

/** Restores the default key of an action. Refuses if another action has that key now. */
export function restore(changed: Changed, id: string): Assigned {
  const action = ACTIONS.find((known) => known.id === id);
  return action ? assign(changed, id, action.usual) : { refused: "Unknown action." };
}

function without(changed: Changed, id: string, key: string | null): Record<string, string> {
  const rest = Object.fromEntries(Object.entries(changed).filter(([of]) => of !== id));
  return key === null ? rest : { ...rest, [id]: key };
}

/** The text for a key on a button. */
export function shown(key: string): string {
  return key === "-" ? "−" : key === "Delete" ? "Del" : /^[A-Z]$/.test(key) ? `Shift ${key}` : key;
}
