/**
 * What the letters of a bet's code mean to a reader.
 *
 * TODO(server): a price of the layout should tell the button that lies on such chips and what can be typed to go to the bet. Until it does, this is
 * the one place of the page that looks at the letters of a code.
 */
import type { Layout } from "./layout";

/** What the button on a stack says. */
export function buttonOf(_layout: Layout, bet: string): string | null {
  return /^BY\d/.test(bet) ? "BUY" : /^LY\d/.test(bet) ? "LAY" : null;
}

/** The code that was typed: `p 6` is the place bet on six. */
export function spelled(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/\s+/g, "")
    .replace(/^P(\d+)$/, "PL$1");
}
