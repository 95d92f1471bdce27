/**
 * Runs as the kernel's own service offers them: start, list, get, watch, cancel, answer and resume, each for one principal. A caller sees its own
 * runs of procedures that it may call; who may administer the kernel sees all.
 *
 * Not here: the work (`runner.ts`). Loaded with the first of these calls, or when an earlier kernel left runs.
 */
import { randomUUID } from "node:crypto";
import type { AccessLevel, CallerOutput, FairleadError, Procedure } from "@fairlead/contracts";
import type { kernel } from "@fairlead/contracts/kernel";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schedule from "effect/Schedule";
import * as Scope from "effect/Scope";
import * as Semaphore from "effect/Semaphore";
import * as Stream from "effect/Stream";
import { type CallRequest, isGranted, type Principal } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { ownIdentity } from "../owner/process-identity.ts";
import { effectiveRunPolicy } from "./attempts.ts";
import type { RunRefusal } from "./decide.ts";
import { fromStore } from "./journal.ts";
import { declaredQuestion, refuseAnswer } from "./question.ts";
import { isOver, newRun, type Run, type RunAnswer } from "./run.ts";
import { makeRunner, type Runner, type RunnerParts, tooManyRuns } from "./runner.ts";
import type { RunOwner, RunQuery } from "./store.ts";

type RunClaims = "yes" | "ends_with_caller" | "no_folder";

/** A procedure that may be started. */
interface StartableProcedure {
  readonly procedure: Procedure;
  /** What a caller of it needs. */
  readonly access: AccessLevel;
  /** Throws what a call would be refused for before it waits for anything. */
  readonly check: (request: CallRequest) => void;
}

interface RunsParts extends Omit<RunnerParts, "policy"> {
  readonly find: (procedure: string) => StartableProcedure | undefined;
  /** Names this kernel, at each time that its runs are opened. */
  readonly kernel: string;
  /** Whether it may have runs: not where it ends with its caller, nor where its state folder is another kernel's. */
  readonly claims: RunClaims;
}

interface RunRequest {
  readonly procedure: string;
  readonly input: unknown;
  readonly key?: string | undefined;
}

/** A run as it is shown. */
export type RunView = CallerOutput<(typeof kernel)["procedures"]["getRun"]>;

/** What a caller may not do, for the kernel's service to say in its contract's words. */
export type RunProblem = RunRefusal | "unknown" | "not_startable";

/** What was refused. */
export class RunRefused extends Error {
  override readonly name = "RunRefused";
  readonly problem: RunProblem;
  readonly state: RunView["state"] | undefined;

  constructor(problem: RunProblem, message: string, state?: RunView["state"]) {
    super(message);
    this.problem = problem;
    this.state = state;
  }
}

/** All reject with `RunRefused` or a `FairleadError`. */
export interface Runs {
  start(request: RunRequest, principal: Principal): Promise<{ readonly run: RunView; readonly created: boolean }>;
  list(
    query: Omit<RunQuery, "principal">,
    principal: Principal,
  ): Promise<{ readonly items: RunView[]; readonly next?: number }>;
  get(id: string, principal: Principal): Promise<RunView>;
  /** Now and after each change, until its end. */
  watch(id: string, principal: Principal): AsyncIterable<{ readonly version: number; readonly run: RunView }>;
  cancel(id: string, principal: Principal): Promise<RunView>;
  answer(id: string, answer: RunAnswer & { readonly question: string }, principal: Principal): Promise<RunView>;
  resume(id: string, principal: Principal): Promise<RunView>;
  /** The kernel ends: what need not be waited for ends first. */
  interrupt(): Promise<void>;
  /** Notes what is under way as interrupted, and writes it down. */
  close(): Promise<void>;
}

/** How soon a kernel looks again whether the one that has the runs of its folder has ended. */
const claimPause = "5 seconds";

/** Opens the runs of this kernel, those of an earlier one among them. */
export const openRuns = (parts: RunsParts): Promise<Runs> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const scope = yield* Scope.make();
      return yield* Effect.onError(makeRuns(parts, scope), () => Scope.close(scope, Exit.void));
    }),
  );

