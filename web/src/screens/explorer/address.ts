/** The explorer's state in the URL. Everything worth sharing is in it. */
import type { By } from "./rows";

export interface Asked {
  by: By;
  find: string;
  family: string;
  /** True to show every record; false to group rows with the same odds. */
  every: boolean;
  asOf: string;
  sort: string;
  /** The selected record. */
  book: string;
  wager: string;
  table: string;
  fee: string;
  /** The sample house to compare with. */
  house: string;
}

export function asked(query: URLSearchParams): Asked {
  const text = (key: string) => query.get(key) ?? "";
  const by = text("by");
  return {
    by: by === "resolved" || by === "roll" ? by : "made",
    find: text("find"),
    family: text("family"),
    every: text("rows") === "every",
    asOf: /^\d{4}-\d{2}-\d{2}$/.test(text("as_of")) ? text("as_of") : "",
    sort: text("sort"),
    book: text("book"),
    wager: text("wager"),
    table: text("table"),
    fee: text("fee"),
    house: text("house"),
  };
}
