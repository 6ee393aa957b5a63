/** The layout that the server makes from the table's rules. All lengths are in millimeters, seen from the stick. */

import type { Area, Band, BetPrice, FeltDice, FeltText, Layout, Mark, Marker, Shape, TableEnd } from "../api/openapi";

export type { Area, Band, FeltDice, FeltText, Layout, Mark, Marker, Shape };
export type End = TableEnd;
export type Price = BetPrice;

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

export function boxOf(shape: Shape): Box {
  if (shape.kind === "circle") return { x: shape.cx - shape.r, y: shape.cy - shape.r, w: 2 * shape.r, h: 2 * shape.r };
  return { x: shape.x, y: shape.y, w: shape.w, h: shape.h };
}

export function middle(shape: Shape): Point {
  const { x, y, w, h } = boxOf(shape);
  return { x: x + w / 2, y: y + h / 2 };
}

/** All bets whose chips can be in an area: first those that are made there, then those that only move there (some books let players add to them). */
export function codesOf(area: Area): string[] {
  return [...new Set([...area.bets, ...area.stacks.map((stack) => stack.bet)])];
}

/** How many letters fit on a player's nameplate without covering another nameplate or the number of an empty seat. */
export function plaque(
  at: Point & { seat: number },
  stations: (Point & { seat: number })[],
  taken: (seat: number) => boolean,
): number {
  const room = (other: Point & { seat: number }) => {
    const apart = Math.hypot(other.x - at.x, other.y - at.y);
    return taken(other.seat) ? apart - 24 : 2 * (apart - 32);
  };
  const rooms = stations.filter((other) => other.seat !== at.seat).map(room);
  return Math.floor((Math.min(330, ...rooms) - 74) / 16);
}

/** A player's name and chips, shortened to fit. */
export function plaqued(name: string, rail: string | null, letters: number): string {
  const whole = rail === null ? name : `${name} ${rail}`;
  if (whole.length <= letters) return whole;
  if (rail !== null && rail.length + 3 <= letters) return `${name.slice(0, letters - rail.length - 2)}… ${rail}`;
  return name.length <= letters ? name : `${name.slice(0, Math.max(letters - 1, 1))}…`;
}

/** The bounding box of areas, with a margin. */
export function around(areas: Area[], margin = 14): Box | null {
  const boxes = areas.map((area) => boxOf(area.shape));
  if (boxes.length === 0) return null;
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const [right, bottom] = [
    Math.max(...boxes.map((box) => box.x + box.w)),
    Math.max(...boxes.map((box) => box.y + box.h)),
  ];
  return { x: x - margin, y: y - margin, w: right - x + 2 * margin, h: bottom - y + 2 * margin };
}

/** The SVG path of a shape. The corners of a rectangle can have different radii. */
export function outline(shape: Shape): string {
  if (shape.kind === "path") return shape.d;
  if (shape.kind === "circle") {
    const { cx, cy, r } = shape;
    return `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
  const { x, y, w, h } = shape;
  const [tl = 0, tr = 0, br = 0, bl = 0] = shape.r;
  const arc = (r: number, dx: number, dy: number) => (r === 0 ? "" : `a${r} ${r} 0 0 1 ${dx} ${dy}`);
  return `M${x + tl} ${y}H${x + w - tr}${arc(tr, tr, tr)}V${y + h - br}${arc(br, -br, br)}H${x + bl}${arc(bl, -bl, -bl)}V${y + tl}${arc(tl, tl, -tl)}z`;
}

/** The approximate width of letters, relative to the font size. */
const WIDTHS = { slab: 0.64, tight: 0.5, ui: 0.58 };

/** The font size at which a text fits its space. */
export function fitted(text: FeltText): number {
  if (text.fit == null) return text.size;
  const long = text.text.length * (WIDTHS[text.face] * text.size + text.spread);
  return long <= text.fit ? text.size : (text.size * text.fit) / long;
}

/** The position of a seat's bet, and its area. */
export interface Standing extends Point {
  area: Area;
}

/** Finds the positions of bets. Results are cached, because every change asks for them again. */
export class Places {
  private readonly known = new Map<string, Standing | null>();
  private readonly ends: Map<number, End>;
  private readonly byBet = new Map<string, Area[]>();

  constructor(readonly layout: Layout) {
    this.ends = new Map(layout.stations.map((station) => [station.seat, station.end]));
    for (const area of layout.areas) {
      for (const code of codesOf(area)) this.byBet.set(code, [...(this.byBet.get(code) ?? []), area]);
    }
  }

  /** The end of the table that a seat is at. A seat whose end isn't shown reaches only the center. */
  endOf(seat: number): End {
    return this.ends.get(seat) ?? "centre";
  }

  /** The areas for a bet within a seat's reach, its own first. */
  areasOf(bet: string, seat: number | null): Area[] {
    const end = seat === null ? null : this.endOf(seat);
    const reached = (this.byBet.get(bet) ?? []).filter(
      (area) =>
        (area.seat === null || area.seat === seat) && (end === null || area.end === "centre" || area.end === end),
    );
    return reached.sort(
      (a, b) =>
        Number(b.seat === seat) - Number(a.seat === seat) || Number(b.bets[0] === bet) - Number(a.bets[0] === bet),
    );
  }

  at(seat: number, bet: string): Standing | null {
    const key = `${seat} ${bet}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = this.find(seat, bet);
    this.known.set(key, found);
    return found;
  }

  private find(seat: number, bet: string): Standing | null {
    for (const area of this.areasOf(bet, seat)) {
      const spot = area.spots.find((one) => one.seat === seat) ?? middle(area.shape);
      const shift = area.stacks.find((one) => one.bet === bet) ?? { dx: 0, dy: 0 };
      return { area, x: spot.x + shift.dx, y: spot.y + shift.dy };
    }
    return null;
  }
}

/** The nearest area in the direction of an arrow key. */
export function neighbor(areas: Area[], from: Area, dx: number, dy: number): Area | null {
  const start = middle(from.shape);
  let best: Area | null = null;
  let least = Infinity;
  for (const area of areas) {
    if (area === from) continue;
    const at = middle(area.shape);
    const along = (at.x - start.x) * dx + (at.y - start.y) * dy;
    const aside = Math.abs((at.x - start.x) * dy) + Math.abs((at.y - start.y) * dx);
    if (along <= 4) continue;
    const far = along + 2 * aside;
    if (far < least) [best, least] = [area, far];
  }
  return best;
}
