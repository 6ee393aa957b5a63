/**
 * A live table. Rows of the log arrive after they are stored. After each row the page requests the server's view again, so it computes nothing of
 * the game itself.
 *
 * Without a connection no commands can be sent, and none are kept for later. If the connection breaks before a command is answered, the command
 * is never sent again. After reconnecting, the page asks for the result of its key.
 */
import { get, invited, newKey, path, query, Refused } from "../api/client";
import type {
  Answer,
  LegalMoves,
  LegalView,
  Line,
  Outcomes,
  RaisedView,
  RollView,
  RowView,
  SeatView,
  TableView,
} from "../api/openapi";
import { fateOf, isForLater } from "./fate";

interface Pending {
  done: (answer: Answer) => void;
  refused: (why: unknown) => void;
  /** True if the connection broke before the answer came. The page then asks for the result. */
  unsure: boolean;
}

/** `open` means that commands can be sent: the stream is connected and has sent the table's state. */
export type Connection = "connecting" | "open" | "lost" | "gone";

/** The longest time that the dice are in the air, in milliseconds. */
const TUMBLE = 600;
/** How long the prices that a draw raised are shown before the dice roll, in milliseconds. */
const SHOW_DRAW = 1_200;
const BACK_OFF = [250, 500, 1000, 2000, 5000];
/** How long a command waits for its answer before the connection counts as broken. */
const ANSWER = 6_000;
/** How long the stream can be silent before it counts as broken. The server sends a message about every 21 seconds. */
const SILENCE = 50_000;
/** The wait before asking a busy server again. */
const AGAIN = 1_000;

export const OFFLINE = "No connection to the table. Nothing was sent.";
const NOT_DONE = "The connection broke before the table answered. Your last action didn't go through.";

export interface Said {
  seq: number;
  name: string;
  seat: number | null;
  words: string;
  at: number;
}

export class LiveTable {
  view = $state.raw<TableView | null>(null);
  legal = $state.raw<Map<string, LegalView>>(new Map());
  outcomes = $state.raw<Outcomes | null>(null);
  connection = $state<Connection>("connecting");
  /** The error if the table can't be shown. */
  trouble = $state.raw<unknown>(null);
  /** The roll that is being shown. Its result is already fixed; only the animation is behind. */
  thrown = $state.raw<RollView | null>(null);
  tumbling = $state(false);
  /** True while a new draw is shown. */
  drawing = $state(false);
  /** True while the dice wait for the draw to be shown. */
  private holding = $state(false);
  /** What the draw for the roll on the screen raised; null means what the view says. */
  private raised = $state.raw<RaisedView[] | null>(null);
  said = $state.raw<Said[]>([]);
  /** The number of commands without an answer. */
  waiting = $state(0);

  /** Called with each row. The rows of a roll wait until its dice have landed. */
  onrow: ((row: RowView) => void) | null = null;

  private socket: WebSocket | null = null;
  private readonly pending = new Map<string, Pending>();
  private seq = 0;
  private tries = 0;
  private closed = false;
  private asking: Promise<void> | null = null;
  private again = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private reopened: { promise: Promise<void>; done: () => void } | null = null;
  private readonly offline = () => this.drop();
  private landing: ReturnType<typeof setTimeout> | undefined;
  private shown: ReturnType<typeof setTimeout> | undefined;
  /** The roll that waits for its draw to be shown. */
  private held: RollView | null = null;
  /** Rows that wait until the dice have landed. */
  private later: RowView[] = [];

  constructor(
    readonly table: string,
    /** Returns true if dice are animated. */
    private readonly moves: () => boolean,
  ) {
    globalThis.addEventListener?.("offline", this.offline);
    this.connect();
  }

  /** True if commands can be sent. */
  get ready(): boolean {
    return this.connection === "open";
  }

  get own(): SeatView | null {
    return this.view?.seats.find((seat) => seat.own) ?? null;
  }

  /** The last roll, even if its dice are still in the air. */
  get last(): RollView | null {
    return this.thrown ?? this.view?.rolls.at(-1) ?? null;
  }

  /** True until the dice have landed: while their draw is shown, and while they are in the air. */
  get busy(): boolean {
    return this.holding || this.tumbling;
  }

  /** The prices that a draw raised for a roll whose dice haven't landed. */
  get drawn(): RaisedView[] {
    return this.raised ?? this.view?.raised ?? [];
  }

