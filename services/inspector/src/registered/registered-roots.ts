/**
 * This process, when a program in it has called `inspect`. Its objects are here and can not be anywhere else, so their questions run in
 * this thread, one a turn of the loop: queries in short slices, so that no other caller waits for longer than one of them; what has no
 * rows to stop at in one piece.
 */
import { setImmediate } from "node:timers/promises";
import type { Limits } from "@fairlead/linq/limits";
import * as Effect from "effect/Effect";
import * as Semaphore from "effect/Semaphore";
import { type ToolAnswer, type ToolBackend, toAnswer } from "../protocol/backend.ts";
import type { ToolCall, ToolName, ToolReply } from "../protocol/message.ts";
import { registrationKey } from "../protocol/registration.ts";
import type { RegisteredInspector, TimeAllowance } from "./registered-inspector.ts";

interface RegisteredOptions extends TimeAllowance {
  /** The service's own limits; the program's count where they are lower. */
  readonly limits?: Limits | undefined;
  /** Milliseconds after which a query gives the thread back at the next row or two. */
  readonly sliceMs: number;
}

/** What `inspect` left in this process. */
const findRegistered = (): RegisteredInspector | undefined => {
  const found = Object.getOwnPropertyDescriptor(globalThis, registrationKey);
  return found?.value as RegisteredInspector | undefined;
};

const callerLeft: ToolAnswer = { kind: "gone", why: "the caller gave up" };

export class RegisteredRoots implements ToolBackend {
  readonly #options: RegisteredOptions;
  readonly #oneAtATime = Semaphore.makeUnsafe(1).withPermit;

  constructor(options: RegisteredOptions) {
    this.#options = options;
  }

  async ask(tool: ToolName, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const { sliceMs, limits, wallMs, holdMs } = this.#options;
    const found = findRegistered();
    if (found === undefined) return { kind: "gone", why: "no program in this process has called inspect({ … })" };
    const ask: ToolCall = { id: 0, tool, input, ...(limits === undefined ? {} : { limits }) };
    const slice = found.start(JSON.stringify(ask), { wallMs, holdMs });
    try {
      for (;;) {
        const done = await this.#inTurn(() => (signal.aborted ? undefined : slice(sliceMs)));
        if (signal.aborted) return callerLeft;
        if (done !== undefined) return explainDeadline(toAnswer(JSON.parse(done.value) as ToolReply));
      }
    } catch (error) {
      return { kind: "defect", detail: error instanceof Error ? (error.stack ?? error.message) : "unknown" };
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** One slice a turn of the loop for all callers, first come first served. */
  #inTurn<T>(work: () => T): Promise<T> {
    const slice = Effect.tryPromise({ try: () => setImmediate().then(work), catch: (error) => error });
    return Effect.runPromise(this.#oneAtATime(slice));
  }
}

/** Says why there is so little time. */
const explainDeadline = (answer: ToolAnswer): ToolAnswer =>
  answer.kind === "problem" && answer.problem.code === "deadline"
    ? { kind: "problem", problem: { ...answer.problem, hint: deadlineHint } }
    : answer;

const deadlineHint =
  "objects of this process are read in its own thread: a query gives it back between rows, an expression and code of the program hold it, for `source.holdMs` at most. Narrow the question, raise that or `source.wallMs`, or let the inspector look from another process (`source.kind: process`)";
