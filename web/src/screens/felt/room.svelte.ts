/** The shared state of one table's screen. `live` is the table itself, and `player` sends the player's actions. */
import { untrack } from "svelte";
import { get, path } from "../../api/client";
import type { RollView, WagerView } from "../../api/openapi";
import type { Travel } from "../../felt/stacks";
import { moves, preferences } from "../../lib/settings.svelte";
import { LiveTable } from "../../live/table.svelte";
import { Crew } from "./crew.svelte";
import { FeltParts } from "./parts.svelte";
import { Player } from "./player.svelte";

export type Tab = "results" | "odds" | "notes" | "chat" | "fair";

export class Room {
  readonly live: LiveTable;
  readonly player: Player;
  readonly parts: FeltParts;
  readonly crew: Crew;
  /** The focused area. */
  chosen = $state<string | null>(null);
  /** The seat that a watcher follows. */
  following = $state<number | null>(null);
  tab = $state<Tab>("results");
  /** True if a narrow window shows the results over the felt. */
  sheet = $state(false);
  /** An earlier roll that the user picked. */
  picked = $state.raw<RollView | null>(null);
  uncovered = $state(false);

  readonly view = $derived.by(() => this.live.view);
  readonly own = $derived.by(() => this.live.own);
  readonly seat = $derived(this.own?.seat ?? null);
  /** The user's own seat, or else the seat that is followed. */
  readonly watched = $derived(this.seat ?? this.following);
  readonly roll = $derived.by(() => this.picked ?? (this.live.tumbling ? null : this.live.last));
  readonly hidden = $derived(preferences.hideBalance && !this.uncovered);
  readonly onFelt = $derived(this.own?.bets.reduce((sum, bet) => sum + bet.stake, 0) ?? 0);
  readonly result = $derived(
    this.own?.brought == null || this.own.rail == null ? null : this.own.rail + this.onFelt - this.own.brought,
  );
  readonly shooter = $derived(this.view?.shooter?.seat ?? this.view?.next_shooter?.seat ?? null);
  readonly mayRoll = $derived.by(
    () => this.view?.can_roll === true && this.live.ready && (this.live.busy || !this.player.rolling),
  );

  /** Returns the name of a bet at this table. */
  readonly names = $derived.by(() => {
    const known = new Map<string, string>();
    for (const terms of this.live.legal.values()) known.set(terms.bet, terms.name);
    for (const price of Object.values(this.parts.layout?.prices ?? {})) known.set(price.bet, price.name);
    return (bet: string) => known.get(bet) ?? bet;
  });

  /** Bets that moved to their number with the last roll. */
  readonly travelled = $derived.by((): Travel[] => {
    const results = this.view?.rolls.at(-1)?.results ?? [];
    return results.flatMap(({ outcome, stands, seat, bet }) =>
      outcome === "moved" && stands ? [{ seat, from: bet, to: stands.bet }] : [],
    );
  });

  /** The odds that a draw raised for the coming roll or else for the last one, by bet. */
  readonly raised = $derived.by(() => {
    const { drawn, drawing, last } = this.live;
    const raised = drawing || drawn.length > 0 ? drawn : (last?.raised ?? []);
    return new Map(raised.flatMap((one) => one.bets.map((bet) => [bet, one.pays] as const)));
  });

  constructor(readonly table: string) {
    this.live = new LiveTable(table, moves);
    this.player = new Player(this.live);
    this.parts = new FeltParts(
      table,
      () => this.watched,
      () => this.chosen,
    );
    this.crew = new Crew(
      () => this.live.view,
      () => this.seat,
      (book) => get<WagerView[]>(path("books", book, "wagers")),
    );
    this.live.onrow = (row) => this.crew.hear(row);
    $effect(() => {
      const { view } = this;
      if (view) untrack(() => this.crew.see(view));
    });
    $effect(() => {
      void this.live.last?.roll;
      this.picked = null;
    });
  }

  async leave(): Promise<void> {
    if (this.seat !== null) await this.player.leave(this.seat);
  }
}
