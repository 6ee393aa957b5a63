/** A simulation job: starts, watches and cancels it, and resumes it after a reload. */
import { get, path, post, Refused, remove } from "../../api/client";
import { lines } from "../../api/lines";
import type { JobView, SimulationOrder } from "../../api/openapi";
import type { Result } from "./result";

type Told = Omit<JobView, "result"> & { result?: Result | null };

export class Run {
  /** The id of the current or last job. */
  job = $state<string | null>(null);
  state = $state<"none" | "asked" | "waiting" | "running" | "over">("none");
  progress = $state({ sessions: 0, of: 0, throws: 0 });
  /** The last answer. It stays while the next one is computed. */
  result = $state.raw<Result | null>(null);
  /** The job of that answer. */
  answered = $state<string | null>(null);
  cancelled = $state(false);
  /** True after a request to stop. Sessions that have started are played to the end. */
  stopping = $state(false);
  problem = $state.raw<unknown>(null);
  #away = new AbortController();

  /** True if the server no longer has the result. */
  get gone(): boolean {
    return this.problem instanceof Refused && this.problem.status === 404;
  }

  get busy(): boolean {
    return this.state === "asked" || this.state === "waiting" || this.state === "running";
  }

  async start(order: SimulationOrder): Promise<void> {
    const away = this.#begin();
    this.job = null;
    try {
      const told = await post<Told>("/sim", order, away.signal);
      this.#hear(told);
      await this.#watch(told.job, away);
    } catch (thrown) {
      this.#fail(thrown, away);
    }
  }

  /** Watches a job that was started before. */
  async resume(job: string): Promise<void> {
    const away = this.#begin();
    this.job = job;
    try {
      await this.#watch(job, away);
    } catch (thrown) {
      this.#fail(thrown, away);
    }
  }

  async cancel(): Promise<void> {
    if (this.job === null) return this.leave();
    this.stopping = true;
    try {
      await remove<Told>(path("sim", this.job));
    } catch (thrown) {
      this.stopping = false;
      this.problem = thrown;
    }
  }

  /** Stops watching. The job continues on the server and can be opened again. */
  leave(): void {
    this.#away.abort();
  }

  #begin(): AbortController {
    this.#away.abort();
    this.#away = new AbortController();
    this.state = "asked";
    this.progress = { sessions: 0, of: 0, throws: 0 };
    this.problem = null;
    this.cancelled = false;
    this.stopping = false;
    return this.#away;
  }

  async #watch(job: string, away: AbortController): Promise<void> {
    try {
      for await (const told of lines<Told>(path("sim", job, "stream"), away.signal)) this.#hear(told);
    } catch (thrown) {
      if (away.signal.aborted || thrown instanceof Refused) throw thrown;
      // The stream broke. Request the state of the job instead.
      this.#hear(await get<Told>(path("sim", job), away.signal));
    }
    if (this.busy && !away.signal.aborted)
      throw new Error("The connection was lost before the run finished. It continues on the server. Check again.");
  }

  #hear(told: Told): void {
    this.job = told.job;
    this.progress = told.progress;
    if (told.state === "waiting" || told.state === "running") {
      this.state = told.state;
      return;
    }
    this.state = "over";
    this.cancelled = told.state === "cancelled";
    if (told.result) {
      this.result = told.result;
      this.answered = told.job;
    }
    if (told.problem) this.problem = new Refused(0, { code: "failed", message: told.problem });
  }

  #fail(thrown: unknown, away: AbortController): void {
    if (away.signal.aborted) return;
    this.state = "over";
    this.problem = thrown;
  }
}
