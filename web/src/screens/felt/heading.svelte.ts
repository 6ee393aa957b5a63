/** The text of the top bar, and what a screen reader says after each roll. */
import { get } from "../../api/client";
import type { BookView } from "../../api/openapi";
import { announce, type Pill } from "../../lib/header.svelte";
import { money } from "../../lib/money";
import { preferences } from "../../lib/settings.svelte";
import { spokenRoll } from "./calls";
import type { Room } from "./room.svelte";
import { raisedWords } from "./rows";

export class Heading {
  /** One sentence for each roll, for a screen reader. */
  spoken = $state("");
  /** The roll whose raised prices were spoken before it. */
  private announced = 0;
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
      const { last, busy, drawn, view } = room.live;
      // Without animations, the draw and the roll are spoken together.
      const coming = busy || (drawn.length > 0 && drawn !== last?.raised);
      if (coming && drawn.length > 0) {
        this.announced = view?.next_roll ?? 0;
        this.spoken = raisedWords(drawn);
      } else if (!coming && last) this.spoken = spokenRoll(last, preferences.calls, this.announced === last.roll);
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
