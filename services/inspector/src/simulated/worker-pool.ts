/**
 * The worker as seen from the service: it runs one slice of one question after the other, each with its own time, which begins when the
 * worker has it. A question whose caller leaves is forgotten. A worker that does not end a slice in time is ended and a fresh one takes its
 * place; only the call that it had fails, the others begin again.
 */
import { Worker } from "node:worker_threads";
import { type ToolAnswer, type ToolBackend, toAnswer } from "../protocol/backend.ts";
import type { SliceReply, ToolCall, ToolName, WorkerMessage, WorkerStart } from "../protocol/message.ts";
import { SliceScheduler } from "../protocol/slice-scheduler.ts";

/** Milliseconds beyond the language's own wall time, before the worker is thought lost. */
const replyGraceMs = 2_000;

/** Milliseconds for the start of a worker on a busy machine. */
const workerStartMs = 30_000;

/** Milliseconds of a slice: so long a short question waits for each one before it. */
const sliceMs = 5;

const startWorker = (start: WorkerStart): Worker => {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new Worker(new URL(`./worker.${extension}`, import.meta.url), {
    workerData: start,
    // Without a bound V8 takes up to 130 MB for new objects, step by step, and gives none of it back.
    resourceLimits: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 },
  });
};

interface WorkerPoolOptions {
  /** Milliseconds that a slice may take, from when the worker gets it to its answer here. */
  readonly timeoutMs: number;
  /** Milliseconds beside them for a worker that has to start first. */
  readonly startMs?: number;
  /** Milliseconds that a question may wait for others. */
  readonly waitMs: number;
  /** Starts a worker that answers a `WorkerMessage` with a `SliceReply`. */
  readonly hire: () => Worker;
}

/** The pool of one worker that runs the simulated world. */
export const createWorldPool = (start: WorkerStart): WorkerPool => {
  const { wallMs } = start.limits;
  return new WorkerPool({
    timeoutMs: wallMs + replyGraceMs,
    startMs: workerStartMs,
    waitMs: 2 * wallMs,
    hire: () => startWorker(start),
  });
};

interface RunningSlice {
  readonly id: number;
  readonly settle: (answer: ToolAnswer | undefined) => void;
  readonly timer: NodeJS.Timeout;
}

export class WorkerPool implements ToolBackend {
  readonly #options: WorkerPoolOptions;
  readonly #turns: SliceScheduler;
  #current: RunningSlice | undefined;
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#turns = new SliceScheduler(options);
  }

  async ask(tool: ToolName, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const call: ToolCall = { id: ++this.#lastId, tool, input };
    let isFromWorker = false;
    const slice = async (): Promise<ToolAnswer | undefined> => {
      const done = await this.#slice(call);
      isFromWorker = done !== undefined;
      return done;
    };
    const answer = await this.#turns.run(slice, signal);
    if (!isFromWorker) this.#worker?.postMessage({ kind: "drop", id: call.id } satisfies WorkerMessage);
    return answer;
  }

  async close(): Promise<void> {
    const why = "the service is stopping";
    this.#turns.close({ kind: "gone", why });
    await this.#lose(why);
  }

  #slice(call: ToolCall): Promise<ToolAnswer | undefined> {
    const { promise, resolve } = Promise.withResolvers<ToolAnswer | undefined>();
    const { timeoutMs, startMs = 0 } = this.#options;
    const allowed = this.#worker === undefined ? timeoutMs + startMs : timeoutMs;
    const timer = setTimeout(() => void this.#lose("it did not answer in time"), allowed);
    this.#current = { id: call.id, settle: resolve, timer };
    this.#running().postMessage({ kind: "slice", call, ms: sliceMs } satisfies WorkerMessage);
    return promise;
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const started = this.#options.hire();
    const gone = (why: string): void => {
      if (this.#worker === started) void this.#lose(why);
    };
    started.on("message", (reply: SliceReply) => {
      if (this.#current?.id === reply.id) this.#done("isPaused" in reply ? undefined : toAnswer(reply));
    });
    started.on("error", (error: Error) => gone(error.message));
    started.on("exit", () => gone("the worker ended"));
    this.#worker = started;
    return started;
  }

  /** The worker's slice is over. */
  #done(answer: ToolAnswer | undefined): void {
    const done = this.#current;
    this.#current = undefined;
    clearTimeout(done?.timer);
    done?.settle(answer);
  }

  /** Ends the worker and answers the call that it was working on. */
  async #lose(why: string): Promise<void> {
    const lost = this.#worker;
    this.#worker = undefined;
    this.#done({ kind: "gone", why });
    await lost?.terminate();
  }
}
