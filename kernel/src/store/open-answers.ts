/**
 * Answers of keyed calls in PostgreSQL, as the kernel opens them: for its first keyed call. Loaded only where a store is configured, since its client is
 * installed by who uses it.
 */
import { FairleadError } from "@fairlead/contracts";
import { within } from "../call/within.ts";
import type { PostgresSettings } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import type { Log } from "../observe/log.ts";
import type { AnswerStore } from "../policy/idempotency.ts";
import { groupCommit } from "../state/group-commit.ts";
import { answerLimits } from "../state/lazy-state.ts";
import type { AnswerWrite } from "../state/state-write.ts";
import { PostgresAnswers } from "./answers.ts";
import { PostgresConnection, toClientConfig } from "./connection.ts";
import { prepareSchema } from "./schema.ts";

interface OpenOptions {
  readonly settings: PostgresSettings;
  readonly env: Environment;
  readonly log: Log;
  /** True for a kernel that takes calls of others, which have claimed their keys already. */
  readonly isWorker: boolean;
}

export interface PostgresStore {
  readonly answers: AnswerStore;
  /** That the last write failed, in words for all who read health pages; `undefined` where it did not. */
  readonly problem: () => { readonly why: string; readonly fix: string } | undefined;
  /** Finds out whether it can be used, for `problem`. */
  readonly look: () => Promise<void>;
  /** Waits some seconds for answers on their way, and frees what is in doubt where the server can be asked. */
  readonly close: () => Promise<void>;
}

/** Milliseconds between two looks of a kernel that has no keyed calls meanwhile. */
const lookEveryMs = 600_000;
/** Milliseconds between two looks while there is a problem, or something in doubt. */
const tickMs = 5_000;

/** Milliseconds that a kernel which closes waits for answers on their way, and then for the server to free what is in doubt. */
const lastWritesMs = 5_000;
const leaveMs = 5_000;

/** Where the server is and who the kernel is there is not the callers' to know: it is in the log and in what `fairlead doctor` finds. */
const toCaller = (cause: FairleadError): FairleadError =>
  new FairleadError(
    cause.code === "failed_precondition"
      ? {
          code: "failed_precondition",
          message: "the shared store of answers does not let this kernel in",
          hint: "no repeat helps until an operator has put it right, who finds why in the log and by `fairlead doctor`",
        }
      : {
          code: "unavailable",
          message: "the shared store of answers cannot be reached or used",
          hint: "try again with the same key later; an operator finds why in the log and by `fairlead doctor`",
        },
    { cause },
  );

/** Reaches nothing yet. Throws a `FairleadError` for settings that it cannot be reached with. */
export const openPostgresStore = ({ settings, env, log, isWorker }: OpenOptions): PostgresStore => {
  const connection = new PostgresConnection(toClientConfig(settings, env), (ask) =>
    prepareSchema(ask, settings.schema),
  );
  const answers = new PostgresAnswers((text, values, patienceMs) => connection.ask(text, values, patienceMs), {
    schema: settings.schema,
    limits: answerLimits,
    scope: isWorker ? "worker" : "",
    now: () => performance.now(),
  });
  let problem: FairleadError | undefined;
  const judge = (cause: FairleadError | undefined): void => {
    // Once for a spell of failures: each call reports its own.
    if (cause !== undefined && problem === undefined)
      log("error", "answers of keyed calls cannot be stored", { cause });
    problem = cause;
  };
  let last: Promise<unknown> = Promise.resolve();
  /** What is in doubt is not to be freed while it is claimed again. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  const commit = async (writes: readonly AnswerWrite[]) => {
    const results = await inTurn(() => answers.commit(writes));
    judge(results.find((result) => result instanceof FairleadError));
    return results.map((result) => (result instanceof FairleadError ? toCaller(result) : result));
  };
  let looked = performance.now();
  const look = (): Promise<void> => {
    looked = performance.now();
    return inTurn(() => answers.look()).then(
      () => judge(undefined),
      (cause: FairleadError) => judge(cause),
    );
  };
  const tick = (): void => {
    // A kernel that is out of service for it gets no calls to find out by, and to free by what is in doubt.
    if (problem === undefined && !answers.hasDoubts && performance.now() - looked < lookEveryMs) return;
    void look();
  };
  const looks = setInterval(tick, tickMs).unref();
  const store = groupCommit(commit);
  return {
    answers: store,
    look,
    problem: () =>
      problem && {
        why: `answers of keyed calls cannot be stored: ${toCaller(problem).message}`,
        fix: "run `fairlead doctor` and see the kernel's log",
      },
    close: async () => {
      clearInterval(looks);
      await store.whenIdle(lastWritesMs);
      await within(
        leaveMs,
        inTurn(() => answers.leave()),
      );
      await connection.close();
    },
  };
};
