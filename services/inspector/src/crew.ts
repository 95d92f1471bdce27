/**
 * The worker as seen from the service: asks questions, waits for answers, gives up at a deadline. A worker that does not answer
 * in time is ended and a fresh one takes its place; questions that were waiting are told.
 */
import { Worker } from "node:worker_threads";
import { type Answer, type Asker, answerOf } from "./asker.ts";
import type { Reply, Tool, WorkerStart } from "./worker-message.ts";

interface Waiting {
  readonly settle: (answer: Answer) => void;
}

/** Milliseconds beyond the language's own wall time, before the worker is thought lost. */
const patience = 2_000;

const worker = (start: WorkerStart): Worker => {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new Worker(new URL(`./worker.${extension}`, import.meta.url), {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
  });
};

export interface CrewOptions {
  /** Milliseconds that a question may take, the way there and back included. */
  readonly timeoutMs: number;
  /** Starts a worker that answers an `Ask` with a `Reply`. */
  readonly hire: () => Worker;
}

/** The crew that keeps the simulated world. */
export const worldCrew = (start: WorkerStart): Crew =>
  new Crew({ timeoutMs: start.limits.wallMs + patience, hire: () => worker(start) });

export class Crew implements Asker {
  readonly #options: CrewOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  ask(tool: Tool, input: unknown, signal: AbortSignal): Promise<Answer> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const settle = (answer: Answer): void => {
      if (!this.#waiting.delete(id)) return;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    const onAbort = (): void => settle({ kind: "gone", why: "the caller gave up" });
    const timer = setTimeout(() => this.#lose("it did not answer in time"), this.#options.timeoutMs);
    this.#waiting.set(id, { settle });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else this.#running().postMessage({ id, tool, input });
    return promise;
  }

  async close(): Promise<void> {
    const { promise } = this.#lose("the service is stopping");
    await promise;
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const started = this.#options.hire();
    started.on("message", (reply: Reply) => this.#reply(reply));
    started.on("error", (error: Error) => {
      if (this.#worker === started) this.#lose(error.message);
    });
    started.on("exit", () => {
      if (this.#worker === started) this.#lose("the worker ended");
    });
    this.#worker = started;
    return started;
  }

  #reply(reply: Reply): void {
    this.#waiting.get(reply.id)?.settle(answerOf(reply));
  }

  /** Ends the worker and tells everyone who waits. */
  #lose(why: string): { readonly promise: Promise<unknown> } {
    const lost = this.#worker;
    this.#worker = undefined;
    for (const { settle } of [...this.#waiting.values()]) settle({ kind: "gone", why });
    return { promise: lost?.terminate() ?? Promise.resolve() };
  }
}
