/** What lies on the bench: what is to be played, what the server says of the text, and what there is to choose from. */
import { get, path, post } from "../../api/client";
import type {
  BookView,
  SampleHouse,
  StrategyCheck,
  StrategyLine,
  StrategyPage,
  StrategySummary,
} from "../../api/openapi";
import { go, note, place } from "../../lib/router.svelte";
import { addressed, asked, noted, texts, type Setup } from "./setup";

/** How long somebody pauses before their text is checked. */
const PAUSE = 300;
const KEPT_AS = "boxperson.lab.text";

export class Bench {
  setup = $state<Setup>(addressed(place.query, place.hash));
  strategies = $state.raw<StrategyLine[]>([]);
  books = $state.raw<BookView[]>([]);
  houses = $state.raw<SampleHouse[]>([]);
  check = $state.raw<StrategyCheck | null>(null);
  checking = $state(false);
  /** Why there is no check, or no list to choose from. */
  problem = $state.raw<unknown>(null);
  loading = $state(true);
  /** What was last known of a text that could be played: while somebody types, nothing jumps about. */
  summary = $state.raw<StrategySummary | null>(null);
  /** The line the cursor is on. */
  line = $state(1);
  #left = new AbortController();
  #checked = new AbortController();
  /** What this bench last wrote into the address; nothing until it did. */
  #written: string | null = null;

  /** A text of one's own is kept while another is looked at. */
  #own = kept();

  get hasOwn(): boolean {
    return this.setup.strategy === null || this.#own !== "";
  }

  get mistakes() {
    return this.check?.mistakes ?? [];
  }

  /** What a book is called. */
  bookName(book: string): string {
    return this.books.find((known) => known.book === book)?.name ?? book;
  }

  async open(): Promise<void> {
    const { signal } = this.#left;
    this.loading = true;
    this.problem = null;
    try {
      [this.strategies, this.books, this.houses] = await Promise.all([
        get<StrategyLine[]>("/strategies", signal),
        get<BookView[]>("/books", signal),
        get<SampleHouse[]>("/houses", signal),
      ]);
      if (this.setup.strategy !== null) await this.take(this.setup.strategy);
    } catch (thrown) {
      if (!signal.aborted) this.problem = thrown;
    } finally {
      this.loading = false;
    }
  }

  close(): void {
    this.#left.abort();
    this.#checked.abort();
  }

  /** Takes a strategy that comes with the program, or the text of one's own again. */
  async take(strategy: string | null): Promise<void> {
    this.problem = null;
    if (strategy === null) {
      this.setup.text = this.#own || this.setup.text;
      this.setup.strategy = null;
      return;
    }
    try {
      await this.#load(strategy);
    } catch (thrown) {
      if (this.#left.signal.aborted) return;
      this.problem = thrown;
      // What is not there is not asked for again.
      if (this.setup.strategy === strategy) this.setup.strategy = null;
    }
  }

  async #load(strategy: string): Promise<void> {
    const page = await get<StrategyPage>(path("strategies", strategy), this.#left.signal);
    this.setup.strategy = strategy;
    this.setup.text = page.text;
    this.line = 1;
  }

  edit(text: string): void {
    this.setup.text = text;
    this.setup.strategy = null;
    this.#own = text;
    keep(text);
  }

  /** Puts the text aside as the one to compare with. */
  putAside(): void {
    this.setup.rivalText = this.setup.text;
    this.setup.rival = "own";
  }

  /** For an effect: has the text checked once nobody types any more, and says in the address what is looked at. */
  follow(): () => void {
    const question = asked(this.setup);
    const [values, hash] = [noted(this.setup), texts(this.setup)];
    const timer = setTimeout(() => {
      note(values);
      if (location.hash !== hash) go(location.pathname + location.search + hash, { replace: true });
      this.#written = location.search + location.hash;
      if (question.text.trim() === "") this.check = null;
      else void this.#ask(question);
    }, PAUSE);
    return () => clearTimeout(timer);
  }

  /** For an effect: somebody followed a link to another setup of this screen. */
  reread(search: string, hash: string): void {
    if (this.#written === null || search + hash === this.#written || sameBesidesJob(search + hash, this.#written))
      return;
    this.#written = search + hash;
    this.setup = addressed(new URLSearchParams(search), hash);
    if (this.setup.strategy !== null) void this.take(this.setup.strategy);
  }

  async #ask(question: ReturnType<typeof asked>): Promise<void> {
    this.#checked.abort();
    const own = (this.#checked = new AbortController());
    this.checking = true;
    try {
      this.check = await post<StrategyCheck>("/strategies/check", question, own.signal);
      this.summary = this.check.summary ?? this.summary;
      this.problem = null;
    } catch (thrown) {
      if (own.signal.aborted) return;
      this.check = null;
      this.problem = thrown;
    } finally {
      if (!own.signal.aborted) this.checking = false;
    }
  }
}

/** The job in the address is the run's, not the bench's. */
function sameBesidesJob(one: string, other: string): boolean {
  const without = (text: string) => {
    const [search = "", hash = ""] = text.split("#");
    const values = new URLSearchParams(search);
    values.delete("job");
    values.sort();
    return `${values}#${hash}`;
  };
  return without(one) === without(other);
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEPT_AS) ?? "";
  } catch {
    return "";
  }
}

function keep(text: string): void {
  try {
    sessionStorage.setItem(KEPT_AS, text);
  } catch {
    // Then it is kept as long as the page is open.
  }
}