  /** Sends a command and returns what the server did. Throws a `Refused` if the server refuses it or there is no connection. */
  send(command: Record<string, unknown>): Promise<Answer> {
    const { socket } = this;
    if (!this.ready || socket?.readyState !== WebSocket.OPEN)
      return Promise.reject(new Refused(0, { code: "offline", message: OFFLINE }));
    const id = newKey();
    return new Promise<Answer>((done, refused) => {
      this.pending.set(id, { done, refused, unsure: false });
      this.waiting = this.pending.size;
      socket.send(JSON.stringify({ ...command, id }));
      setTimeout(() => {
        if (this.pending.has(id) && this.socket === socket) this.drop();
      }, ANSWER);
    });
  }

  /** Shows the result of the roll at once, without the rest of the animation. */
  skip(): void {
    if (!this.busy) return;
    clearTimeout(this.landing);
    clearTimeout(this.shown);
    this.drawing = false;
    // The bets are closed and the dice aren't rolled yet: the draw stays.
    const early = this.holding && !this.held;
    this.thrown = this.held ?? this.thrown;
    this.land();
    if (early) this.raised = null;
  }

  private land(): void {
    this.holding = this.tumbling = false;
    this.held = null;
    this.raised = [];
    this.tellRows();
    void this.refresh();
  }

  /** Passes on the rows that waited for the dice. */
  private tellRows(): void {
    const rows = this.later;
    this.later = [];
    for (const row of rows) this.onrow?.(row);
  }

  close(): void {
    this.closed = true;
    globalThis.removeEventListener?.("offline", this.offline);
    clearTimeout(this.timer);
    clearTimeout(this.landing);
    clearTimeout(this.shown);
    clearTimeout(this.silence);
    this.socket?.close();
    this.reopened?.done();
    for (const { refused } of this.pending.values())
      refused(new Refused(0, { code: "left", message: "You left the table before it answered." }));
    this.pending.clear();
  }

  /** Reopens the stream with a new identity, for example after becoming a guest. Waits until commands can be sent. */
  reopen(): Promise<void> {
    if (!this.reopened) {
      let done = () => {};
      const promise = new Promise<void>((resolve) => (done = resolve));
      this.reopened = { promise, done };
    }
    const { promise } = this.reopened;
    const old = this.socket;
    clearTimeout(this.timer);
    this.connection = "connecting";
    this.connect();
    old?.close();
    return promise;
  }

  private connect(): void {
    if (this.closed) return;
    const address = new URL(
      invited(path("tables", this.table, "stream") + query({ from: this.seq || null })),
      location.href,
    );
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    // Messages on an abandoned stream are ignored.
    socket.onmessage = (message) => {
      if (this.socket === socket) this.hear(JSON.parse(String(message.data)) as Line);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
    this.heard();
  }

  /** Abandons a dead stream. The socket itself would take long to notice. */
  private drop(): void {
    const { socket } = this;
    if (!socket) return;
    this.lost();
    socket.close();
  }

  private heard(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.drop(), SILENCE);
  }

