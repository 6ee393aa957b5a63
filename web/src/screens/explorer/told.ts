/** Requests all data of the explorer. */
import { get, query } from "../../api/client";
import type { ListedBook, ShownRecord, WagerLine } from "../../api/openapi";
import type { Told } from "./rows";

export async function ask(asOf: string, signal: AbortSignal): Promise<Told> {
  // All requests run at the same time. The first error is the one that is reported.
  const [records, wagers, books] = await Promise.all([
    get<ShownRecord[]>(`/odds${query({ as_of: asOf })}`, signal),
    get<WagerLine[]>("/wagers", signal),
    get<ListedBook[]>("/books", signal),
  ]);
  return { books, records, wagers };
}
