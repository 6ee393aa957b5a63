/** What goes on between the players and the crew: the player's own requests, how they ended, and the news of the table. */
import type { Happened, RequestView, RowView, TableView, WagerView } from "../../api/openapi";
import { unfulfilled, waiting, wordsOf } from "./requests";
import { happenedIn, told, type RaisedFor } from "./rows";

/** A request of the player that ended without effect. */
export interface Unfulfilled {
  request: number;
  words: string;
  why: string;
  cite: string;
}

interface Heard {
  key: string;
  happened: Happened;
}

const MOST = 30;

export class Crew {
  /** The player's requests that ended without effect since the last roll. */
  unfulfilled = $state.raw<Unfulfilled[]>([]);
  /** What a screen reader says about the player's requests. */
  spoken = $state("");
  private heard = $state.raw<Heard[]>([]);
  /** Requests that the page has heard of. */
  private asked = $state.raw<Map<number, Partial<RequestView>>>(new Map());
  /** Requests that have ended. The view may still list them for a moment. */
  private over = $state.raw<Set<number>>(new Set());
  /** What the draws raised, by the key of their news. */
  private draws = $state.raw<Map<string, RaisedFor>>(new Map());
  /** The draw whose prices the page hasn't heard yet. */
  private draw: { key: string; seq: number } | null = null;
  /** The names of the wagers by their ids; null until the news needs them. */
  private wagers = $state.raw<Map<string, string> | null>(null);

  /** The player's requests that wait for the crew. */
  readonly waiting = $derived.by(() => {
    const seat = this.seat();
    const own = (request: RequestView) => request.seat === seat && !this.over.has(request.request);
    return seat === null ? [] : (this.view()?.requests ?? []).filter(own);
  });

  /** The news of the table, the latest first. */
  readonly news = $derived.by(() => {
    const known = {
      player: (seat: number) => this.nameOf(seat),
      asked: (request: number) => this.wordsFor(request),
      wager: (id: string) => this.wagers?.get(id) ?? null,
    };
    return this.heard.flatMap(({ key, happened }) => {
      const text = told(happened, { ...known, raised: this.draws.get(key) ?? null });
      return text === null ? [] : [{ key, text }];
    });
  });

  constructor(
    private readonly view: () => TableView | null,
    private readonly seat: () => number | null,
    /** Asks for the wagers of a book. */
    private readonly wagersOf: (book: string) => Promise<WagerView[]>,
  ) {}

  /** Remembers what only the view has: the words of requests, and the prices that a draw raised. */
  see({ requests = [], raised = [], next_roll, seq }: TableView): void {
    this.know(requests);
    if (this.draw && seq >= this.draw.seq) this.price({ roll: next_roll, prices: raised });
  }

  /** Remembers the requests of a view, whose words the rows don't have. */
  know(requests: RequestView[]): void {
    // What a row has told of a request has no words and no citation.
    const news = requests.filter((one) => this.asked.get(one.request)?.cite === undefined);
    if (news.length === 0) return;
    this.asked = new Map([...this.asked, ...news.map((one) => [one.request, one] as const)]);
    const own = news.filter((one) => one.seat === this.seat() && !this.over.has(one.request));
    if (own.length > 0) this.spoken = own.map((one) => `${waiting(one)}.`).join(" ");
  }

  /** Takes in a row of the log. */
  hear(row: RowView): void {
    if (row.did === "thrown") this.unfulfilled = [];
    const all = happenedIn(row);
    for (const happened of all) {
      if (happened.what === "requested") this.requested(happened);
      if (happened.what === "request-ended") this.ended(happened, row.role);
    }
    const fresh = all.map((happened, at) => ({ key: `${row.seq}.${at}`, happened })).filter(isNews);
    for (const { key, happened } of fresh) {
      if (happened.what === "drawn") this.draw = { key, seq: row.seq };
      if (happened.what === "marks-removed") void this.learnNames();
    }
    if (row.did === "thrown" && row.roll) {
      this.price({ roll: row.roll.roll, prices: row.roll.raised ?? [] });
      this.draw = null;
    }
    if (fresh.length > 0) this.heard = [...fresh.reverse(), ...this.heard].slice(0, MOST);
  }

  private requested({ request, seat }: Extract<Happened, { what: "requested" }>): void {
    if (!this.asked.has(request)) this.asked = new Map([...this.asked, [request, { request, seat }]]);
    if (seat === this.seat()) this.unfulfilled = [];
  }

  private ended({ request, how }: Extract<Happened, { what: "request-ended" }>, role: string): void {
    this.over = new Set([...this.over, request]);
    const asked = this.asked.get(request);
    if (asked?.seat == null || asked.seat !== this.seat()) return;
    const words = wordsOf({ words: asked.words ?? "" });
    const why = unfulfilled(how, role);
    if (why !== null) this.unfulfilled = [...this.unfulfilled, { request, words, why, cite: asked.cite ?? "" }];
    if (how !== "left") this.spoken = spokenEnd(how, words, why);
  }

  /** Keeps the prices of the latest draw. */
  private price(raised: RaisedFor): void {
    if (!this.draw || raised.prices.length === 0) return;
    this.draws = new Map([...this.draws, [this.draw.key, raised]]);
    this.draw = null;
  }

  private async learnNames(): Promise<void> {
    const book = this.view()?.book;
    if (this.wagers || !book) return;
    // Without the names, the news does without them.
    const wagers = await this.wagersOf(book).catch(() => null);
    if (wagers) this.wagers = new Map(wagers.map(({ wager, name }) => [wager, name]));
  }

  dismiss(request: number): void {
    this.unfulfilled = this.unfulfilled.filter((one) => one.request !== request);
  }

  private nameOf(seat: number): string {
    return this.view()?.seats.find((one) => one.seat === seat)?.name ?? `Seat ${seat}`;
  }

  private wordsFor(request: number): string | null {
    return this.asked.get(request)?.words || null;
  }
}

function spokenEnd(how: string, words: string, why: string | null): string {
  if (why !== null) return `Not done: ${words}. ${why}`;
  return `${how === "done" ? "Done" : "Taken back"}: ${words}.`;
}

/** True for what the page puts into words. */
function isNews({ happened }: Heard): boolean {
  return told(happened, { player: String, asked: () => null, wager: () => null, raised: null }) !== null;
}
