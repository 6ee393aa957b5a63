/** Asks for everything the explorer shows. */
import { get, path, query } from "../../api/client";
import type { BookView, Record as Odds, WagerLine, WagerView } from "../../api/openapi";
import type { Told } from "./rows";

export async function ask(asOf: string, signal: AbortSignal): Promise<Told> {
  const records = get<Odds[]>(`/odds${query({ as_of: asOf })}`, signal);
  const wagers = get<WagerLine[]>("/wagers", signal);
  const books = await get<BookView[]>("/books", signal);
  const facts = Promise.all(books.map(async ({ book }) => [book, await get<WagerView[]>(path("books", book, "wagers"), signal)] as const));
  const told = await Promise.all([records, wagers, facts]);
  return {
    books,
    records: told[0],
    wagers: told[1],
    facts: new Map(told[2].map(([book, views]) => [book, new Map(views.map((view) => [view.wager, view]))])),
  };
}
