/** The stacks of chips on a felt: the position, size and label of each. */
import { stacked } from "../lib/chips";
import { money, plain } from "../lib/money";
import type { Places, Point } from "./layout";
import type { FeltBet, FeltSeat } from "./standing";

export interface Stack extends Point {
  key: string;
  seat: FeltSeat;
  bet: FeltBet;
  own: boolean;
  r: number;
  chips: number[];
  /** The amount written below the stack; null if another stack's label includes it. */
  tag: string | null;
  /** Where it was before the last roll, if it moved. */
  from: Point | null;
}

/** A bet that moved with the last roll. */
export interface Travel {
  seat: number;
  from: string;
  to: string;
}

interface Felt {
  places: Places;
  seats: FeltSeat[];
  /** The seat whose chips are drawn larger. */
  seat: number | null;
  /** The lowest chip, in cents. */
  chip: number;
  travelled: Travel[];
}

export function stacksOf({ places, seats, seat, chip, travelled }: Felt): Stack[] {
  // A narrow window has less room between the line and the odds behind it.
  const narrow = places.layout.views.length > 0;
  const [large, small] = narrow ? [28, 19] : [33, 20];
  const all: Stack[] = [];
  for (const player of seats) {
    const own = player.seat === seat;
    for (const bet of player.bets) {
      const at = places.at(player.seat, bet.bet);
      if (!at) continue;
      const came = travelled.find((one) => one.seat === player.seat && one.to === bet.bet);
      const from = came ? places.at(player.seat, came.from) : null;
      all.push({
        key: `${player.seat} ${bet.bet}`,
        seat: player,
        bet,
        x: at.x,
        y: at.y,
        own,
        r: own ? large : small,
        chips: stacked(bet.stake, chip, own ? 8 : 4),
        tag: tagOf(player, bet, places),
        from: from ? { x: from.x - at.x, y: from.y - at.y } : null,
      });
    }
  }
  // The player's own chips are drawn above others', and odds above their flat bet.
  const behind = (stack: Stack) => Number(Boolean(stack.bet.behind));
  return all.sort((a, b) => Number(a.own) - Number(b.own) || behind(a) - behind(b));
}

/** Odds in the same area as their flat bet share its label: `10+50`. */
function tagOf(player: FeltSeat, bet: FeltBet, places: Places): string | null {
  const area = places.at(player.seat, bet.bet)?.area;
  const base = bet.behind ? places.at(player.seat, bet.behind) : null;
  if (base !== null && base.area === area) return null;
  const odds = player.bets.find((other) => other.behind === bet.bet);
  const both = odds !== undefined && places.at(player.seat, odds.bet)?.area === area;
  return both ? `${plain(bet.stake)}+${plain(odds.stake)}` : money(bet.stake);
}
