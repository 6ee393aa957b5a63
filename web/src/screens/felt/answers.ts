/**
 * Answers to typed questions. The server reads the question and names the route with the answer. The page shows what it already has from that
 * route, or asks for it.
 */
import { get, path } from "../../api/client";
import type { Outcomes } from "../../api/openapi";
import { bare, money } from "../../lib/money";
import { waiting } from "./requests";
import type { Room } from "./room.svelte";

/** A text, or the card of a result; `card: null` means the last roll. */
export type Reply = { text: string } | { card: { roll: number; n: number } | null };

/** The net result of the next roll, for each kind of roll that the server lists. */
export function exposure(outcomes: Pick<Outcomes, "exposure"> | null): string {
  const all = outcomes?.exposure ?? [];
  return all.map((one) => `${one.thrown}: ${bare(one.net)}`).join("; ") || "You have no bets at risk.";
}

/** The player's bets, chips and requests, and the point. */
function standing({ view, own, crew }: Room): string {
  const bets = (own?.bets ?? []).map((bet) => `${bet.name} ${money(bet.stake)}${bet.works ? "" : " (off)"}`);
  const parts = [
    bets.length > 0 ? `Your bets: ${bets.join(", ")}.` : "You have no bets.",
    own?.rail == null ? "" : `Chips: ${money(own.rail)}.`,
    ...crew.waiting.map((request) => `${waiting(request)}.`),
    view?.point ? `The point is ${view.point}.` : "The next roll is a come-out.",
  ];
  return parts.filter(Boolean).join(" ");
}

function open({ live }: Room): string {
  const names = [...live.legal.values()].filter((terms) => terms.open).map((terms) => terms.name);
  return names.length > 0 ? `Open: ${[...new Set(names)].join(", ")}.` : "No bets are open right now.";
}

/** The answer for a route of the table. */
export async function answered(see: string, room: Room): Promise<Reply> {
  const table = path("tables", room.table);
  const [route = ""] = (see.startsWith(table) ? see.slice(table.length) : "").split("?");
  const [, what, roll, n] = route.split("/");
  if (what === "outcomes") return { text: exposure(await get<Outcomes>(see)) };
  if (what === "legal") return { text: open(room) };
  if (what === "why") return { card: { roll: Number(roll), n: Number(n) } };
  if (what === "rolls") return { card: null };
  return { text: standing(room) };
}
