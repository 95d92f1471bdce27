/**
 * Runs: a procedure that goes on without its caller, and the handle that follows it, answers its questions and ends it. `client.export.start(input)` makes one,
 * `client.export.run(id)` finds it again.
 *
 * The kernel's own procedures are called for that; a test holds them to its contract. Not here: how a call is made (`client.ts`).
 */
import type { ProcedureDescriptor } from "./descriptor.ts";
import { ClientError, type DeclaresErrors, type WireError } from "./error.ts";
import type { CallOptions, SubscribeOptions } from "./options.ts";
import type { Progress } from "./transport.ts";

/** Where a run is; `waiting` for an answer. The last three are its end. */
export type RunPhase = "queued" | "running" | "waiting" | "done" | "failed" | "cancelled";

/** What a run waits for. */
export interface PendingQuestion {
  readonly id: string;
  /** Its name in the contract. */
  readonly name: string;
  readonly kind: "form" | "confirm";
  /** For people. */
  readonly message: string;
  /** JSON Schema of a form's answer; an empty object for yes or no. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A run as the kernel has it now. */
export interface RunSnapshot<O> {
  readonly id: string;
  /** Full name of what runs. */
  readonly procedure: string;
  readonly key: string | null;
  readonly state: RunPhase;
  /** Attempts begun so far. */
  readonly attempt: number;
  /** Null before it said so. */
  readonly progress: Progress | null;
  /** The latest lines, oldest first. */
  readonly log: readonly { readonly at: string; readonly text: string }[];
  /** Null in any state but `waiting`. */
  readonly question: PendingQuestion | null;
  /** Null before it is done. */
  readonly output: O | null;
  /** Why it failed; null otherwise. */
  readonly error: WireError | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Options of a start. */
export interface StartOptions extends Pick<CallOptions, "signal" | "timeoutMs" | "retry" | "detached"> {
  /** One run of this caller and procedure has it: who starts it again gets that one. */
  readonly key?: string;
}

/** Options of what is done with a run. */
export type HandleOptions = Pick<CallOptions, "signal" | "timeoutMs" | "retry" | "detached">;

/** A run. It goes on whether anyone holds this or not. */
export interface RunHandle<O, E = unknown, Q = unknown> extends DeclaresErrors<E> {
  readonly id: string;
  readonly procedure: ProcedureDescriptor;
  /** What it is now. */
  get(options?: HandleOptions): Promise<RunSnapshot<O>>;
  /** What it is now and after each change, until it has ended. A broken stream is opened again. */
  watch(options?: SubscribeOptions): AsyncIterable<RunSnapshot<O>>;
  /** Waits for its end. Rejects with a `ClientError`: the error that it failed with, or `canceled`. */
  result(options?: SubscribeOptions): Promise<O>;
  /** Answers the question of that name, which it has to wait for: yes or no, a form, or `null` where a form is declined. The first answer counts. */
  answer<N extends keyof Q & string>(name: N, answer: Q[N] | null, options?: HandleOptions): Promise<RunSnapshot<O>>;
  /** Ends it; its handler is interrupted. */
  cancel(options?: HandleOptions): Promise<RunSnapshot<O>>;
  /** Queues it again after it failed or was cancelled, with the answers that it got. */
  resume(options?: HandleOptions): Promise<RunSnapshot<O>>;
}

/** How the handle calls the kernel. */
export interface RunCalls {
  call(procedure: ProcedureDescriptor, input: unknown, options: HandleOptions): Promise<unknown>;
  watch(procedure: ProcedureDescriptor, input: unknown, options: SubscribeOptions): AsyncIterable<unknown>;
}

const mutation = (name: string, retry: ProcedureDescriptor["retry"]): ProcedureDescriptor => ({
  name: `kernel.${name}`,
  kind: "mutation",
  path: `/api/kernel/${name}`,
  retry,
});
const byId = { retry: "safe", query: { id: "string" } } as const;

/** The kernel's procedures that runs need. */
export const runProcedures = {
  startRun: mutation("startRun", "keyed"),
  getRun: { name: "kernel.getRun", kind: "query", path: "/api/kernel/getRun", ...byId },
  watchRun: { name: "kernel.watchRun", kind: "subscription", path: "/api/kernel/watchRun", ...byId },
  cancelRun: mutation("cancelRun", "idempotent"),
  answerRun: mutation("answerRun", "unsafe"),
  resumeRun: mutation("resumeRun", "idempotent"),
} as const satisfies Readonly<Record<string, ProcedureDescriptor>>;

/** Starts the procedure and gives its handle. */
export const startRun = async (
  calls: RunCalls,
  procedure: ProcedureDescriptor,
  { input, key, ...options }: StartOptions & { readonly input: unknown },
): Promise<RunHandle<unknown>> => {
  const sent = procedure.values === undefined ? input : procedure.values.encodeInput(input);
  const start = { procedure: procedure.name, input: sent, ...(key !== undefined && { key }) };
  // The kernel's contract says what it gives.
  const { run } = (await calls.call(runProcedures.startRun, start, options)) as { readonly run: RunSnapshot<unknown> };
  return makeRun(calls, procedure, run.id);
};

/** The handle of a run that there is. Nothing is sent. */
export const makeRun = (calls: RunCalls, procedure: ProcedureDescriptor, id: string): RunHandle<unknown> => {
  const view = (value: unknown): RunSnapshot<unknown> => {
    const seen = value as RunSnapshot<unknown>;
    const { values } = procedure;
    return values === undefined || seen.state !== "done" ? seen : { ...seen, output: values.decodeOutput(seen.output) };
  };
  const call = async (
    own: ProcedureDescriptor,
    options: HandleOptions = {},
    more: object = {},
  ): Promise<RunSnapshot<unknown>> => view(await calls.call(own, { id, ...more }, options));
  const get = (options?: HandleOptions) => call(runProcedures.getRun, options);
  async function* watch(options: SubscribeOptions = {}): AsyncGenerator<RunSnapshot<unknown>> {
    for await (const item of calls.watch(runProcedures.watchRun, { id }, options)) yield view(item);
  }
  return {
    id,
    procedure,
    get,
    watch,
    cancel: (options) => call(runProcedures.cancelRun, options),
    resume: (options) => call(runProcedures.resumeRun, options),
    result: async (options) => {
      let last: RunSnapshot<unknown> | undefined;
      for await (const item of watch(options)) last = item;
      if (last?.state === "done") return last.output;
      throw new ClientError(last?.error ?? endedWithout(last), procedure.name);
    },
    answer: async (name: string, answer: unknown, options) => {
      const { question, state } = await get(options);
      if (question?.name !== name) throw new ClientError(wrongQuestion(name, question, state), procedure.name);
      const isForm = question.kind === "form";
      const isYes = answer !== null && answer !== false;
      // Nothing but true is yes: a text, a 0 or a list is an answer to something else.
      if (isYes && !(isForm ? typeof answer === "object" && !Array.isArray(answer) : answer === true))
        throw new ClientError(wrongAnswer(name, isForm), procedure.name);
      return call(runProcedures.answerRun, options, {
        question: question.id,
        action: isYes ? "accept" : "decline",
        ...(isYes && isForm && { content: answer }),
      });
    },
  };
};

const endedWithout = (last: RunSnapshot<unknown> | undefined): WireError =>
  last?.state === "cancelled"
    ? { code: "canceled", message: `the run ${last.id} was cancelled`, retryable: false }
    : {
        code: "unavailable",
        message: "the run was not seen to its end",
        hint: "ask for its result again",
        retryable: true,
      };

const wrongQuestion = (name: string, question: PendingQuestion | null, state: RunPhase): WireError => ({
  code: "failed_precondition",
  reason: "not_asked",
  message: `the run does not wait for ${name}: ${question === null ? `it is ${state}` : `it asks ${question.name}`}`,
  retryable: false,
});

const wrongAnswer = (name: string, isForm: boolean): WireError => ({
  code: "invalid_argument",
  message: `the question ${name} takes ${isForm ? "an object of its fields, or null" : "true or false"}`,
  retryable: false,
});
