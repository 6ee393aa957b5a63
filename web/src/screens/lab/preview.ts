/** The preview of a strategy: which roll to show first, and which part of the felt. */
import { boxOf, type Box, type Layout, Places } from "../../felt/layout";
import type { FeltSeat } from "../../felt/standing";
import type { Step } from "../study/reel";

/** Margins around the shown part, in millimeters. The sides leave room for a stack at the edge of its box. */
const SIDE = 48;
const MARGIN = 30;

/** The point or the come-out before a roll, as text. */
export function line({ before }: Pick<Step, "before">): string {
  return before.point === null || before.point === undefined ? "coming out" : `the point is ${before.point}`;
}

/** The first roll with the most bets before it. */
export function richest(felts: readonly { seats: readonly FeltSeat[] }[]): number {
  const counts = felts.map((felt) => felt.seats.reduce((sum, seat) => sum + seat.bets.length, 0));
  return Math.max(0, counts.indexOf(Math.max(0, ...counts)));
}

/** The part of the felt to show: the seat's end, and the center if the session has bets there. */
export function crop(layout: Layout, seat: number, bets: Iterable<string>): Box {
  const places = new Places(layout);
  const end = places.endOf(seat);
  const central = [...bets].some((bet) => places.at(seat, bet)?.area.end === "centre");
  const boxes = layout.areas
    .filter((area) => (area.end === end && area.seat === null) || (central && area.end === "centre"))
    .map((area) => boxOf(area.shape));
  if (boxes.length === 0) return { x: 0, y: 0, w: layout.surface.w, h: layout.surface.h };
  const left = Math.max(0, Math.min(...boxes.map((box) => box.x)) - SIDE);
  const top = Math.max(0, Math.min(...boxes.map((box) => box.y)) - MARGIN);
  const right = Math.min(layout.surface.w, Math.max(...boxes.map((box) => box.x + box.w)) + SIDE);
  const bottom = Math.min(layout.surface.h, Math.max(...boxes.map((box) => box.y + box.h)) + MARGIN);
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** All bets of a session. */
export function everStood(felts: readonly { seats: readonly FeltSeat[] }[]): Set<string> {
  return new Set(felts.flatMap((felt) => felt.seats.flatMap((seat) => seat.bets.map((bet) => bet.bet))));
}
