/**
 * This process, when a program in it has called `inspect`. Its objects are here and can not be anywhere else, so their questions run in
 * this thread: one a turn of the loop, each within a short wall time.
 */
import { type Answer, type Asker, answerOf } from "../asker.ts";
import type { Attached } from "../host.ts";
import { inspectionSlot } from "../slot.ts";
import type { Reply, Tool } from "../worker-message.ts";

/** What `inspect` left in this process. */
const attached = (): Attached | undefined => {
  const found = Object.getOwnPropertyDescriptor(globalThis, inspectionSlot);
  return found?.value as Attached | undefined;
};

export class RegisteredRoots implements Asker {
  readonly #wallMs: number;
  #last: Promise<unknown> = Promise.resolve();

  /** Milliseconds for one question. */
  constructor(wallMs: number) {
    this.#wallMs = wallMs;
  }

  ask(tool: Tool, input: unknown, signal: AbortSignal): Promise<Answer> {
    const answered = this.#last
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then((): Answer => (signal.aborted ? { kind: "gone", why: "the caller gave up" } : this.#answer(tool, input)));
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(tool: Tool, input: unknown): Answer {
    const found = attached();
    if (found === undefined) return { kind: "gone", why: "no program in this process has called inspect({ … })" };
    const text = found.answer(JSON.stringify({ id: 0, tool, input }), this.#wallMs);
    return explained(answerOf(JSON.parse(text) as Reply));
  }
}

/** Says why there is so little time. */
const explained = (answer: Answer): Answer =>
  answer.kind === "problem" && answer.problem.code === "deadline"
    ? { kind: "problem", problem: { ...answer.problem, hint: shortOfTime } }
    : answer;

const shortOfTime =
  "objects of this process are read in its own thread, where everybody waits meanwhile: narrow the question, raise `source.wallMs`, or let the inspector look from another process (`source.kind: process`)";
