/**
 * The worker as seen from the service: one question after the other, each with its own time, which begins when the worker has it. Who
 * leaves makes room: its call is not sent, or is given up by the worker. A worker that does not answer in time is ended and a fresh one takes its place; only the call that it had fails.
 */
import { Worker } from "node:worker_threads";
import { type ToolAnswer, type ToolBackend, toAnswer } from "../protocol/backend.ts";
import type { ToolCall, ToolName, ToolReply, WorkerStart } from "../protocol/message.ts";

interface QueuedCall {
  readonly ask: ToolCall;
  readonly settle: (answer: ToolAnswer) => void;
  /** Of the time that it may wait. */
  readonly timer: NodeJS.Timeout;
}

/** Milliseconds beyond the language's own wall time, before the worker is thought lost. */
const replyGraceMs = 2_000;

/** Milliseconds for the start of a worker on a busy machine. */
const workerStartMs = 30_000;

const startWorker = (start: WorkerStart): Worker => {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new Worker(new URL(`./worker.${extension}`, import.meta.url), {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
  });
};

interface WorkerPoolOptions {
  /** Milliseconds that a question may take, from when the worker gets it to its answer here. */
  readonly timeoutMs: number;
  /** Milliseconds beside them for a worker that has to start first. */
  readonly startMs?: number;
  /** Milliseconds that it may wait for those before it. */
  readonly waitMs: number;
  /** Starts a worker that answers a `ToolCall` with a `ToolReply`. */
  readonly hire: () => Worker;
  /** Reports to the worker that the caller of this id has left. */
  readonly abandon: (id: number) => void;
}

/** The pool of one worker that runs the simulated world. */
export const createWorldPool = (start: Omit<WorkerStart, "abandoned">): WorkerPool => {
  const { wallMs } = start.limits;
  const abandoned = new Int32Array(new SharedArrayBuffer(4));
  return new WorkerPool({
    timeoutMs: wallMs + replyGraceMs,
    startMs: workerStartMs,
    waitMs: 2 * wallMs,
    hire: () => startWorker({ ...start, abandoned }),
    abandon: (id) => void Atomics.store(abandoned, 0, id),
  });
};

export class WorkerPool implements ToolBackend {
  readonly #options: WorkerPoolOptions;
  readonly #waiting: QueuedCall[] = [];
  /** The question that the worker has, also when its caller gave up, and the timer of its end. */
  #current: { readonly question: QueuedCall; readonly timer: NodeJS.Timeout } | undefined;
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  ask(tool: ToolName, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const { waitMs, abandon } = this.#options;
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    const settle = (answer: ToolAnswer): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    const leave = (answer: ToolAnswer): void => {
      const at = this.#waiting.indexOf(question);
      if (at >= 0) this.#waiting.splice(at, 1);
      settle(answer);
    };
    const timer = setTimeout(() => leave({ kind: "busy", waitedMs: waitMs }), waitMs);
    const question: QueuedCall = { ask: { id: ++this.#lastId, tool, input }, settle, timer };
    const onAbort = (): void => {
      if (this.#current?.question === question) abandon(question.ask.id);
      leave({ kind: "gone", why: "the caller gave up" });
    };
    if (signal.aborted) onAbort();
    else {
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(question);
      this.#next();
    }
    return promise;
  }

  async close(): Promise<void> {
    const why = "the service is stopping";
    for (const { settle } of this.#waiting.splice(0)) settle({ kind: "gone", why });
    await this.#lose(why);
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const question = this.#waiting.shift();
    if (question === undefined) return;
    clearTimeout(question.timer);
    const { timeoutMs, startMs = 0 } = this.#options;
    const allowed = this.#worker === undefined ? timeoutMs + startMs : timeoutMs;
    const timer = setTimeout(() => void this.#lose("it did not answer in time"), allowed);
    this.#current = { question, timer };
    this.#running().postMessage(question.ask);
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const started = this.#options.hire();
    const gone = (why: string): void => {
      if (this.#worker === started) void this.#lose(why);
    };
    started.on("message", (reply: ToolReply) => {
      if (this.#current?.question.ask.id === reply.id) this.#done(toAnswer(reply));
    });
    started.on("error", (error: Error) => gone(error.message));
    started.on("exit", () => gone("the worker ended"));
    this.#worker = started;
    return started;
  }

  /** The worker's call has its answer; the next one may be sent. */
  #done(answer: ToolAnswer): void {
    clearTimeout(this.#current?.timer);
    this.#current?.question.settle(answer);
    this.#current = undefined;
    this.#next();
  }

  /** Ends the worker and answers the call that it was working on. */
  async #lose(why: string): Promise<void> {
    const lost = this.#worker;
    this.#worker = undefined;
    this.#done({ kind: "gone", why });
    await lost?.terminate();
  }
}
