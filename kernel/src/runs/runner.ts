/**
 * Works on runs: starts what is queued, a few of each procedure at once, turns what their handlers report into changes, and tries again what
 * failed. Open runs are in memory, each change of one is decided there at once and acknowledged when it is on the disk.
 *
 * Not here: what a change makes of a run (`decide.ts`), writing it (`journal.ts`), and who may see it (`open-runs.ts`).
 */
import { type FairleadError, type RunPolicy, runDefaults, type WireError } from "@fairlead/contracts";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as FiberMap from "effect/FiberMap";
import * as Queue from "effect/Queue";
import type * as Scope from "effect/Scope";
import * as Semaphore from "effect/Semaphore";
import type { CallRequest, Question, Reply } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { longestPause } from "../supervision/backoff.ts";
import { decide, type RunEvent, type RunRefusal } from "./decide.ts";
import { fromStore, makeJournal } from "./journal.ts";
import { makePlaces, type RunPlace } from "./places.ts";
import { toRunQuestion } from "./question.ts";
import { findAnswer, isOver, type Run, type RunAnswer, type RunQuestion, readProgress } from "./run.ts";
import type { RunStore, RunWritten } from "./store.ts";

export interface RunnerParts {
  readonly store: RunStore;
  /** Makes a call by the one path. Never rejects. */
  readonly call: (request: CallRequest) => Promise<Reply>;
  /** How runs of a procedure are worked on; `undefined` for one that cannot be started, or is not there. */
  readonly policy: (procedure: string) => RunPolicy | undefined;
  /** True once the kernel ends: calls end for that reason. */
  readonly isClosing: () => boolean;
  /** True while the service of a procedure is stopped on purpose, to be started again. */
  readonly isDraining: (procedure: string) => boolean;
  /** Called at each new state. */
  readonly onState: (run: Run) => void;
  /** Milliseconds since the system started. */
  readonly uptime: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Gives numbers in [0, 1). */
  readonly random: () => number;
}

/** A refusal, or the run after the change. */
type RunChanged = Run | RunRefusal;

export interface Runner {
  /** Adds a run and begins with it when there is room. */
  insert(run: Run, input: unknown): Effect.Effect<RunWritten, FairleadError>;
  /** An open run as it is now. */
  find(id: string): Run | undefined;
  /** Does so to a run, unless it has ended. On the disk when it is done. */
  change(run: Run, event: RunEvent): Effect.Effect<RunChanged, FairleadError>;
  /** Queues a run that has ended again. */
  reopen(run: Run): Effect.Effect<RunChanged, FairleadError>;
  /** Ends the attempts that a later kernel goes on with, and those that only wait: no use in waiting for them while the kernel ends. */
  readonly interrupt: Effect.Effect<void, FairleadError>;
  /** Waits until what is known of runs is on the disk. */
  readonly saved: Effect.Effect<void, FairleadError>;
  /** Gets a signal at each change of that run, until it is shut down. */
  watch(id: string): Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>;
}

/** What is in memory of an open run. */
interface LiveRun {
  run: Run;
  /** Where its handler waits for an answer. */
  waiting: { readonly question: string; readonly answered: Deferred.Deferred<RunAnswer> } | undefined;
  /** When it is to be looked at again, on the forward clock. */
  due: number | undefined;
  /** It was to be resumed, and there were too many open runs. */
  hasNoRoom: boolean;
}

/** What may go well at another time, without a change of what was sent. */
const passing: ReadonlySet<WireError["code"]> = new Set([
  ...(["unavailable", "deadline_exceeded", "aborted", "resource_exhausted", "internal", "unknown"] as const),
]);

/** Milliseconds until a run is tried again whose attempt could not begin, since the store failed. */
const storePauseMs = 5_000;

/** Characters of a result as JSON: it is kept for days. */
const mostOutput = 4_000_000;

