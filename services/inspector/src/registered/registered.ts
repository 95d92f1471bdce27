/**
 * This process, when a program in it has called `inspect`. Its objects are here and can not be anywhere else, so their questions run in
 * this thread, one a turn of the loop: queries in short slices, so that nobody else waits for longer than one of them; what has no
 * rows to stop at in one piece.
 */

import { type Answer, type Asker, answerOf } from "../protocol/backend.ts";
import type { Reply, Tool } from "../protocol/message.ts";
import { inspectionSlot } from "../protocol/registration.ts";
import type { Allowed, Attached } from "./attached.ts";

export interface RegisteredOptions extends Allowed {
  /** Milliseconds after which a query gives the thread back at the next row or two. */
  readonly sliceMs: number;
}

/** What `inspect` left in this process. */
const attached = (): Attached | undefined => {
  const found = Object.getOwnPropertyDescriptor(globalThis, inspectionSlot);
  return found?.value as Attached | undefined;
};

const gaveUp: Answer = { kind: "gone", why: "the caller gave up" };

export class RegisteredRoots implements Asker {
  readonly #options: RegisteredOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RegisteredOptions) {
    this.#options = options;
  }

  async ask(tool: Tool, input: unknown, signal: AbortSignal): Promise<Answer> {
    const { sliceMs, ...time } = this.#options;
    const found = attached();
    if (found === undefined) return { kind: "gone", why: "no program in this process has called inspect({ … })" };
    const slice = found.start(JSON.stringify({ id: 0, tool, input }), time);
    try {
      for (;;) {
        const done = await this.#inTurn(() => (signal.aborted ? undefined : slice(sliceMs)));
        if (signal.aborted) return gaveUp;
        if (done !== undefined) return explained(answerOf(JSON.parse(done.value) as Reply));
      }
    } catch (error) {
      return { kind: "defect", detail: error instanceof Error ? (error.stack ?? error.message) : "unknown" };
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** One slice a turn of the loop, whoever asks, first come first served. */
  #inTurn<T>(work: () => T): Promise<T> {
    const done = this.#last.then(() => new Promise((resolve) => setImmediate(resolve))).then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Says why there is so little time. */
const explained = (answer: Answer): Answer =>
  answer.kind === "problem" && answer.problem.code === "deadline"
    ? { kind: "problem", problem: { ...answer.problem, hint: shortOfTime } }
    : answer;

const shortOfTime =
  "objects of this process are read in its own thread: a query gives it back between rows, an expression and code of the program hold it, for `source.holdMs` at most. Narrow the question, raise that or `source.wallMs`, or let the inspector look from another process (`source.kind: process`)";
