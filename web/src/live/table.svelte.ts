/**
 * A live table as the page knows it. Rows of the log arrive as they are durable; what stands is always the server's own view, asked for anew
 * after each, so nothing of the game is worked out here. A command carries a key: whatever happens to the connection, it is sent again under the
 * same key until the server has said what came of it.
 */
import { get, invited, newKey, path, query, Refused } from "../api/client";
import type { Answer, LegalMoves, LegalView, Line, Outcomes, RollView, RowView, SeatView, TableView } from "../api/openapi";

interface Pending {
  text: string;
  done: (answer: Answer) => void;
  refused: (why: unknown) => void;
}

export type Connection = "connecting" | "open" | "lost" | "gone";

/** How long the dice are in the air at most. */
const TUMBLE = 600;
const BACK_OFF = [250, 500, 1000, 2000, 5000];

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
  /** Why the table cannot be shown at all. */
  trouble = $state.raw<unknown>(null);
  /** The throw that is being shown; it is fixed, only the picture lags. */
  thrown = $state.raw<RollView | null>(null);
  tumbling = $state(false);
  said = $state.raw<Said[]>([]);
  /** How many commands wait for their answer. */
  waiting = $state(0);

  /** Called with each row. */
  onrow: ((row: RowView) => void) | null = null;

  private socket: WebSocket | null = null;
  private readonly pending = new Map<string, Pending>();
  private seq = 0;
  private tries = 0;
  private closed = false;
  private asking: Promise<void> | null = null;
  private again = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private landing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: string,
    /** Do dice tumble here? */
    private readonly moves: () => boolean,
  ) {
    this.connect();
  }

  get own(): SeatView | null {
    return this.view?.seats.find((seat) => seat.own) ?? null;
  }

  /** The last throw, in flight or not. */
  get last(): RollView | null {
    return this.thrown ?? this.view?.rolls.at(-1) ?? null;
  }

  /** Sends a command; what comes back is what the server did, or a `Refused`. */
  send(command: Record<string, unknown>): Promise<Answer> {
    const id = newKey();
    return new Promise<Answer>((done, refused) => {
      this.pending.set(id, { text: JSON.stringify({ ...command, id }), done, refused });
      this.waiting = this.pending.size;
      this.transmit(id);
    });
  }

  /** Shows the dice where they lie. */
  skip(): void {
    if (!this.tumbling) return;
    clearTimeout(this.landing);
    this.tumbling = false;
    void this.refresh();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.landing);
    this.socket?.close();
    for (const { refused } of this.pending.values()) refused(new Refused(0, { code: "left", message: "The table was left before the answer came." }));
    this.pending.clear();
  }

  /** Opens the stream anew at once, as another person: after sitting down as a guest, say. */
  reopen(): void {
    this.socket?.close();
  }

  private connect(): void {
    if (this.closed) return;
    const address = new URL(invited(path("tables", this.table, "stream") + query({ from: this.seq || null })), location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.connection = "open";
      for (const id of this.pending.keys()) this.transmit(id);
    };
    socket.onmessage = (message) => this.hear(JSON.parse(String(message.data)) as Line);
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private lost(): void {
    this.socket = null;
    if (this.closed) return;
    this.connection = this.view === null && this.tries > 0 ? "connecting" : "lost";
    // A table that is not there closes every stream: ask plainly, to hear why.
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

  private transmit(id: string): void {
    const pending = this.pending.get(id);
    if (pending && this.socket?.readyState === WebSocket.OPEN) this.socket.send(pending.text);
  }

  private hear(line: Line): void {
    switch (line.kind) {
      case "table":
        this.seq = Math.max(this.seq, line.seq);
        this.view = line;
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
        this.settle(line.id, ({ refused }) => refused(new Refused(409, line)));
        break;
      case "alive":
        break;
      case "bye":
        this.socket?.close();
    }
  }

  private settle(id: string | null | undefined, how: (pending: Pending) => void): void {
    const pending = id ? this.pending.get(id) : undefined;
    if (!id || !pending) return;
    this.pending.delete(id);
    this.waiting = this.pending.size;
    how(pending);
  }

  private row(row: RowView): void {
    if (row.did === "thrown" && row.roll) {
      this.thrown = row.roll;
      clearTimeout(this.landing);
      if (this.moves()) {
        this.tumbling = true;
        this.landing = setTimeout(() => this.skip(), TUMBLE);
      }
    }
    if (row.did === "said") {
      const name = this.view?.seats.find((seat) => seat.seat === row.seat)?.name ?? row.who ?? "somebody";
      this.said = [...this.said, { seq: row.seq, seat: row.seat ?? null, name, words: row.words, at: row.at }].slice(-200);
    }
    this.onrow?.(row);
    if (!this.tumbling) void this.refresh();
  }

  /** Asks how things stand; however many rows arrive meanwhile, once more is enough. */
  refresh(): Promise<void> {
    if (this.asking) this.again = true;
    else this.asking = this.ask();
    return this.asking;
  }

  /** Once what is shown is how things stand, as far as anything has been heard. */
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

  /** The table, and what may be bet at it: asked for at once. */
  private async look(): Promise<void> {
    const seat = this.own?.seat;
    const of = query({ seat: seat ?? null });
    // Whoever has left meanwhile has no bets to ask about.
    const ours = <T>(what: string): Promise<T | null> =>
      seat === undefined
        ? Promise.resolve(null)
        : get<T>(path("tables", this.table, what) + of).catch((thrown: unknown) => {
            if (thrown instanceof Refused && thrown.status >= 400 && thrown.status < 500) return null;
            throw thrown;
          });
    // What stands is shown as soon as it is known; what may be bet then comes a moment later.
    const asked = Promise.all([ours<LegalMoves>("legal"), ours<Outcomes>("outcomes")]);
    asked.catch(() => undefined);
    const view = await get<TableView>(path("tables", this.table));
    if (this.tumbling) return;
    this.view = view;
    this.trouble = null;
    const [legal, outcomes] = await asked;
    this.legal = new Map(legal?.legal.map((one) => [one.bet, one]));
    this.outcomes = outcomes;
    if (this.own?.seat !== seat) this.again = true;
  }
}