/** Why a run failed whose kernel ended in the middle. */
const lostAttempt: WireError = failure("unavailable", "the kernel ended while this run was at work", {
  hint: "see what it has done, then `fairlead runs resume` it",
}).toJSON();

export const makeRunner = (parts: RunnerParts): Effect.Effect<Runner, FairleadError, Scope.Scope> =>
  Effect.gen(function* () {
    const { store, policy } = parts;
    const live = new Map<string, LiveRun>();
    const watchers = new Map<string, Set<Queue.Queue<void>>>();
    const fibers = yield* FiberMap.make<string>();
    const fork = yield* FiberMap.runtime(fibers)();

    const signal = (id: string): void => {
      for (const queue of watchers.get(id) ?? []) Queue.offerUnsafe(queue, undefined);
    };
    const journal = yield* makeJournal(store, {
      stored: (run) => {
        if (isOver(run) && live.get(run.id)?.run === run) live.delete(run.id);
      },
      lost: ({ id }, why) => {
        const each = live.get(id);
        if (each !== undefined && why === "full") each.hasNoRoom = true;
        live.delete(id);
        fork(`work:${id}`, Effect.void);
        signal(id);
      },
      unfit: ({ id }) => {
        const each = live.get(id);
        if (each === undefined) return;
        const { progress: _, ...rest } = each.run;
        replace(each, { ...rest, version: rest.version + 1, state: { tag: "failed", error: unfitRun } });
        fork(`work:${id}`, Effect.void);
      },
      found: (run) => {
        parts.onState(add(run).run);
        pump();
      },
    });

    const add = (run: Run): LiveRun => {
      const added: LiveRun = { run, waiting: undefined, due: undefined, hasNoRoom: false };
      live.set(run.id, added);
      return added;
    };

    const apply = (each: LiveRun, event: RunEvent): RunChanged => {
      const after = decide(each.run, event, parts.now());
      if (typeof after !== "string") replace(each, after);
      return after;
    };

    const replace = (each: LiveRun, after: Run): void => {
      const before = each.run;
      each.run = after;
      journal.update(after);
      signal(after.id);
      if (after.state.tag !== before.state.tag) parts.onState(after);
    };

    const settle = (each: LiveRun, reply: Reply): void => {
      const { onRestart, attempts, baseMs, capMs } = { ...runDefaults, ...policy(each.run.procedure) };
      if (reply.ok) {
        const error = refuseOutput(reply.value);
        apply(each, error === undefined ? { type: "succeed", output: reply.value ?? null } : { type: "fail", error });
      } else if (onRestart === "resume" && parts.isDraining(each.run.procedure)) {
        apply(each, { type: "interrupt" });
      } else if (parts.isClosing()) {
        apply(each, onRestart === "resume" ? { type: "interrupt" } : { type: "interrupt", error: reply.error });
      } else if (attemptsNow(each.run) < attempts && passing.has(reply.error.code)) {
        const pause = Math.ceil(longestPause(attemptsNow(each.run), { baseMs, capMs }) * parts.random());
        apply(each, { type: "log", text: `attempt ${each.run.attempt} failed: ${reply.error.message}` });
        apply(each, { type: "fail", error: reply.error, due: parts.uptime() + Math.max(1, pause) });
      } else apply(each, { type: "fail", error: reply.error });
    };

    const askRun = (each: LiveRun, question: RunQuestion, place: RunPlace): Effect.Effect<RunAnswer, FairleadError> =>
      Effect.gen(function* () {
        const known = findAnswer(each.run.answers, question);
        if (known !== undefined) return known;
        const answered = yield* Deferred.make<RunAnswer>();
        each.waiting = { question: question.id, answered };
        const changed = apply(each, { type: "ask", question });
        if (typeof changed === "string") return yield* Effect.fail(failure("canceled", "the run has ended"));
        place.lend();
        const answer = yield* Deferred.await(answered);
        yield* place.regain;
        return answer;
      });

    /** Hands an answer to the handler that waits for it. */
    const pass = ({ waiting }: LiveRun, event: RunEvent): Effect.Effect<unknown> =>
      event.type === "answer" && waiting?.question === event.question
        ? Deferred.succeed(waiting.answered, event.answer)
        : Effect.void;

    const attempt = (each: LiveRun, input: unknown, place: RunPlace): Effect.Effect<Reply> =>
      Effect.suspend(() => {
        const { id, procedure, principal, attempt } = each.run;
        const { deadlineMs } = { ...runDefaults, ...policy(procedure) };
        /** How often each question was asked in this attempt. */
        const asked = new Map<string, number>();
        /** One question at a time. */
        const asking = Semaphore.makeUnsafe(1);
        const ended = Deferred.makeUnsafe<never, FairleadError>();
        let isEnded = false;
        each.waiting = undefined;
        const report = (event: RunEvent): void => {
          if (!isEnded) apply(each, event);
        };
        const ask = (raw: Question): Promise<unknown> => {
          const question = toRunQuestion(raw, asked);
          if (question === undefined) return Promise.reject(notDeclared());
          const answered = Effect.suspend(() => (isEnded ? Deferred.await(ended) : askRun(each, question, place)));
          return Effect.runPromise(Effect.raceFirst(asking.withPermits(1)(answered), Deferred.await(ended)));
        };
        const called = Effect.promise((abort) =>
          parts.call({
            procedure,
            input,
            principal,
            transport: "memory",
            signal: abort,
            run: { id, attempt, deadlineMs },
            onWork: place.use,
            onProgress: (raw) => {
              const progress = readProgress(raw);
              if (progress !== undefined) report({ type: "progress", progress });
            },
            onLog: (text) => report({ type: "log", text: String(text) }),
            ask,
          }),
        );
        const end = Effect.suspend(() => {
          isEnded = true;
          return Deferred.fail(ended, failure("canceled", "the attempt has ended"));
        });
        return Effect.ensuring(called, end);
      });

    const work = (each: LiveRun, place: RunPlace): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (typeof apply(each, { type: "begin" }) === "string") return;
        // An attempt that is not on the disk would be made again after a crash.
        yield* journal.saved;
        const input = yield* fromStore(() => store.input(each.run.id));
        settle(each, yield* attempt(each, input, place));
      }).pipe(
        Effect.catch((error: FairleadError) =>
          Effect.sync(() => {
            // A damaged input stays damaged; the disk may be well again.
            const due = error.code === "data_loss" ? {} : { due: parts.uptime() + storePauseMs };
            apply(each, { type: "fail", error: error.toJSON(), ...due });
          }),
        ),
        Effect.ensuring(Effect.sync(() => place.use(false))),
      );

    const wake = (each: LiveRun, due: number, waitMs: number): void => {
      if (each.due === due) return;
      each.due = due;
      const look = Effect.sync(() => {
        each.due = undefined;
        pump();
      });
      fork(`due:${each.run.id}`, Effect.andThen(Effect.sleep(waitMs + 1), look));
    };

    /** Begins with what is due, the oldest first. */
    const pump = (): void => {
      if (parts.isClosing()) return;
      for (const each of live.values()) {
        const { id, procedure, state } = each.run;
        const rules = state.tag === "queued" ? policy(procedure) : undefined;
        if (rules === undefined || state.tag !== "queued") continue;
        const waitMs = state.due - parts.uptime();
        if (waitMs > 0) wake(each, state.due, waitMs);
        else if (places.hasRoom(procedure)) fork(`work:${id}`, work(each, places.take(procedure)));
      }
    };

    const places = makePlaces((procedure) => policy(procedure)?.concurrency ?? runDefaults.concurrency, pump);

    for (const run of yield* fromStore(store.open)) {
      journal.track(run);
      const each = add(run);
      const rules = policy(run.procedure);
      // Its service is not here: the next kernel that has it decides.
      if (rules === undefined) continue;
      apply(each, rules.onRestart === "resume" ? { type: "interrupt" } : { type: "interrupt", error: lostAttempt });
    }
    yield* journal.saved;
    pump();
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        for (const each of live.values()) {
          const rules = policy(each.run.procedure);
          if (rules !== undefined)
            apply(
              each,
              rules.onRestart === "resume" ? { type: "interrupt" } : { type: "interrupt", error: lostAttempt },
            );
        }
        yield* Effect.exit(journal.saved);
      }),
    );

    return {
      insert: (run, input) =>
        Effect.gen(function* () {
          const written = yield* journal.insert(run, input);
          if (written.tag === "written") {
            parts.onState(add(run).run);
            pump();
          }
          return written;
        }),
      find: (id) => live.get(id)?.run,
      change: (run, event) =>
        Effect.gen(function* () {
          const { id } = run;
          const each = live.get(id);
          if (each === undefined) {
            const refusal = decide(run, event, parts.now());
            return typeof refusal === "string" ? refusal : "over";
          }
          const changed = apply(each, event);
          if (typeof changed === "string") return changed;
          if (event.type === "cancel") yield* FiberMap.remove(fibers, `work:${id}`);
          // A disk that fails is reported to whoever answered; the handler goes on all the same.
          yield* Effect.ensuring(journal.saved, pass(each, event));
          pump();
          return changed;
        }),
      reopen: (run) =>
        Effect.gen(function* () {
          yield* journal.saved;
          if (live.has(run.id)) return "not_over" as const;
          const refusal = decide(run, { type: "resume" }, parts.now());
          if (typeof refusal === "string") return refusal;
          journal.track(run);
          const each = add(run);
          const changed = apply(each, { type: "resume" });
          yield* journal.saved;
          if (each.hasNoRoom) return yield* Effect.fail(tooManyRuns());
          pump();
          return changed;
        }),
      interrupt: Effect.gen(function* () {
        for (const each of live.values()) {
          const { onRestart = "fail" } = policy(each.run.procedure) ?? {};
          const { tag } = each.run.state;
          if (tag !== "waiting" && (tag !== "running" || onRestart === "fail")) continue;
          apply(each, onRestart === "resume" ? { type: "interrupt" } : { type: "interrupt", error: lostAttempt });
          yield* FiberMap.remove(fibers, `work:${each.run.id}`);
        }
        yield* journal.saved;
      }),
      saved: journal.saved,
      watch: (id) =>
        Effect.acquireRelease(
          Effect.map(Queue.sliding<void>(1), (queue) => {
            const ofRun = watchers.get(id) ?? new Set();
            watchers.set(id, ofRun.add(queue));
            return queue;
          }),
          (queue) =>
            Effect.sync(() => {
              const ofRun = watchers.get(id);
              ofRun?.delete(queue);
              if (ofRun?.size === 0) watchers.delete(id);
            }),
        ),
    };
  });

/** Why a result cannot be kept; `undefined` where it can. */
const refuseOutput = (output: unknown): WireError | undefined => {
  try {
    return (JSON.stringify(output)?.length ?? 0) > mostOutput ? tooLong : undefined;
  } catch {
    return unfitRun;
  }
};

/** Attempts since its start, or since it was resumed. */
const attemptsNow = ({ attempt, attemptsBefore = 0 }: Run): number => attempt - attemptsBefore;

const tooLong: WireError = failure("resource_exhausted", `a run's result may take ${mostOutput} characters`, {
  hint: "give what is larger by a procedure of its own",
}).toJSON();

const unfitRun: WireError = failure("internal", "the run has something that has no form in JSON").toJSON();

const notDeclared = (): FairleadError =>
  failure("unimplemented", "a run can only be asked what its contract declares", {
    hint: "declare it in `questions`, and ask by `call.question`",
  });

/** The refusal of a start or a resumption where there is no room for one more open run. */
export const tooManyRuns = (): FairleadError =>
  failure("resource_exhausted", "there are too many runs that have not ended", {
    hint: "wait for some of them, or cancel them: `fairlead runs ls`",
  });
