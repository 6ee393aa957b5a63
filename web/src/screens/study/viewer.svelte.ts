/** The state of a replay: the game, the current roll, and what is shown. All facts of the game come from the server. */
import { get, path, post } from "../../api/client";
import type { SampleHouse } from "../../api/openapi";
import type { Layout } from "../../felt/layout";
import { named } from "../../lib/names";
import { note } from "../../lib/router.svelte";
import { decidedFor, score } from "./guess";
import { withLimitsOf } from "./laws";
import { keyOf, noted, readNotes, type Notes, type RollNote } from "./notes";
import { next, Projector, type Reel, type Step } from "./reel";

/** The pause before the URL is updated, in milliseconds. Browsers limit how often a page can change its URL. */
const REST = 250;

export interface Source {
  table: string;
  hand: string | null;
}

export class Viewer {
  text = $state.raw("");
  game = $state(1);
  reel = $state.raw<Reel | null>(null);
  layout = $state.raw<Layout | null>(null);
  /** The table on this server where the game was played, or null. */
  source = $state.raw<Source | null>(null);
  loading = $state(false);
  trouble = $state.raw<unknown>(null);

  at = $state(0);
  /** True if the dice of this step have been rolled. */
  down = $state(false);
  playing = $state(false);
  speed = $state(1);
  seat = $state(1);
  conceal = $state(false);
  hideNames = $state(false);
  /** The sample house to compare with; empty for none. */
  other = $state("");
  /** True if the other house gets the limits of this game. */
  sameLimits = $state(true);
  houses = $state.raw<SampleHouse[]>([]);
  guesses = $state.raw<Record<number, number>>({});
  notes = $state.raw<Notes>({});

  private readonly projector = $derived(this.reel ? new Projector(this.reel) : null);
  readonly step = $derived<Step | null>(this.reel?.steps[this.at] ?? null);
  readonly decided = $derived(this.step ? decidedFor(this.step, this.seat) : []);
  /** True if the result is hidden until the user has guessed it. */
  readonly kept = $derived(
    this.conceal && this.step !== null && this.decided.length > 0 && this.guesses[this.step.roll] === undefined,
  );
  /** True if the results of the roll are visible. */
  readonly open = $derived(this.down && !this.kept);
  readonly standing = $derived((this.open ? this.projector?.after(this.at) : this.projector?.before(this.at)) ?? null);
  readonly seats = $derived(
    (this.standing?.seats ?? []).map((one) => (this.hideNames ? { ...one, name: `Seat ${one.seat}` } : one)),
  );
  readonly score = $derived(score(this.reel?.steps ?? [], this.seat, this.guesses));
  readonly last = $derived((this.reel?.steps.length ?? 1) - 1);

  private asking: AbortController | null = null;
  private resting: ReturnType<typeof setTimeout> | undefined;

  /** The name of a bet in this game, or under the other law. */
  name = (bet: string): string => {
    const found = this.reel?.bets[bet] ?? this.reel?.other?.bets[bet];
    return found ? named(found) : bet;
  };

  who = (seat: number): string => {
    const name =
      this.seats.find((one) => one.seat === seat)?.name ??
      this.reel?.header.seats.find((one) => one.seat === seat)?.name;
    return this.hideNames || !name ? `seat ${seat}` : name;
  };

  /** Loads the list of sample houses. */
  async learn(signal: AbortSignal): Promise<void> {
    this.houses = await get<SampleHouse[]>("/houses", signal);
  }

  /** Opens the game of a table at a roll. */
  async fetch(source: Source, roll: number): Promise<void> {
    await this.ask(async (signal) => {
      const hand = source.hand ? `?hand=${encodeURIComponent(source.hand)}` : "";
      const text = await get<string>(path("tables", source.table, "cgn") + hand, signal);
      await this.show(text, 1, roll, signal);
      this.source = source;
    });
  }

  /** Opens a game from its text. */
  async read(text: string, game = 1, roll = 1): Promise<void> {
    await this.ask(async (signal) => {
      await this.show(text, game, roll, signal);
      this.source = null;
    });
  }

