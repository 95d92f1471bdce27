/**
 * Answers of keyed calls in PostgreSQL, as the kernel opens them: for its first keyed call. Loaded only where a store is configured, since its client is
 * installed by who uses it.
 */
import { FairleadError } from "@fairlead/contracts";
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
  /** Why the last write failed; `undefined` where it did not. */
  readonly problem: () => { readonly why: string; readonly fix: string } | undefined;
  /** Finds out whether it can be used, for `problem`. */
  readonly look: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Milliseconds between two looks of a kernel that has no keyed calls meanwhile. */
const lookEveryMs = 600_000;
/** Milliseconds between two looks while there is a problem. */
const tickMs = 15_000;

/** Where the server is and who the kernel is there is not the callers' to know: it is in the log, `/readyz` and `fairlead doctor`. */
const toCaller = (cause: FairleadError): FairleadError =>
  new FairleadError(
    {
      code: cause.code === "failed_precondition" ? "failed_precondition" : "unavailable",
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
  const commit = async (writes: readonly AnswerWrite[]) => {
    const results = await answers.commit(writes);
    judge(results.find((result) => result instanceof FairleadError));
    return results.map((result) => (result instanceof FairleadError ? toCaller(result) : result));
  };
  let looked = performance.now();
  const look = (): Promise<void> => {
    looked = performance.now();
    return answers.look().then(
      () => judge(undefined),
      (cause: FairleadError) => judge(cause),
    );
  };
  const tick = (): void => {
    // A kernel that is out of service for it gets no calls to find out by.
    if (problem === undefined && performance.now() - looked < lookEveryMs) return;
    void look();
  };
  const looks = setInterval(tick, tickMs).unref();
  return {
    answers: groupCommit(commit),
    look,
    problem: () =>
      problem && {
        why: `answers of keyed calls cannot be stored: ${problem.message}`,
        fix: problem.hint ?? "run `fairlead doctor`",
      },
    close: () => {
      clearInterval(looks);
      return connection.close();
    },
  };
};
