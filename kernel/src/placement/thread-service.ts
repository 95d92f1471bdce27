/**
 * The service in its thread, as the kernel asks for it: its start, its calls, what it says about itself, and its stop.
 *
 * Not here: the thread itself (`thread-entry.ts`), running one call (`thread-calls.ts`).
 */
import { type Contract, FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { readSections } from "../config/sections.ts";
import { makeHost } from "../host/host.ts";
import { loadService } from "../host/registry.ts";
import { ServiceInstance } from "../host/service-instance.ts";
import { attempt, startService } from "../host/start-service.ts";
import { CurrentRun, Releases } from "../service/linked-fibers.ts";
import type { SelfCheck, StartedService } from "../service/started-service.ts";
import type { Link, LinkServer } from "./link.ts";
import type { PlacedDetails } from "./placement.ts";
import { makeThreadCalls, type ThreadCalls, withoutPolicies } from "./thread-calls.ts";
import { cloneable, type RunPromise, relayConnect, relayEvents, relayLog, type ThreadState } from "./thread-parts.ts";
import type { LineNote, Ping, ProgressNote, QuestionRequest, ThreadCall, ThreadStart } from "./thread-protocol.ts";

interface RunningService {
  readonly instance: ServiceInstance;
  readonly started: StartedService<Contract>;
  readonly calls: ThreadCalls;
}

/** `run` is how plain code waits for an Effect. */
export const threadService = (link: Link, start: ThreadStart, run: RunPromise): Effect.Effect<LinkServer> =>
  Effect.map(Scope.make(), (scope) =>
    serveService(link, start, { state: { progress: new Map(), seq: 0, run }, scope }),
  );

interface ThreadRun {
  readonly state: ThreadState;
  /** Of the one run of the service. */
  readonly scope: Scope.Closeable;
}

const serveService = (link: Link, start: ThreadStart, { state, scope }: ThreadRun): LinkServer => {
  let running: RunningService | undefined;
  const whenRunning = <A, R>(
    use: (service: RunningService) => Effect.Effect<A, FairleadError, R>,
  ): Effect.Effect<A, FairleadError, R> =>
    Effect.suspend(() => (running === undefined ? Effect.fail(notRunning()) : use(running)));
  const begin = Effect.gen(function* () {
    running = yield* Effect.provideService(startInThread(link, start, state), Scope.Scope, scope);
    return describe(running);
  });
  return {
    note: (kind, body) => {
      if (kind === "progress") {
        const { id, progress } = body as ProgressNote;
        return state.progress.get(id)?.(progress);
      }
      state.seq = (body as Ping).seq;
      if (running !== undefined) link.note("pong", describe(running));
    },
    noteFailed: (note, error) =>
      relayLog(link)("error", "a note to the thread failed", { service: start.service, note, error }),
    request: (kind, body) => {
      switch (kind) {
        case "start":
          state.seq = (body as Ping).seq;
          return begin;
        case "stop":
          return Scope.close(scope, Exit.void);
        case "checks":
          return whenRunning(({ started }) => readChecks(started));
        default:
          return whenRunning(({ calls }) => calls.answer(body as ThreadCall));
      }
    },
    stream: (_kind, body) => whenRunning(({ calls }) => calls.open(body as ThreadCall)),
  };
};

const startInThread = Effect.fnUntraced(function* (link: Link, start: ThreadStart, state: ThreadState) {
  const { service: id, module, section } = start;
  const log = relayLog(link);
  const loaded = yield* Effect.mapError(loadService({ id, module }, { from: module }), (cause) =>
    unloadable(id, cause),
  );
  const sections = yield* attempt(() => readSections(section === undefined ? {} : { [id]: section }, [loaded]));
  const host = makeHost(id, {
    ...start,
    sections,
    log,
    events: relayEvents(link, state),
    connect: relayConnect(link, state),
  });
  const fiberFailed = (error: unknown): void => link.note("failed", cloneable(error));
  const started = yield* Effect.provideService(startService(loaded, host, log), CurrentRun, {
    fiberFailed,
    releases: new Releases(),
  });
  const needs = start.isPartial === true ? undefined : needsKernel(started);
  if (needs !== undefined) return yield* Effect.fail(needsLocal(id, needs));
  const instance = new ServiceInstance(withoutPolicies(loaded.contract), Date.now());
  instance.begin(fiberFailed);
  yield* attempt(() => instance.attach(started));
  instance.follow({ tag: "Ready", since: Date.now(), life: 1 });
  yield* Effect.tryPromise({ try: () => instance.readHandlers(), catch: (cause) => cause as FairleadError });
  const calls = makeThreadCalls({
    instance,
    log,
    begun: (call) => link.noteSafely("begun", call),
    caller: (call) => ({
      ...(call.progress && {
        onProgress: (progress) => link.note("progress", { id: call.id, progress } satisfies ProgressNote),
      }),
      ...(call.run && { onLog: (line) => link.note("line", { id: call.id, line } satisfies LineNote) }),
      ...(call.ask && {
        ask: (question) => state.run(link.request("ask", { id: call.id, question } satisfies QuestionRequest)),
      }),
    }),
  });
  return { instance, started, calls };
});

/** What the kernel reads without waiting, and so cannot read in a thread. */
const needsKernel = ({ relay, authorise }: StartedService<Contract>): string | undefined => {
  if (relay !== undefined) return "`relay`";
  return authorise === undefined ? undefined : "`authorise`";
};

const needsLocal = (id: string, member: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: `${id} cannot run in a thread: the kernel calls its ${member} without waiting`,
    hint: 'place it "local", or leave that out',
  });

const describe = ({ instance, started }: RunningService): PlacedDetails => ({
  condition: read(() => instance.condition, unreadable),
  off: read(() => started.off?.() ?? {}, {}),
  info: read(() => started.info?.() ?? {}, {}),
  children: read(() => started.children?.() ?? [], []),
});

/** As JSON, which every message can carry. What the service throws instead is in its condition. */
const read = <T>(question: () => unknown, otherwise: T): T => {
  try {
    return JSON.parse(JSON.stringify(question()));
  } catch {
    return otherwise;
  }
};

const unreadable: PlacedDetails["condition"] = {
  state: "degraded",
  why: "the service's `condition` is not JSON",
  fix: "fix the service",
};

const readChecks = ({ checks }: StartedService<Contract>): Effect.Effect<readonly SelfCheck[]> =>
  Effect.promise(() => Promise.try(() => checks?.() ?? []));

/** The kernel has loaded the same module before: what fails here is its code, at a second import or beside other threads. */
const unloadable = (id: string, cause: unknown): FairleadError =>
  cause instanceof FairleadError
    ? cause
    : new FairleadError(
        { code: "failed_precondition", message: `${id} could not be loaded in its thread: ${String(cause)}` },
        { cause },
      );

const notRunning = (): FairleadError =>
  new FairleadError({ code: "unavailable", message: "the service does not run in its thread" });
