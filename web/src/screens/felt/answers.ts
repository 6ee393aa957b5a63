/**
 * Answers to questions that are asked in words. The server understands the question and names the route that has the answer; the page shows what it
 * already knows from that route.
 */
import { path } from "../../api/client";
import { bare, money } from "../../lib/money";
import type { Room } from "./room.svelte";

/** Words, or the card of a result: of a roll and its number, or of the last roll. */
export type Reply = { text: string } | { card: { roll: number; n: number } | null };

/** What the next roll would bring; of one total where the question names it. */
export function exposure({ live }: Room, asked = ""): string {
  const all = live.outcomes?.exposure ?? [];
  const spoken = ` ${asked.toLowerCase().replace(/[^a-z0-9]+/g, " ")} `;
  const named = all.filter((one) => spoken.includes(` ${one.thrown.toLowerCase()} `));
  // “hard 8” also names the 8: the longest name is meant.
  const longest = named.sort((a, b) => b.thrown.length - a.thrown.length)[0];
  const shown = longest ? [longest] : all;
  return shown.map((one) => `${one.thrown}: ${bare(one.net)}`).join("; ") || "You have no bets at risk.";
}

/** One's own bets and chips, and the point. */
function standing({ view, own }: Room): string {
  const bets = (own?.bets ?? []).map((bet) => `${bet.name} ${money(bet.stake)}${bet.works ? "" : " (off)"}`);
  const parts = [
    bets.length > 0 ? `Your bets: ${bets.join(", ")}.` : "You have no bets.",
    own?.rail == null ? "" : `Chips: ${money(own.rail)}.`,
    view?.point ? `The point is ${view.point}.` : "The next roll is a come-out.",
  ];
  return parts.filter(Boolean).join(" ");
}

function open({ live }: Room): string {
  const names = [...live.legal.values()].filter((terms) => terms.open).map((terms) => terms.name);
  return names.length > 0 ? `Open: ${[...new Set(names)].join(", ")}.` : "No bets are open right now.";
}

/** The answer that a route of the table has. */
export function answered(see: string, asked: string, room: Room): Reply {
  const table = path("tables", room.table);
  const [route = ""] = (see.startsWith(table) ? see.slice(table.length) : "").split("?");
  const [, what, roll, n] = route.split("/");
  if (what === "outcomes") return { text: exposure(room, asked) };
  if (what === "legal") return { text: open(room) };
  if (what === "why") return { card: { roll: Number(roll), n: Number(n) } };
  if (what === "rolls") return { card: null };
  return { text: standing(room) };
}
