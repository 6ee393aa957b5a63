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