  /** Compares with another house's law. The current roll stays the same. */
  async compare(sample: string, sameLimits = this.sameLimits): Promise<void> {
    const before = this.other;
    this.other = sample;
    this.sameLimits = sameLimits;
    const done = await this.ask(async (signal) => {
      this.reel = await this.replayed(this.text, this.game, signal);
      note({ other: sample || null });
    });
    if (!done && this.other === sample) this.other = before;
  }

  /** The felt string before this roll's dice, and the house rules it belongs to. */
  async position(): Promise<{ felt: string; rules: Reel["header"]["rules"] }> {
    return post("/felt", { text: this.text, game: this.game, roll: this.step?.roll ?? 1 });
  }

  private replayed(text: string, game: number, signal: AbortSignal): Promise<Reel> {
    const house = this.houses.find((one) => one.sample === this.other);
    const own = this.reel?.header.rules.keys;
    const other =
      house && own && this.sameLimits
        ? { book: house.book, as_of: house.as_of, game: house.game, keys: withLimitsOf(house.keys, own) }
        : { sample: this.other };
    return post<Reel>("/replay", { text, game, ...(this.other ? { other } : {}) }, signal);
  }

  private async show(text: string, game: number, roll: number, signal: AbortSignal): Promise<void> {
    const reel = await this.replayed(text, game, signal);
    const { book, as_of, game: kind, keys } = reel.header.rules;
    this.layout = await post<Layout>("/layouts", { house: { book, as_of, game: kind, keys } }, signal);
    this.text = text;
    this.game = game;
    this.reel = reel;
    this.notes = readNotes(stored(keyOf(text)));
    this.guesses = {};
    if (!reel.header.seats.some((one) => one.seat === this.seat)) this.seat = reel.header.seats[0]?.seat ?? 1;
    const found = reel.steps.findIndex((one) => one.roll >= roll);
    this.go(found < 0 ? reel.steps.length - 1 : found);
  }

  /** Runs a request and aborts the previous one. Returns false if it failed. */
  private async ask(what: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.trouble = null;
    this.loading = true;
    this.playing = false;
    try {
      await what(asking.signal);
      return true;
    } catch (thrown) {
      if (!asking.signal.aborted) this.trouble = thrown;
      return false;
    } finally {
      if (this.asking === asking) this.loading = false;
    }
  }

  go(to: number, landed = false): void {
    if (!this.reel) return;
    this.at = Math.max(0, Math.min(to, this.last));
    this.down = landed;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => note({ roll: this.step?.roll ?? null }), REST);
  }

  forward = (): void => {
    if (this.down && this.kept) this.playing = false;
    else if (!this.down) this.down = true;
    else if (this.at < this.last) this.go(this.at + 1);
    else this.playing = false;
  };

  back = (): void => {
    if (this.down) this.down = false;
    else if (this.at > 0) this.go(this.at - 1, true);
  };

  play = (): void => {
    if (!this.playing && this.at === this.last && this.down) this.go(0);
    this.playing = !this.playing;
  };

  /** Goes to the next roll that matches. Returns false if there is none. */
  jump(is: (step: Step) => boolean): boolean {
    const found = this.reel ? next(this.reel.steps, this.at, is) : null;
    if (found !== null) this.go(found);
    return found !== null;
  }

  guess(amount: number): void {
    if (this.step) this.guesses = { ...this.guesses, [this.step.roll]: amount };
  }

  note(roll: number, said: RollNote): void {
    this.notes = noted(this.notes, roll, said);
    store(keyOf(this.text), Object.keys(this.notes).length === 0 ? null : JSON.stringify(this.notes));
  }

  shut(): void {
    this.close();
    this.reel = null;
    this.source = null;
    this.trouble = null;
    this.other = "";
  }

  /** Stops timers and requests when the screen is left. */
  close(): void {
    clearTimeout(this.resting);
    this.asking?.abort();
    this.playing = false;
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage, notes last until the page is closed.
  }
}