const makeRuns = Effect.fnUntraced(function* (parts: RunsParts, scope: Scope.Closeable) {
  const { store, claims, kernel, find } = parts;
  const owner: RunOwner = { kernel, ...ownIdentity() };
  const policy: RunnerParts["policy"] = (name) => {
    const target = find(name);
    return target && effectiveRunPolicy(target.procedure);
  };
  let runner: Runner | undefined;
  const claiming = Semaphore.makeUnsafe(1);
  let releases = false;
  /** Whether the runs are ours now; what was taken is given back at the end. */
  const take = Effect.uninterruptible(
    Effect.gen(function* () {
      const [claimed] = yield* fromStore(() => store.commit([{ kind: "claim", owner }]));
      if (claimed?.tag !== "written") return false;
      const release = Effect.exit(fromStore(() => store.commit([{ kind: "release", owner }])));
      if (!releases) yield* Scope.addFinalizer(scope, release);
      releases = true;
      return true;
    }),
  );
  /** Takes the runs, unless another kernel has them that lives. */
  const claim = Effect.gen(function* () {
    if (runner === undefined && !parts.isClosing() && (yield* take)) runner = yield* makeRunner({ ...parts, policy });
  }).pipe(claiming.withPermits(1), Effect.provideService(Scope.Scope, scope));
  if (claims === "yes") {
    yield* claim;
    // The other one may end, and then its runs go on without being asked for.
    const isOwner = Effect.sync(() => runner !== undefined);
    const later = Effect.repeat(Effect.andThen(Effect.exit(claim), isOwner), {
      schedule: Schedule.spaced(claimPause),
      until: (isOurs) => isOurs,
    });
    if (runner === undefined) yield* Effect.forkIn(later, scope);
  }

  const owned: Effect.Effect<Runner, FairleadError> = Effect.gen(function* () {
    if (runner === undefined && claims === "yes") yield* claim;
    return runner ?? (yield* Effect.fail(notOwner(claims)));
  });

  const maySee = (run: Run, principal: Principal): boolean =>
    maySeeAll(principal) || (run.principal.id === principal.id && mayUse(principal, run.procedure, find));

  /** As it is on the disk; of another caller there is none. */
  const seen = (id: string, principal: Principal) =>
    Effect.gen(function* () {
      if (runner !== undefined) yield* runner.saved;
      const run = yield* fromStore(() => store.find(id));
      if (run !== undefined && maySee(run, principal)) return run;
      return yield* Effect.fail(new RunRefused("unknown", `there is no run ${id} of ${principal.id}`));
    });

  const changed = (
    id: string,
    principal: Principal,
    change: (runner: Runner, run: Run) => Effect.Effect<Run | RunRefusal, FairleadError | RunRefused>,
  ) =>
    Effect.gen(function* () {
      const run = yield* seen(id, principal);
      const result = yield* change(yield* owned, run);
      if (typeof result !== "string") return toView(result);
      return yield* Effect.fail(new RunRefused(result, refusalText(result, run), run.state.tag));
    });

  const start = Effect.fnUntraced(function* ({ procedure, input, key }: RunRequest, principal: Principal) {
    const target = find(procedure);
    if (target?.procedure.run === undefined)
      return yield* Effect.fail(new RunRefused("not_startable", `${procedure} is not a procedure that can be started`));
    const { check } = target;
    yield* Effect.try({
      try: () => check({ procedure, input, principal, transport: "memory" }),
      catch: (cause) => cause as FairleadError,
    });
    // What it asks for by the second is for calls: a run's share is its procedure's `concurrency`.
    const { rate: _, ...rights } = principal;
    const run = newRun({
      id: randomUUID(),
      procedure,
      principal: rights,
      ...(key !== undefined && { key }),
      now: parts.now(),
    });
    const written = yield* (yield* owned).insert(run, input);
    if (written.tag === "written") return { run: toView(run), created: true };
    if (written.tag === "exists") return { run: toView(written.run), created: false };
    return yield* Effect.fail(tooManyRuns());
  });

  const runs: Runs = {
    start: (request, principal) => Effect.runPromise(start(request, principal)),
    list: (query, principal) =>
      Effect.runPromise(
        Effect.gen(function* () {
          if (runner !== undefined) yield* runner.saved;
          const own = maySeeAll(principal) ? {} : { principal: principal.id };
          const { runs: found, next } = yield* fromStore(() => store.list({ ...query, ...own }));
          const items = found.filter((run) => maySee(run, principal)).map(toView);
          return { items, ...(next !== undefined && { next }) };
        }),
      ),
    get: (id, principal) => Effect.runPromise(Effect.map(seen(id, principal), toView)),
    watch: (id, principal) => {
      const changes = Effect.gen(function* () {
        yield* seen(id, principal);
        const signals = runner === undefined ? Stream.empty : Stream.fromQueue(yield* runner.watch(id));
        return Stream.concat(Stream.succeed(undefined), signals).pipe(
          Stream.mapEffect(() => seen(id, principal)),
          Stream.takeUntil(isOver),
          Stream.map((run) => ({ version: run.version, run: toView(run) })),
        );
      });
      return Stream.toAsyncIterable(Stream.unwrap(changes));
    },
    cancel: (id, principal) =>
      Effect.runPromise(changed(id, principal, (runner, run) => runner.change(run, { type: "cancel" }))),
    answer: (id, { question, ...answer }, principal) =>
      Effect.runPromise(
        changed(id, principal, (runner, run) => {
          const why = whyNot(run, question, answer, find);
          if (why !== undefined) return Effect.fail(failure("invalid_argument", why));
          return runner.change(run, { type: "answer", question, answer });
        }),
      ),
    resume: (id, principal) => Effect.runPromise(changed(id, principal, (runner, run) => runner.reopen(run))),
    interrupt: () => Effect.runPromise(runner?.interrupt ?? Effect.void),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  };
  return runs;
});