  private lost(): void {
    this.socket = null;
    clearTimeout(this.silence);
    if (this.closed) return;
    for (const pending of this.pending.values()) pending.unsure = true;
    this.connection = this.view === null && this.tries > 0 ? "connecting" : "lost";
    // The stream of a missing table just closes. A plain request returns the reason.
    if (this.view === null) void this.explain();
    const wait = BACK_OFF[Math.min(this.tries, BACK_OFF.length - 1)];
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), wait);
  }

  private async explain(): Promise<void> {
    try {
      await get<TableView>(path("tables", this.table));
    } catch (thrown) {
      this.trouble = thrown;
      if (thrown instanceof Refused && thrown.status >= 400 && thrown.status < 500) {
        this.connection = "gone";
        this.close();
      }
    }
  }

  /** The server has sent the table's state. From now on commands can be sent. */
  private opened(): void {
    this.tries = 0;
    this.connection = "open";
    this.reopened?.done();
    this.reopened = null;
    for (const id of this.pending.keys()) this.askFate(id);
  }

  private hear(line: Line): void {
    this.heard();
    switch (line.kind) {
      case "table":
        this.seq = Math.max(this.seq, line.seq);
        this.view = line;
        this.opened();
        void this.refresh();
        break;
      case "row":
        this.seq = Math.max(this.seq, line.seq);
        this.row(line);
        break;
      case "answer":
        this.settle(line.id, ({ done }) => done(line));
        break;
      case "error":
        this.refusedBy(line);
        break;
      case "alive":
        break;
      case "bye":
        this.socket?.close();
    }
  }

  private refusedBy(line: Extract<Line, { kind: "error" }>): void {
    const id = line.id ?? "";
    const unsure = this.pending.get(id)?.unsure === true;
    if (unsure && isForLater(line.code)) {
      setTimeout(() => this.askFate(id), AGAIN);
      return;
    }
    this.settle(id, ({ refused }) =>
      refused(unsure ? new Refused(0, { code: "not-done", message: NOT_DONE }) : new Refused(409, line)),
    );
  }

  /** Asks for the result of a command whose answer was lost. */
  private askFate(id: string): void {
    if (this.ready && this.socket?.readyState === WebSocket.OPEN && this.pending.get(id)?.unsure)
      this.socket.send(JSON.stringify(fateOf(id)));
  }

  private settle(id: string | null | undefined, how: (pending: Pending) => void): void {
    const pending = id ? this.pending.get(id) : undefined;
    if (!id || !pending) return;
    this.pending.delete(id);
    this.waiting = this.pending.size;
    how(pending);
  }

  private row(row: RowView): void {
    if (row.did === "drawn") this.draw();
    if (row.did === "thrown" && row.roll) this.roll(row.roll);
    if (row.did === "said") {
      const name = this.view?.seats.find((seat) => seat.seat === row.seat)?.name ?? row.who ?? "someone";
      this.said = [...this.said, { seq: row.seq, seat: row.seat ?? null, name, words: row.words, at: row.at }].slice(
        -200,
      );
    }
    if (this.busy && row.did !== "drawn") this.later.push(row);
    else this.onrow?.(row);
    if (!this.tumbling && !this.held) void this.refresh();
  }

  /** Shows a draw. The dice wait for it, unless animations are off. */
  private draw(): void {
    this.skip();
    clearTimeout(this.shown);
    this.raised = null;
    this.drawing = true;
    this.holding = this.moves();
    this.shown = setTimeout(() => this.drawShown(), SHOW_DRAW);
  }

  private drawShown(): void {
    const { held, holding } = this;
    this.drawing = this.holding = false;
    this.held = null;
    if (held) this.tumble(held);
    else if (holding) {
      this.tellRows();
      void this.refresh();
    } else if (this.raised) this.raised = [];
  }

  private roll(roll: RollView): void {
    if (this.holding && !this.held) {
      this.held = roll;
      this.raised = roll.raised ?? [];
      return;
    }
    // The next roll of a quick table came before the last one was shown.
    if (this.held) this.skip();
    this.tumble(roll);
  }

  private tumble(roll: RollView): void {
    this.thrown = roll;
    clearTimeout(this.landing);
    this.tumbling = this.moves();
    this.raised = this.tumbling || this.drawing ? (roll.raised ?? []) : [];
    if (this.tumbling) this.landing = setTimeout(() => this.skip(), TUMBLE);
    else if (this.later.length > 0) this.land();
  }

  /** Requests the table's state. If rows arrive meanwhile, it requests it once more. */
  refresh(): Promise<void> {
    if (this.asking) this.again = true;
    else this.asking = this.ask();
    return this.asking;
  }

  /** Resolves when the page shows the latest state that it knows of. */
  settled(): Promise<void> {
    this.skip();
    return this.asking ?? Promise.resolve();
  }

  private async ask(): Promise<void> {
    try {
      do {
        this.again = false;
        await this.look();
      } while (this.again && !this.closed);
    } catch (thrown) {
      if (this.view === null) this.trouble = thrown;
    } finally {
      this.asking = null;
    }
  }

  /** Requests the table, the legal bets and the outcomes at the same time. */
  private async look(): Promise<void> {
    const seat = this.own?.seat;
    const of = query({ seat: seat ?? null });
    // A player who has just left has no bets to ask about.
    const ours = <T>(what: string): Promise<T | null> =>
      seat === undefined
        ? Promise.resolve(null)
        : get<T>(path("tables", this.table, what) + of).catch((thrown: unknown) => {
            if (thrown instanceof Refused && thrown.status >= 400 && thrown.status < 500) return null;
            throw thrown;
          });
    // The table is shown as soon as it arrives; the legal bets follow a moment later.
    const asked = Promise.all([ours<LegalMoves>("legal"), ours<Outcomes>("outcomes")]);
    asked.catch(() => undefined);
    const view = await get<TableView>(path("tables", this.table));
    if (this.tumbling || (this.holding && view.next_roll !== this.view?.next_roll)) return;
    this.view = view;
    if (!this.busy && !this.drawing) this.raised = null;
    this.trouble = null;
    const [legal, outcomes] = await asked;
    this.legal = new Map(legal?.legal.map((one) => [one.bet, one]));
    this.outcomes = outcomes;
    if (this.own?.seat !== seat) this.again = true;
  }
}
