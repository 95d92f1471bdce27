/**
 * The turns of questions that run in slices in one place: a short question does not wait for a long one. Every question begins at once;
 * what has used a slice goes behind those that have not, what has used 200 ms behind all, and there the first goes on until it is done: if all
 * took turns there, none would be done in time. The levels that have questions take turns, so that every question ends.
 */
import type { ToolAnswer } from "./backend.ts";

/** Runs the next slice of a question; undefined while there is more to do. Never rejects. */
type SliceRun = () => Promise<ToolAnswer | undefined>;

interface SchedulerOptions {
  /** Milliseconds that a question may wait for others, all together; then it is refused. */
  readonly waitMs: number;
  /** Milliseconds from any origin. */
  readonly now?: () => number;
}

interface WaitingQuestion {
  readonly slice: SliceRun;
  readonly settle: (answer: ToolAnswer) => void;
  isSettled: boolean;
  usedMs: number;
  waitedMs: number;
  /** When it began to wait for its turn. */
  since: number;
  /** Of the time that it may wait. */
  timer: NodeJS.Timeout | undefined;
}

/** Milliseconds that the questions of a level have used at most. */
const levels = [1, 200, Number.POSITIVE_INFINITY] as const;

export class SliceScheduler {
  readonly #waitMs: number;
  readonly #now: () => number;
  readonly #queues: readonly WaitingQuestion[][] = levels.map(() => []);
  #isRunning = false;
  /** Of the question that ran last. */
  #lastLevel = levels.length - 1;

  constructor({ waitMs, now = () => performance.now() }: SchedulerOptions) {
    this.#waitMs = waitMs;
    this.#now = now;
  }

  /** Runs a question to its answer. Never rejects. */
  run(slice: SliceRun, signal: AbortSignal): Promise<ToolAnswer> {
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    const onAbort = (): void => question.settle({ kind: "gone", why: "the caller gave up" });
    const question: WaitingQuestion = {
      slice,
      settle: (answer) => {
        if (question.isSettled) return;
        question.isSettled = true;
        clearTimeout(question.timer);
        signal.removeEventListener("abort", onAbort);
        for (const queue of this.#queues) {
          const at = queue.indexOf(question);
          if (at >= 0) queue.splice(at, 1);
        }
        resolve(answer);
      },
      isSettled: false,
      usedMs: 0,
      waitedMs: 0,
      since: 0,
      timer: undefined,
    };
    if (signal.aborted) onAbort();
    else {
      signal.addEventListener("abort", onAbort, { once: true });
      this.#enqueue(question, "last");
      void this.#drive();
    }
    return promise;
  }

  /** Answers every question that waits; the one that runs is its backend's. */
  close(answer: ToolAnswer): void {
    for (const { settle } of this.#queues.flat()) settle(answer);
  }

  #enqueue(question: WaitingQuestion, place: "first" | "last"): void {
    const level = levels.findIndex((most) => question.usedMs < most);
    const queue = this.#queues[level];
    if (place === "first" && level > 0) queue?.unshift(question);
    else queue?.push(question);
    question.since = this.#now();
    const left = Math.max(0, this.#waitMs - question.waitedMs);
    question.timer = setTimeout(() => question.settle({ kind: "busy", waitedMs: this.#waitMs }), left);
  }

  #next(): WaitingQuestion | undefined {
    for (let step = 1; step <= levels.length; step++) {
      const level = (this.#lastLevel + step) % levels.length;
      const question = this.#queues[level]?.shift();
      if (question === undefined) continue;
      this.#lastLevel = level;
      return question;
    }
    return undefined;
  }

  /** One slice after the other, for as long as there are questions. */
  async #drive(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let question = this.#next(); question !== undefined; question = this.#next()) {
      clearTimeout(question.timer);
      const began = this.#now();
      question.waitedMs += began - question.since;
      const level = levels.findIndex((most) => (question?.usedMs ?? 0) < most);
      const answer = await question.slice();
      question.usedMs += Math.max(this.#now() - began, 0);
      if (answer !== undefined) question.settle(answer);
      else if (!question.isSettled) this.#enqueue(question, question.usedMs < (levels[level] ?? 0) ? "first" : "last");
    }
    this.#isRunning = false;
  }
}
