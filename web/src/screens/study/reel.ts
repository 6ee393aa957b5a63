/**
 * A replayed game. The server sends the changes of each roll. The felt before a roll is built from these changes, starting at the nearest stored
 * frame, so that scrubbing is fast even with ten thousand rolls.
 */
import type { FeltChange, LawDifference, LawSide, LineMark, Replay, ReplayStep, ResultView } from "../../api/openapi";
import type { FeltBet, FeltMarker, FeltSeat } from "../../felt/standing";

export type { LawDifference, LawSide };
export type Reel = Replay;
export type Step = ReplayStep;
export type StepResult = ResultView;

/** The felt before a roll. */
interface Frame {
  bets: Map<number, Map<string, FeltBet>>;
  names: Map<number, string>;
  rails: Map<number, number>;
  markers: FeltMarker[];
}

export interface Standing {
  seats: FeltSeat[];
  markers: FeltMarker[];
  point: number | null;
}

/** A full frame is stored every this many rolls. */
const KEPT = 128;

export class Projector {
  private readonly kept: Frame[] = [];

  constructor(readonly reel: Reel) {
    let frame = this.opening();
    reel.steps.forEach((step, at) => {
      if (at % KEPT === 0) this.kept.push(copied(frame));
      frame = apply(frame, step, this.reel.bets);
      settle(frame, step);
    });
  }

  get length(): number {
    return this.reel.steps.length;
  }

  /** The felt right before the dice of a step, or what is left after the last roll. */
  before(at: number): Standing {
    const index = Math.max(0, Math.min(at, this.length));
    const frame = this.at(index);
    const step = this.reel.steps[index];
    if (!step) change(frame, this.reel.end.felt, this.reel.bets);
    return {
      seats: seated(frame),
      markers: frame.markers,
      point: (step ? step.before.point : this.reel.end.line.point) ?? null,
    };
  }

  /** The felt right after the dice of a step, before any other action. */
  after(at: number): Standing {
    const step = this.reel.steps[at];
    if (!step) return this.before(at);
    const frame = this.at(at);
    settle(frame, step);
    const results = step.results ?? [];
    change(
      frame,
      results.map(({ seat, bet }) => ({ seat, bet, stake: 0 })),
      this.reel.bets,
    );
    change(
      frame,
      results.flatMap(({ seat, stands }) =>
        stands ? [{ seat, bet: stands.bet, stake: stands.stake, called: stands.called }] : [],
      ),
      this.reel.bets,
    );
    return { seats: seated(frame), markers: frame.markers, point: step.after.point ?? null };
  }

  /** Builds the frame before a step's dice from the nearest stored frame. */
  private at(index: number): Frame {
    const from = Math.min(Math.floor(index / KEPT), Math.max(this.kept.length - 1, 0));
    const frame = copied(this.kept[from] ?? this.opening());
    for (let one = from * KEPT; one < index; one += 1) {
      const step = this.reel.steps[one];
      if (!step) break;
      apply(frame, step, this.reel.bets);
      settle(frame, step);
    }
    const step = this.reel.steps[index];
    return step ? apply(frame, step, this.reel.bets) : frame;
  }

  private opening(): Frame {
    const { seats } = this.reel.header;
    return {
      bets: new Map(),
      names: new Map(seats.map((seat) => [seat.seat, seat.name])),
      rails: new Map(seats.map((seat) => [seat.seat, seat.rail])),
      markers: [],
    };
  }
}

function apply(frame: Frame, step: Step, names: Reel["bets"]): Frame {
  for (const { seat, name } of step.seats ?? []) {
    if (name === null || name === undefined) frame.names.delete(seat);
    else frame.names.set(seat, name);
  }
  change(frame, step.felt ?? [], names);
  for (const rail of step.rails ?? []) frame.rails.set(rail.seat, rail.before);
  return frame;
}

/** Updates chips and markers after a step is paid. */
function settle(frame: Frame, step: Step): void {
  for (const rail of step.rails ?? []) frame.rails.set(rail.seat, rail.after);
  if (step.markers) frame.markers = step.markers;
}

function change(frame: Frame, changes: FeltChange[], names: Reel["bets"]): void {
  for (const { seat, bet, stake, called, off } of changes) {
    const own = frame.bets.get(seat) ?? new Map<string, FeltBet>();
    frame.bets.set(seat, own);
    const named = names[bet];
    if (stake === 0) own.delete(bet);
    else
      own.set(bet, {
        bet,
        stake,
        name: named?.name ?? bet,
        behind: named?.behind ?? null,
        works: !off,
        called: called ?? "standard",
      });
  }
}

function copied(frame: Frame): Frame {
  return {
    bets: new Map([...frame.bets].map(([seat, bets]) => [seat, new Map(bets)])),
    names: new Map(frame.names),
    rails: new Map(frame.rails),
    markers: frame.markers,
  };
}

function seated(frame: Frame): FeltSeat[] {
  return [...frame.names]
    .sort(([a], [b]) => a - b)
    .map(([seat, name]) => ({
      seat,
      name,
      rail: frame.rails.get(seat) ?? null,
      bets: [...(frame.bets.get(seat)?.values() ?? [])],
    }));
}

export type TickKind = "plain" | "point" | "made" | "out";

export const TICK_NAMES: Record<TickKind, string> = {
  plain: "",
  point: "point set",
  made: "point made",
  out: "seven-out",
};
const TICKS: Partial<Record<LineMark, TickKind>> = { "point-set": "point", "point-made": "made", "seven-out": "out" };
const RANK: Record<TickKind, number> = { plain: 0, point: 1, made: 2, out: 3 };

export function tick(step: Step): TickKind {
  return (step.line_mark && TICKS[step.line_mark]) ?? "plain";
}

/** The index of the next step after `from` that matches, or null. */
export function next(steps: Step[], from: number, is: (step: Step) => boolean): number | null {
  const found = steps.findIndex((step, at) => at > from && is(step));
  return found < 0 ? null : found;
}

/** The kinds of the ticks, one per roll. In a long game a tick covers several rolls and has the most important kind among them. */
export function ticksOf(steps: Step[], most: number): TickKind[] {
  const count = Math.min(steps.length, most);
  const ticks = Array.from({ length: count }, (): TickKind => "plain");
  steps.forEach((step, at) => {
    const slot = Math.floor((at * count) / steps.length);
    const [kind, best] = [tick(step), ticks[slot] ?? "plain"];
    if (RANK[kind] > RANK[best]) ticks[slot] = kind;
  });
  return ticks;
}

/** The text of a roll for a screen reader on the timeline. */
export function tickWords(step: Step): string {
  const thrown = step.no_roll ? `no roll, ${step.no_roll}` : (step.dice?.join("-") ?? "");
  return [`roll ${step.roll}`, thrown, step.call, TICK_NAMES[tick(step)]].filter(Boolean).join(", ");
}
