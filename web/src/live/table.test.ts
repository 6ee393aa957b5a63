import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refused } from "../api/client";
import { LiveTable } from "./table.svelte";

/** A fake stream that the test controls. */
class Stream {
  static readonly OPEN = 1;
  static all: Stream[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor() {
    Stream.all.push(this);
  }

  static get last(): Stream {
    return Stream.all.at(-1)!;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  /** The server accepts the stream and sends the table's state. */
  open(): void {
    this.readyState = 1;
    this.tell({ kind: "table", seq: 1, seats: [], rolls: [] });
  }

  tell(line: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(line) });
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

let live: LiveTable;

beforeEach(() => {
  vi.useFakeTimers();
  Stream.all = [];
  vi.stubGlobal("WebSocket", Stream);
  vi.stubGlobal("location", new URL("http://table.test/felt/1"));
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  live = new LiveTable("1", () => false);
});

afterEach(() => {
  live.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (thrown: unknown) => (thrown as Refused).problem.code,
  );

/** Reconnects to the table. */
function back(): void {
  vi.advanceTimersByTime(10_000);
  Stream.last.open();
}

test("no command can be sent before the table has sent its state", async () => {
  expect(live.ready).toBe(false);
  expect(await code(live.send({ do: "roll" }))).toBe("offline");
  Stream.last.open();
  expect(live.ready).toBe(true);
  expect(Stream.last.sent).toEqual([]);
});

test("commands without a connection are refused at once and never sent", async () => {
  Stream.last.open();
  Stream.last.close();
  expect(live.connection).toBe("lost");
  const orders = [live.send({ do: "actions", bets: [] }), live.send({ do: "roll" }), live.send({ do: "roll" })];
  expect(await Promise.all(orders.map(code))).toEqual(["offline", "offline", "offline"]);
  back();
  expect(live.ready).toBe(true);
  expect(Stream.all.flatMap((stream) => stream.sent)).toEqual([]);
});

test("a command whose answer was lost isn't sent again; the page asks for the result of its key", async () => {
  Stream.last.open();
  const order = live.send({ do: "roll" });
  const [sent] = Stream.last.sent;
  Stream.last.close();
  back();
  expect(Stream.last.sent).toEqual([{ do: "actions", id: sent?.id }]);
  Stream.last.tell({ kind: "answer", id: sent?.id, rows: [], again: true });
  expect((await order).again).toBe(true);
});

test("a command that never reached the table is reported as not done", async () => {
  Stream.last.open();
  const order = live.send({ do: "roll" });
  const [sent] = Stream.last.sent;
  Stream.last.close();
  back();
  Stream.last.tell({ kind: "error", id: sent?.id, code: "bad-request", message: "expected `bets`" });
  expect(await code(order)).toBe("not-done");
});

test("a busy server is asked again", async () => {
  Stream.last.open();
  const order = live.send({ do: "roll" });
  const [sent] = Stream.last.sent;
  Stream.last.close();
  back();
  Stream.last.tell({ kind: "error", id: sent?.id, code: "busy", message: "try again in a moment" });
  vi.advanceTimersByTime(1_500);
  expect(Stream.last.sent).toHaveLength(2);
  Stream.last.tell({ kind: "answer", id: sent?.id, rows: [], again: true });
  expect(await code(order)).toBe("done");
});

test("a connection without answers counts as lost", () => {
  Stream.last.open();
  live.send({ do: "roll" }).catch(() => undefined);
  vi.advanceTimersByTime(5_000);
  expect(live.ready).toBe(true);
  vi.advanceTimersByTime(2_000);
  expect(live.ready).toBe(false);
});

test("a stream that is reopened with a new identity takes commands once it is connected", async () => {
  Stream.last.open();
  const reopened = live.reopen();
  expect(live.ready).toBe(false);
  expect(Stream.all).toHaveLength(2);
  Stream.last.open();
  await reopened;
  expect(live.ready).toBe(true);
});

const PRICES = [{ by: "Draw", name: "Field", bets: ["F"], level: 1, pays: "5 to 1", cite: "X 1" }];
const RAISED = { kind: "row", seq: 3, at: 0, role: "rng", did: "drawn", happened: [] };
const THROWN = {
  kind: "row",
  seq: 4,
  at: 0,
  role: "rng",
  did: "thrown",
  happened: [],
  roll: { roll: 1, dice: [3, 4], total: 7, call: "Seven", results: [], raised: PRICES },
};

/** Opens the table again, with or without animations. */
function animated(moves: boolean): string[] {
  live.close();
  live = new LiveTable("1", () => moves);
  const heard: string[] = [];
  live.onrow = (row) => heard.push(row.did);
  Stream.last.open();
  return heard;
}

test("the dice wait until the prices that a draw raised have been shown", () => {
  const heard = animated(true);
  Stream.last.tell(RAISED);
  expect([live.drawing, live.busy, live.tumbling]).toEqual([true, true, false]);
  Stream.last.tell(THROWN);
  vi.advanceTimersByTime(1_100);
  expect(live.drawn.map((one) => one.pays)).toEqual(["5 to 1"]);
  expect([live.tumbling, live.last]).toEqual([false, null]);
  vi.advanceTimersByTime(200);
  expect([live.drawing, live.tumbling, live.last?.total]).toEqual([false, true, 7]);
  expect(live.drawn).toHaveLength(1);
  expect(heard).toEqual(["drawn"]);
  vi.advanceTimersByTime(700);
  expect([live.busy, live.drawn.length]).toEqual([false, 0]);
  expect(heard).toEqual(["drawn", "thrown"]);
});

test("skipping shows the roll at once, and a draw without a roll stays", () => {
  animated(true);
  Stream.last.tell(RAISED);
  Stream.last.tell(THROWN);
  live.skip();
  expect([live.busy, live.last?.total, live.drawn.length]).toEqual([false, 7, 0]);
  Stream.last.tell({ kind: "table", seq: 5, seats: [], rolls: [], raised: PRICES });
  Stream.last.tell({ ...RAISED, seq: 6 });
  live.skip();
  expect([live.busy, live.drawn.length]).toEqual([false, 1]);
  vi.advanceTimersByTime(2_000);
  expect(live.drawn).toHaveLength(1);
});

test("without animations nothing waits, and the prices are shown beside the dice for a moment", () => {
  const heard = animated(false);
  Stream.last.tell(RAISED);
  Stream.last.tell(THROWN);
  expect([live.busy, live.last?.total, live.drawn.length]).toEqual([false, 7, 1]);
  expect(heard).toEqual(["drawn", "thrown"]);
  vi.advanceTimersByTime(1_300);
  expect(live.drawn).toEqual([]);
});

test("a roll without a draw isn't held up", () => {
  animated(true);
  Stream.last.tell(THROWN);
  expect([live.tumbling, live.last?.total]).toEqual([true, 7]);
});

test("two rolls within the time of one draw are both shown", () => {
  const heard = animated(true);
  Stream.last.tell(RAISED);
  Stream.last.tell(THROWN);
  Stream.last.tell({ ...THROWN, seq: 5, roll: { ...THROWN.roll, roll: 2, total: 8 } });
  expect([live.tumbling, live.last?.total]).toEqual([true, 8]);
  vi.advanceTimersByTime(700);
  expect(heard).toEqual(["drawn", "thrown", "thrown"]);
});

test("while a draw is shown, the table before the roll is shown, not the one after it", async () => {
  let next = 1;
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      new Response(JSON.stringify({ seq: 9, seats: [], rolls: [], next_roll: next, raised: PRICES }), {
        headers: { "content-type": "application/json" },
      }),
    ),
  );
  animated(true);
  await vi.advanceTimersByTimeAsync(10);
  expect(live.view?.next_roll).toBe(1);
  Stream.last.tell(RAISED);
  await vi.advanceTimersByTimeAsync(10);
  expect(live.drawn).toHaveLength(1);
  // The server has rolled, and the row of the roll is still on its way.
  next = 2;
  void live.refresh();
  await vi.advanceTimersByTimeAsync(10);
  expect(live.view?.next_roll).toBe(1);
  Stream.last.tell(THROWN);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([live.busy, live.view?.next_roll]).toEqual([false, 2]);
});
