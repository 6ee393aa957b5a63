/** The betting window as text. The server says how long it is and who isn't ready. */
import type { WindowView } from "../../api/openapi";

const OFTEN: Record<number, string> = { 2: "twice as long", 4: "four times as long" };

/** The milliseconds that are left, `passed` milliseconds after the server's answer. */
export function leftAfter(window: Pick<WindowView, "left">, passed: number): number {
  return Math.max(0, window.left - Math.max(0, passed));
}

/** The part of the window that is left, from 1 to 0, for the bar. */
export function share(window: Pick<WindowView, "seconds" | "times">, left: number): number {
  const whole = window.seconds * window.times * 1000;
  return whole <= 0 ? 0 : Math.min(1, left / whole);
}

export function inWords(window: WindowView, left: number): string {
  if (left <= 0) return "The dice can be rolled any time now.";
  const seconds = Math.ceil(left / 1000);
  const time =
    seconds === 1
      ? "another second"
      : seconds > 90
        ? `another ${Math.ceil(seconds / 60)} minutes`
        : `another ${seconds} seconds`;
  const often = OFTEN[window.times];
  const longer = often ? ` (${often}, because a player needs it)` : "";
  const others =
    window.waiting_for === 0
      ? ""
      : window.waiting_for === 1
        ? "; one player is not ready"
        : `; ${window.waiting_for} players are not ready`;
  return `Bets stay open for ${time}${longer}${others}.`;
}
