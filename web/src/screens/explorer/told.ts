/** Requests all data of the explorer. */
import { get, path, query } from "../../api/client";
import type { BookView, Record as Odds, WagerLine, WagerView } from "../../api/openapi";
import type { Told } from "./rows";

export async function ask(asOf: string, signal: AbortSignal): Promise<Told> {
  async function booksAndFacts() {
    const books = await get<BookView[]>("/books", signal);
    const views = await Promise.all(
      books.map(async ({ book }) => [book, await get<WagerView[]>(path("books", book, "wagers"), signal)] as const),
    );
    return { books, views };
  }
  // All requests run at the same time. The first error is the one that is reported.
  const [records, wagers, { books, views }] = await Promise.all([
    get<Odds[]>(`/odds${query({ as_of: asOf })}`, signal),
    get<WagerLine[]>("/wagers", signal),
    booksAndFacts(),
  ]);
  return {
    books,
    records,
    wagers,
    facts: new Map(views.map(([book, all]) => [book, new Map(all.map((view) => [view.wager, view]))])),
  };
}
