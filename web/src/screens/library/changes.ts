/** The days on which a book changes, as listed by the server. Empty if the server doesn't list them. */
import type { BookPage } from "../../api/openapi";

export function changesOf(page: BookPage | null): string[] {
  const listed = (page as { days?: unknown } | null)?.days;
  return Array.isArray(listed)
    ? listed.filter((day): day is string => typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day)).sort()
    : [];
}
