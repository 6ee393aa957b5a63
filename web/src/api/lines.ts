/** Reads a stream of JSON documents, one per line. The network can cut it anywhere; documents are returned whole. */
import { Refused } from "./client";
import type { Problem } from "./openapi";

/** Yields the documents of a stream that arrives in pieces. */
export async function* documents<T>(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  const letters = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    rest += letters.decode(piece, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as T;
  }
  rest += letters.decode();
  if (rest.trim()) yield JSON.parse(rest) as T;
}

async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Requests a stream of documents. */
export async function* lines<T>(path: string, signal: AbortSignal): AsyncGenerator<T> {
  const answer = await fetch(path, { headers: { Accept: "application/x-ndjson" }, signal, credentials: "same-origin" });
  if (!answer.ok || answer.body === null) {
    const told = (await answer.json().catch(() => null)) as Problem | null;
    throw new Refused(
      answer.status,
      told ?? { code: `http-${answer.status}`, message: `The server answered ${answer.status}.` },
    );
  }
  yield* documents<T>(read(answer.body));
}
