/** What a chip on an area would do: the terms of the bet, its odds, and what the amount would win. All of it comes from the server. */
import type { LegalView, Quote } from "../../api/openapi";
import { codesOf, type Area, type Price } from "../../felt/layout";
import type { Player } from "./player.svelte";

export interface Asked {
  area: Area;
  legal: Map<string, LegalView>;
  prices: Record<string, Price>;
  player: Player;
}

export class Offer {
  readonly #asked: () => Asked;
  readonly open = $derived.by(() => this.all().filter((one) => one.open));
  readonly terms = $derived.by(() => this.open[0] ?? this.#asked().legal.get(this.#asked().area.bets[0] ?? ""));
  readonly price = $derived.by(() => this.#asked().prices[this.terms?.bet ?? this.#asked().area.bets[0] ?? ""]);
  readonly stands = $derived.by(() => (this.terms ? this.#asked().player.standing(this.terms.bet) : undefined));
  quote = $state.raw<Quote | null>(null);

  constructor(asked: () => Asked) {
    this.#asked = asked;
    $effect(() => {
      const { player } = asked();
      const bet = this.terms?.open ? this.terms.bet : null;
      const amount = player.hand + (this.stands?.stake ?? 0);
      this.quote = null;
      if (bet === null) return;
      const gone = new AbortController();
      player.quote(bet, amount, gone.signal).then(
        (told) => (this.quote = told),
        () => undefined,
      );
      return () => gone.abort();
    });
  }

  private all(): LegalView[] {
    const { area, legal } = this.#asked();
    return codesOf(area)
      .map((code) => legal.get(code))
      .filter((one) => one !== undefined);
  }
}
