/**
 * This process, when a program in it has called `inspect`. Its objects are here and can not be anywhere else, so their questions run in
 * this thread, in short slices, one a turn of the loop, so that no other caller waits for longer than one of them.
 */
import { setImmediate } from "node:timers/promises";
import type { Limits } from "@fairlead/linq/limits";
import { type ToolAnswer, type ToolBackend, toAnswer } from "../protocol/backend.ts";
import type { ToolCall, ToolName, ToolReply } from "../protocol/message.ts";
import type { RegisteredInspector, Slice, TimeAllowance } from "../protocol/registered-inspector.ts";
import { registrationKey } from "../protocol/registration.ts";
import { SliceScheduler } from "../protocol/slice-scheduler.ts";

interface RegisteredOptions extends TimeAllowance {
  /** The service's own limits; the program's count where they are lower. */
  readonly limits?: Limits | undefined;
  /** Milliseconds after which a question gives the thread back at its next step. */
  readonly sliceMs: number;
}

/** What `inspect` left in this process. */
const findRegistered = (): RegisteredInspector | undefined => {
  const found = Object.getOwnPropertyDescriptor(globalThis, registrationKey);
  return found?.value as RegisteredInspector | undefined;
};

export class RegisteredRoots implements ToolBackend {
  readonly #options: RegisteredOptions;
  readonly #turns: SliceScheduler;

  constructor(options: RegisteredOptions) {
    this.#options = options;
    this.#turns = new SliceScheduler({ waitMs: 2 * options.wallMs });
  }

  ask(tool: ToolName, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const { limits, wallMs, holdMs } = this.#options;
    const found = findRegistered();
    if (found === undefined)
      return Promise.resolve({ kind: "gone", why: "no program in this process has called inspect({ … })" });
    const ask: ToolCall = { id: 0, tool, input, ...(limits === undefined ? {} : { limits }) };
    const slice = found.start(JSON.stringify(ask), { wallMs, holdMs });
    return this.#turns.run(() => this.#run(slice, signal), signal);
  }

  close(): Promise<void> {
    this.#turns.close({ kind: "gone", why: "the service is stopping" });
    return Promise.resolve();
  }

  /** One slice in a turn of the loop of its own. */
  async #run(slice: Slice<string>, signal: AbortSignal): Promise<ToolAnswer | undefined> {
    await setImmediate();
    if (signal.aborted) return undefined;
    try {
      const done = slice(this.#options.sliceMs);
      return done === undefined ? undefined : explainDeadline(toAnswer(JSON.parse(done.value) as ToolReply));
    } catch (error) {
      return { kind: "defect", detail: error instanceof Error ? (error.stack ?? error.message) : "unknown" };
    }
  }
}

/** Says why there is so little time. */
const explainDeadline = (answer: ToolAnswer): ToolAnswer =>
  answer.kind === "problem" && answer.problem.code === "deadline"
    ? { kind: "problem", problem: { ...answer.problem, hint: deadlineHint } }
    : answer;

const deadlineHint =
  "objects of this process are read in its own thread: a question gives it back every few milliseconds, code of the program holds it, for `source.holdMs` at most. Narrow the question, raise that or `source.wallMs`, or let the inspector look from another process (`source.kind: process`)";
