/** The text of the top bar, and what a screen reader says after each roll. */
import { get } from "../../api/client";
import type { BookView } from "../../api/openapi";
import { announce, type Pill } from "../../lib/header.svelte";
import { money } from "../../lib/money";
import { preferences } from "../../lib/settings.svelte";
import { called } from "./calls";
import type { Room } from "./room.svelte";

export class Heading {
  /** One sentence for each roll, for a screen reader. */
  spoken = $state("");
  private bookName = $state<string | null>(null);

  constructor(room: Room) {
    const book = $derived(room.view?.book);
    // Loads the name of the book.
    $effect(() => {
      const of = book;
      if (!of) return;
      get<BookView[]>("/books").then(
        (books) => (this.bookName = books.find((one) => one.book === of)?.name ?? null),
        () => undefined,
      );
    });
    $effect(() => this.head(room));
    $effect(() => {
      const { last, tumbling } = room.live;
      if (!last || tumbling) return;
      const calls = preferences.calls === "silent" ? "plain" : preferences.calls;
      this.spoken = `${last.dice.join(" and ")}: ${called(last, calls)}.`;
    });
  }

  private head(room: Room): () => void {
    const { view } = room;
    if (!view) return announce("Table");
    const { min, max, odds } = view.limits;
    const limits = `${money(min ?? 0)} min${max == null ? "" : `, ${money(max)} max`}`;
    const times = [...new Set(odds.map(([, one]) => one))].sort().join("-");
    const law = `${this.bookName ?? view.book.toUpperCase()} as of ${view.as_of}`;
    const pills: Pill[] = view.practice ? [{ text: "Practice money", practice: true }] : [];
    if (view.hand) {
      pills.push({ text: `Fair dice ${view.hand.commitment.slice(0, 8)}`, act: () => (room.tab = "fair") });
    }
    const title = `${view.point ? `ON ${view.point}` : "OFF"} · ${view.name}`;
    return announce(title, [view.name, law, limits, `${times}× odds`], pills, view.point ?? "off");
  }
}
