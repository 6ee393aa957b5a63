/** The screen of one table: what several of its parts look at. The table itself is `live`, what is done at it goes through `player`. */
import type { RollView } from "../../api/openapi";
import type { Travel } from "../../felt/stacks";
import { moves, preferences } from "../../lib/settings.svelte";
import { LiveTable } from "../../live/table.svelte";
import { FeltParts } from "./parts.svelte";
import { Player } from "./player.svelte";

export type Tab = "results" | "odds" | "notes" | "chat" | "fair";

export class Room {
  readonly live: LiveTable;
  readonly player: Player;
  readonly parts: FeltParts;
  /** The area that has the focus. */
  chosen = $state<string | null>(null);
  /** The player whom a watcher follows. */
  following = $state<number | null>(null);
  tab = $state<Tab>("results");
  /** In a narrow window, what happened is shown over the felt. */
  sheet = $state(false);
  /** A roll that was picked to be looked at again. */
  picked = $state.raw<RollView | null>(null);
  uncovered = $state(false);

  readonly view = $derived.by(() => this.live.view);
  readonly own = $derived.by(() => this.live.own);
  readonly seat = $derived(this.own?.seat ?? null);
  /** The seat that is looked at: one's own, or the one that is followed. */
  readonly watched = $derived(this.seat ?? this.following);
  readonly roll = $derived.by(() => this.picked ?? (this.live.tumbling ? null : this.live.last));
  readonly hidden = $derived(preferences.hideBalance && !this.uncovered);
  readonly onFelt = $derived(this.own?.bets.reduce((sum, bet) => sum + bet.stake, 0) ?? 0);
  readonly result = $derived(
    this.own?.brought == null || this.own.rail == null ? null : this.own.rail + this.onFelt - this.own.brought,
  );
  readonly shooter = $derived(this.view?.shooter?.seat ?? this.view?.next_shooter?.seat ?? null);
  readonly mayRoll = $derived.by(
    () => this.view?.can_roll === true && this.live.ready && (this.live.tumbling || !this.player.rolling),
  );

  /** What a bet is called here. */
  readonly names = $derived.by(() => {
    const known = new Map<string, string>();
    for (const terms of this.live.legal.values()) known.set(terms.bet, terms.name);
    for (const price of Object.values(this.parts.layout?.prices ?? {})) known.set(price.bet, price.name);
    return (bet: string) => known.get(bet) ?? bet;
  });

  /** Bets that went to their number with the last roll. */
  readonly travelled = $derived.by((): Travel[] => {
    const results = this.view?.rolls.at(-1)?.results ?? [];
    return results.flatMap(({ outcome, stands, seat, bet }) =>
      outcome === "moved" && stands ? [{ seat, from: bet, to: stands.bet }] : [],
    );
  });

  /** What a draw raised for the last roll, or the one in the air. */
  readonly raised = $derived.by(() => {
    const raised = this.live.last?.raised ?? [];
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
    $effect(() => {
      void this.live.last?.roll;
      this.picked = null;
    });
  }

  async leave(): Promise<void> {
    if (this.seat !== null) await this.player.leave(this.seat);
  }
}
