/** The actions of a player. Pointer, touch, keys and typed words all use them. */
import { get, path, post, query, Refused, words } from "../../api/client";
import type { Answer, Offer, Quote, RefusalView, StandingView, Understood } from "../../api/openapi";
import { money } from "../../lib/money";
import { OFFLINE, type LiveTable } from "../../live/table.svelte";

/** The message below the felt: a refusal with its section and offers, or a confirmation. */
export interface Notice {
  kind: "refused" | "done" | "asked";
  text: string;
  cite: string | null;
  /** The key of the house rule behind a refusal. */
  key?: string | null;
  /** Alternatives, such as amounts that the table would take. */
  instead: { text: string; act: () => void }[];
}

/** Makes a seed that nobody knows before the roll: 128 random bits in hex. */
export function freshSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Player {
  notice = $state.raw<Notice | null>(null);
  /** The chip to bet with, in cents. */
  hand = $state(500);
  /** True if a touch removes chips instead of adding them. */
  minus = $state(false);

  /** Returns the text that answers a question, or null. The server names the route with the answer. */
  answers: (see: string) => Promise<string | null> = () => Promise.resolve(null);
  /** True while a roll command waits for its answer. */
  rolling = $state(false);

  constructor(private readonly live: LiveTable) {}

  /** True if commands can be sent, which needs a connection. */
  get ready(): boolean {
    return this.live.ready;
  }

  /** Shows a notice and returns true if there is no connection. */
  private offline(): boolean {
    if (this.ready) return false;
    this.notice = { kind: "refused", text: OFFLINE, cite: null, instead: [] };
    return true;
  }

  bets(): StandingView[] {
    return this.live.own?.bets ?? [];
  }

  standing(bet: string): StandingView | undefined {
    return this.bets().find((one) => one.bet === bet);
  }

  async add(bet: string, amount = this.hand): Promise<void> {
    if (this.offline()) return;
    const lock = this.live.legal.get(bet)?.locked;
    if (lock && !this.standing(bet)) {
      this.notice = {
        kind: "asked",
        text: `${lock} Bet ${money(amount)}?`,
        cite: this.live.legal.get(bet)?.cite ?? null,
        instead: [{ text: `Bet ${money(amount)}`, act: () => void this.put(bet, amount) }],
      };
      return;
    }
    await this.put(bet, amount);
  }

  private async put(bet: string, amount: number): Promise<void> {
    await this.order([{ bet, amount }]);
  }

  async reduce(bet: string, amount = this.hand): Promise<void> {
    const standing = this.standing(bet)?.stake ?? 0;
    if (standing === 0) return;
    await this.order([{ bet, op: "down", amount: Math.min(amount, standing) }]);
  }

  async takeDown(bet: string): Promise<void> {
    await this.order([{ bet, op: "down" }]);
  }

  /** Bets the maximum, or as much as the player's chips allow. */
  async most(bet: string): Promise<void> {
    if (this.offline()) return;
    const terms = this.live.legal.get(bet);
    if (!terms?.open) return this.refuse(bet);
    const most = terms.most ?? 0;
    if (most <= 0) {
      this.notice = {
        kind: "refused",
        text: `${terms.name} is at the maximum, or you have too few chips.`,
        cite: terms.cite,
        instead: [],
      };
      return;
    }
    await this.add(bet, most);
  }

  async call(bet: string, on: boolean): Promise<void> {
    await this.order([{ bet, op: on ? "on" : "off" }]);
  }

  async toggle(bet: string): Promise<void> {
    const standing = this.standing(bet);
    if (standing) await this.call(bet, !standing.works);
  }

  /** Turns all bets off if any is on, otherwise all on. */
  async toggleAll(): Promise<void> {
    const bets = this.bets();
    const off = bets.some((bet) => bet.works);
    await this.say(off ? "all off" : "all on");
  }

  async press(bet: string, how: "press" | "half" | "same" | "down"): Promise<void> {
    if (this.offline()) return;
    if (how === "same") this.notice = { kind: "done", text: "Same bet.", cite: null, instead: [] };
    else if (how === "down") await this.takeDown(bet);
    else await this.say(how === "press" ? `press ${bet}` : `half press ${bet}`);
  }

  async say(text: string): Promise<boolean> {
    return this.act({ do: "actions", say: text }, (answer) =>
      answer.see == null ? (answer.understood ?? null) : this.answers(answer.see),
    );
  }

  undo = () => this.act({ do: "undo" });
  redo = () => this.act({ do: "redo" });
  repeat = () => this.act({ do: "repeat" });
  clear = () => this.act({ do: "clear" });
  passDice = () => this.act({ do: "pass-dice" });
  leave = (seat: number) => this.act({ do: "leave", seat });
  /** Takes back a request that waits for the crew. */
  takeBack = (request: number) => this.act({ do: "reply", request, agrees: false });
  buyIn = (amount: number) => this.act({ do: "buy-in", amount });

  /** Sets the seed that counts for the dice. */
  seed = (seed: string) => this.act({ do: "seed", seed });

  async roll(): Promise<void> {
    if (this.live.busy) return this.live.skip();
    // One roll at a time: pressing the button again before the answer does nothing.
    if (this.rolling) return;
    this.rolling = true;
    await this.act({ do: "roll", seed: freshSeed() });
    this.rolling = false;
  }

  /** Shows why a bet is closed. */
  refuse(bet: string): void {
    if (this.offline()) return;
    const terms = this.live.legal.get(bet);
    if (terms)
      this.notice = {
        kind: "refused",
        text: terms.reason ?? `${terms.name} is closed right now.`,
        cite: terms.cite || null,
        key: terms.refusal?.key ?? null,
        instead: this.offers(terms.refusal?.instead ?? []),
      };
  }

  private order(bets: Record<string, unknown>[]): Promise<boolean> {
    return this.act({ do: "actions", bets });
  }

  /** Makes a button for each offer. Waiting needs no button. */
  private offers(instead: Offer[]): Notice["instead"] {
    return instead.flatMap(({ text, bet, amount, op }) => {
      if (op === "wait" || bet == null) return [];
      const order = op === "bet" ? { bet, amount } : { bet, op, amount };
      return [{ text, act: () => void this.order([order]) }];
    });
  }

  private async act(
    command: Record<string, unknown>,
    told?: (answer: Answer) => string | null | Promise<string | null>,
  ): Promise<boolean> {
    try {
      const answer = await this.live.send(command);
      // The answer came after a lost connection, so say that the action was done.
      const text =
        (await told?.(answer)) ?? (answer.again ? "The connection broke, but your last action went through." : null);
      this.notice = text === null ? null : { kind: "done", text, cite: null, instead: [] };
      return true;
    } catch (thrown) {
      const refused = thrown instanceof Refused ? thrown : null;
      const suggested = (refused?.problem.suggestions ?? []).map((text) => ({ text, act: () => void this.say(text) }));
      const offered = this.offers(refused?.problem.refusal?.instead ?? []);
      this.notice = {
        kind: refused?.problem.code === "ask-back" ? "asked" : "refused",
        text: words(thrown),
        cite: refused?.cite ?? null,
        key: refused?.problem.refusal?.key ?? null,
        instead: [...suggested, ...offered],
      };
      return false;
    }
  }

  quote(bet: string, amount: number, signal?: AbortSignal): Promise<Quote> {
    return get<Quote>(path("tables", this.live.table, "quote") + query({ bet, amount }), signal);
  }

  /** What the server understands of typed words, before anything is done. */
  async understood(
    text: string,
    signal?: AbortSignal,
  ): Promise<{ echo: string[]; ask: string | null; suggestions: string[]; refused: RefusalView | null }> {
    const view = this.live.view;
    const seat = this.live.own?.seat;
    if (!view || seat === undefined) return { echo: [], ask: null, suggestions: [], refused: null };
    const felt = await get<string>(path("tables", this.live.table, "felt"), signal);
    const told = await post<Understood>(
      "/talk",
      {
        text,
        house: { book: view.book, as_of: view.as_of, game: view.game, keys: view.keys },
        felt: felt.trim(),
        seat,
      },
      signal,
    );
    return {
      echo: told.orders.map((order) => order.echo),
      ask: told.ask?.message ?? null,
      suggestions: told.ask?.suggestions ?? [],
      refused: told.orders.map((order) => order.refused).find(Boolean) ?? null,
    };
  }
}
