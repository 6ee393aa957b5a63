/** The state of the lab: the settings, the server's check of the text, and the lists to choose from. */
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

/** The pause in typing before the text is checked, in milliseconds. */
const PAUSE = 300;
const KEPT_AS = "boxperson.lab.text";

export class Bench {
  setup = $state<Setup>(addressed(place.query, place.hash));
  strategies = $state.raw<StrategyLine[]>([]);
  books = $state.raw<BookView[]>([]);
  houses = $state.raw<SampleHouse[]>([]);
  check = $state.raw<StrategyCheck | null>(null);
  checking = $state(false);
  /** The error of the last check or of loading the lists. */
  problem = $state.raw<unknown>(null);
  loading = $state(true);
  /** The summary of the last text without mistakes. It stays while the user types, so that the page doesn't jump. */
  summary = $state.raw<StrategySummary | null>(null);
  /** The line of the cursor, counting from 1. */
  line = $state(1);
  #left = new AbortController();
  #checked = new AbortController();
  /** The query and hash that were last written to the URL, or null. */
  #written: string | null = null;

  /** The user's own text, kept while another strategy is shown. */
  #own = kept();

  get hasOwn(): boolean {
    return this.setup.strategy === null || this.#own !== "";
  }

  get mistakes() {
    return this.check?.mistakes ?? [];
  }

  /** The name of a book. */
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

  /** Loads a built-in strategy, or the user's own text for null. */
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
      // A strategy that doesn't exist isn't requested again.
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

  /** Saves the text as the one to compare with. */
  putAside(): void {
    this.setup.rivalText = this.setup.text;
    this.setup.rival = "own";
  }

  /** For an effect: checks the text and updates the URL after a pause in typing. */
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

  /** For an effect: reads the settings again after a link to this screen was followed. */
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

/** True if two URLs differ only in the job, which belongs to the run. */
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
    // Without storage it is kept while the page is open.
  }
}