/** Why that answer does not fit the question that the run waits for. */
const whyNot = (
  { procedure, state }: Run,
  question: string,
  answer: RunAnswer,
  find: RunsParts["find"],
): string | undefined => {
  if (state.tag !== "waiting" || state.question.id !== question) return undefined;
  const target = find(procedure);
  const declaration = target && declaredQuestion(target.procedure, state.question.name);
  return declaration && refuseAnswer(declaration, answer);
};

const notOwner = (claims: RunClaims): FairleadError => {
  switch (claims) {
    case "yes":
      return failure("unavailable", "another kernel has the runs of this state folder", {
        hint: "end that one, or call it",
      });
    case "no_folder":
      return failure("unavailable", "a kernel in memory has runs only in a state folder of its own", {
        hint: "open it with `stateDir`",
      });
    case "ends_with_caller":
      return failure("failed_precondition", "this kernel ends with its caller, and runs do not", {
        hint: "start a kernel that stays: `fairlead up`",
      });
  }
};

const maySeeAll = (principal: Principal): boolean => isGranted(principal, "admin");

/** A token of the same caller may be for less than the one that started the run. Of a service that is not here, any access to it counts. */
const mayUse = (principal: Principal, procedure: string, find: RunsParts["find"]): boolean => {
  const service = procedure.split(".")[0];
  const access = find(procedure)?.access;
  const levels: readonly AccessLevel[] = access === undefined ? ["read", "call", "admin"] : [access];
  return levels.some((level) => isGranted(principal, level, service));
};

const refusalText = (refusal: RunRefusal, { id, state }: Run): string => {
  switch (refusal) {
    case "over":
      return `the run ${id} has ended: it is ${state.tag}`;
    case "not_over":
      return `only a run that failed or was cancelled can be resumed; ${id} is ${state.tag}`;
    case "answered":
      return "the question was answered before";
    case "not_asked":
      return `the run ${id} does not wait for that question; see \`fairlead runs show ${id}\``;
    case "not_running":
      return `the run ${id} is not at work`;
  }
};

const isoTime = (at: number): string => new Date(at).toISOString();

const toView = (run: Run): RunView => {
  const { id, procedure, principal, key = null, state, attempt, progress = null, log } = run;
  return {
    id,
    procedure,
    principal: principal.id,
    key,
    state: state.tag,
    attempt,
    progress,
    log: log.map(({ at, text }) => ({ at: isoTime(at), text })),
    // JSON Schema and outputs came in as JSON.
    question: state.tag === "waiting" ? (state.question as RunView["question"]) : null,
    output: state.tag === "done" ? ((state.output ?? null) as RunView["output"]) : null,
    error: state.tag === "failed" ? (state.error as RunView["error"]) : null,
    createdAt: isoTime(run.createdAt),
    updatedAt: isoTime(run.updatedAt),
  };
};
