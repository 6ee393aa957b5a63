/** Betting on the areas of the felt: which areas are open, their labels, and what a click, key or touch does. */
import { codesOf, type Area, type Point } from "../../felt/layout";
import type { Touched } from "../../felt/lens";
import type { FeltBet } from "../../felt/standing";
import { money } from "../../lib/money";
import type { Room } from "./room.svelte";
import { amounts } from "./terms";

interface Spot {
  area: Area;
  at: Point;
}

export class Betting {
  menu = $state.raw<Spot | null>(null);
  hover = $state.raw<Spot | null>(null);
  touched = $state.raw<Touched | null>(null);

  constructor(private readonly room: Room) {}

  /** The area that has the focus. */
  get area(): Area | null {
    return this.room.parts.drawn?.areas.find((one) => one.id === this.room.chosen) ?? null;
  }

  openBets(area: Area): string[] {
    return codesOf(area).filter((bet) => this.room.live.legal.get(bet)?.open);
  }

  readonly state = (area: Area): "open" | "closed" | "none" => {
    const { live, seat } = this.room;
    if (seat === null || live.legal.size === 0) return "none";
    return live.ready && this.openBets(area).length > 0 ? "open" : "closed";
  };

  readonly label = (area: Area): string => {
    const price = this.room.parts.drawn?.prices[area.bets[0] ?? ""];
    const parts = [area.name, price ? `pays ${price.pays}` : "", this.now(area), ...this.mine(area)];
    return parts.filter(Boolean).join("; ");
  };

  private now(area: Area): string {
    const { live } = this.room;
    if (!live.ready) return "closed: no connection";
    const terms = live.legal.get(this.openBets(area)[0] ?? area.bets[0] ?? "");
    if (!terms) return "";
    if (!terms.open) return `closed: ${terms.reason}`;
    return `open, ${amounts(terms)}`;
  }

  private mine(area: Area): string[] {
    const codes = new Set(codesOf(area));
    const bets = (this.room.own?.bets ?? []).filter((bet) => codes.has(bet.bet));
    return bets.map((bet) => `you have ${money(bet.stake)} on ${bet.name}${bet.works ? "" : ", off"}`);
  }

  readonly removable = (bet: FeltBet): boolean => {
    const { live, seat, view } = this.room;
    return live.legal.get(bet.bet)?.locked == null && seat !== null && view?.stage !== "bets-closed";
  };

  /** The player's top bet in an area. */
  standingIn(area: Area): FeltBet | undefined {
    return codesOf(area)
      .map((code) => this.room.player.standing(code))
      .findLast((bet) => bet !== undefined);
  }

  readonly add = (area: Area, event?: MouseEvent | KeyboardEvent): void => {
    const { live, player, seat } = this.room;
    this.menu = null;
    if (seat === null) return;
    if (!live.ready) return player.refuse(area.bets[0] ?? "");
    if (player.minus) return this.reduce(area);
    const open = this.openBets(area);
    const [first] = open;
    if (!first) {
      // The area may have opened with a roll that is still being shown.
      void live.settled().then(() => {
        if (this.openBets(area).length > 0) this.add(area, event);
        else player.refuse(area.bets[0] ?? "");
      });
    } else if (open.length > 1) {
      const at = event && "clientX" in event ? { x: event.clientX, y: event.clientY } : middleOf(area);
      this.menu = { area, at };
    } else void (event?.shiftKey ? player.most(first) : player.add(first));
  };

  readonly reduce = (area: Area): void => {
    const bet = this.standingIn(area);
    if (bet) void this.room.player.reduce(bet.bet);
  };

  readonly remove = (area: Area): void => {
    const bet = this.standingIn(area);
    if (bet) void this.room.player.takeDown(bet.bet);
  };

  /** Bets the maximum on an area. */
  most(area: Area): void {
    const [first] = this.openBets(area);
    if (first) void this.room.player.most(first);
    else this.room.player.refuse(area.bets[0] ?? "");
  }

  readonly openMenu = (area: Area, at: Point): void => {
    this.menu = { area, at };
  };

  readonly hovered = (area: Area | null, at: Point): void => {
    this.hover = area && this.room.seat !== null ? { area, at } : null;
  };

  readonly touches = (touched: Touched | null): void => {
    this.touched = this.room.seat === null ? null : touched;
  };

  /** The bet that a key acts on: the player's bet in the focused area, or else the last winner. */
  meant(): string | null {
    const { area } = this;
    const bet = area ? this.standingIn(area) : undefined;
    if (bet) return bet.bet;
    const results = this.room.live.last?.results ?? [];
    const won = results.find(({ seat, outcome, stands }) => seat === this.room.seat && outcome === "won" && stands);
    return won?.bet ?? null;
  }
}

/** The center of an area, in the window. */
function middleOf(area: Area): Point {
  const box = document.querySelector(`[data-area="${CSS.escape(area.id)}"]`)?.getBoundingClientRect();
  if (!box) return { x: innerWidth / 2, y: innerHeight / 2 };
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
