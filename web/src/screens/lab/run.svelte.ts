/** A simulation under way: ordered, watched, cancelled, and read again after a reload. */
import { get, path, post, Refused, remove } from "../../api/client";
import { lines } from "../../api/lines";
import type { JobView, SimulationOrder } from "../../api/openapi";
import type { Result } from "./result";

type Told = Omit<JobView, "result"> & { result?: Result | null };

export class Run {
  /** The job that is watched, or was last. */
  job = $state<string | null>(null);
  state = $state<"none" | "asked" | "waiting" | "running" | "over">("none");
  progress = $state({ sessions: 0, of: 0, throws: 0 });
  /** The last answer; it stays while another is waited for. */
  result = $state.raw<Result | null>(null);
  /** Whose answer that is. */
  answered = $state<string | null>(null);
  cancelled = $state(false);
  /** Asked to stop: what has begun is played to its end. */
  stopping = $state(false);
  problem = $state.raw<unknown>(null);
  #away = new AbortController();

  /** Results are kept for a while, then forgotten. */
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

  /** Reads a job that was ordered before. */
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

  /** Nobody looks any more. The job goes on: its address may be opened again. */
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
      // The line was cut. What it would have said can be asked for.
      this.#hear(await get<Told>(path("sim", job), away.signal));
    }
    if (this.busy && !away.signal.aborted)
      throw new Error("The line to the server was cut before the run was over. It goes on there: look again.");
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
