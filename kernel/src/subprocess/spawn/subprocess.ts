/**
 * A subprocess that services use: a supervised child that a request starts when it is down, and that answers again after any death.
 *
 * Its states are the supervisor's, so a crash loop ends in `Failed`, where requests are refused at once until there is a
 * restart or a start. Waiting for a start counts against the request's own time. Not here: what one run is made of (`child.ts`).
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Scope from "effect/Scope";
import { ambientCall, codeOwner, detached, inherit, type StateReporter } from "../../call/ambient.ts";
import { toClientFailure } from "../../observe/trace.ts";
import type { ChildSpec } from "../../supervision/child-spec.ts";
import type {
  Backoff,
  ChildChange,
  ChildStatus,
  Ending,
  Intensity,
  RestartKind,
} from "../../supervision/child-state.ts";
import { makeSupervisor, type Supervisor } from "../../supervision/supervisor.ts";
import type { Message } from "../protocol/line.ts";
import type { Ask, RequestOptions, SubprocessSpec } from "../protocol/spec.ts";
import { SubprocessError } from "../protocol/subprocess-error.ts";
import type { Child, Diagnostics } from "./child.ts";
import { probeContainment } from "./probe.ts";
import { watchReadiness } from "./readiness.ts";

/** A process of a service over all its runs. */
export interface Subprocess {
  readonly name: string;
  /** Sends a request; starts the process when it is down. Rejects with a `FairleadError`, mostly a `SubprocessError`. */
  readonly ask: Ask;
  /** Starts it, also when it had failed. Resolves when it is ready; no-op when it is. The signal ends the waiting, not the start. */
  start(options?: Pick<RequestOptions, "signal">): Promise<void>;
  /** Stops it until the next request or start. No-op when it is down. */
  stop(): Promise<void>;
  /** Ends this run and starts another. Resolves when that is ready. */
  restart(): Promise<void>;
  status(): ChildStatus;
  /** What the running child said of itself in its handshake. */
  info(): unknown;
  /** Process group of the running child. */
  pid(): number | undefined;
  /** What the running child, or the last one, printed outside of its protocol. */
  diagnostics(): Diagnostics | undefined;
  /** Requests that are with the child or waiting in it. */
  busy(): number;
}

/** How a process is supervised. Every member is optional. */
export interface Supervision {
  /** Receives every change as an event `child.state`, and of every failure as a line of log. Default: the service whose code makes it. */
  readonly reporter?: StateReporter;
  /** Default `permanent`: started again at once after a death, not only by the next request. */
  readonly restart?: RestartKind;
  readonly intensity?: Intensity;
  readonly backoff?: Backoff;
}

/** A subprocess under a supervisor of its own, stopped with the scope. */
export const makeSubprocess = Effect.fnUntraced(function* (spec: SubprocessSpec, supervision: Supervision = {}) {
  const { restart, reporter = codeOwner()?.reporter, ...rules } = supervision;
  const supervisor = yield* makeSupervisor({ id: spec.name, ...rules });
  if (reporter !== undefined) supervisor.onChange((change) => reportChange(reporter, change));
  return superviseSubprocess(supervisor, spec, restart);
});

const reportChange = (reporter: StateReporter, { id, state: { tag, ...details } }: ChildChange): void => {
  reporter.event("child.state", { child: id, state: tag, ...details });
  if (tag === "Backoff" || tag === "Failed") {
    const error = "error" in details ? details.error : undefined;
    reporter.log("warn", `${id} ${tag === "Failed" ? "is down" : "ended"}`, {
      code: error?.code,
      error: error?.message,
    });
  }
};

/** Adds a subprocess to a supervisor as its last child, not yet started. */
export const superviseSubprocess = (
  supervisor: Supervisor,
  spec: SubprocessSpec,
  restart?: RestartKind,
): Subprocess => {
  const id = spec.name;
  let current: Child | undefined;
  let info: unknown;
  const child: ChildSpec = {
    id,
    ...(restart !== undefined && { restart }),
    ...childTimes(spec),
    // A call that starts it, or restarts it, is not its owner: it lives on.
    enter: (begin) => detached(begin),
    start: startRun(spec, (child, handshake) => {
      current = child;
      info = handshake;
    }),
  };
  supervisor.add(child);
  const readiness = watchReadiness(supervisor, spec, () => current?.over === false);

  /** Resolves when it is ready. The signal ends the waiting, not the start. */
  const ready = async (timeoutMs: number, signal?: AbortSignal): Promise<void> => {
    if (readiness.isReady()) return;
    const exit = await Effect.runPromiseExit(readiness.wait(timeoutMs), signal === undefined ? {} : { signal });
    if (Exit.isSuccess(exit)) return;
    throw Cause.hasInterruptsOnly(exit.cause)
      ? new SubprocessError({ kind: "canceled" }, { name: id, sent: false })
      : Cause.squash(exit.cause);
  };

  /** A request inside of a call is a span below it, and the child's spans are below that. */
  const ask: Ask = async (body, given = {}) => {
    const call = given.detached === true ? undefined : ambientCall.getStore();
    const span = call?.span?.child(id, "client", { "rpc.system": "fairlead", "rpc.service": id });
    if (span === undefined) return send(body, given);
    try {
      const answer = await send(body, { trace: { traceparent: span.traceparent }, ...given });
      span.end({});
      return answer;
    } catch (cause) {
      span.end({}, toClientFailure(cause));
      throw cause;
    }
  };

  /** A request that a dying child was never sent goes to the next one, within its own time. */
  const send = async (body: Message, given: RequestOptions): Promise<Message> => {
    const options = inherit({ ...given, timeoutMs: given.timeoutMs ?? spec.requestMs ?? 10_000 });
    const budget = options.timeoutMs;
    const started = performance.now();
    const left = (): number => budget - Math.floor(performance.now() - started);
    for (;;) {
      await ready(left(), options.signal);
      if (current === undefined) throw new SubprocessError({ kind: "stopped" }, { name: id, sent: false });
      try {
        return await current.ask(body, { ...options, timeoutMs: left() });
      } catch (error) {
        if (!isCarriedOver(error)) throw error;
      }
    }
  };

  const status = (): ChildStatus => {
    const found = supervisor.status(id);
    if (found === undefined) throw new TypeError(`${id} is no longer supervised`);
    return found.state.tag === "Ready" ? { ...found, pid: current?.pid } : found;
  };

  return {
    name: id,
    ask,
    start: async (options) => {
      if (status().state.tag !== "Ready") supervisor.start(id);
      await ready(Number.POSITIVE_INFINITY, options?.signal);
    },
    stop: async () => {
      supervisor.stop(id);
      await Effect.runPromise(supervisor.settled(id));
    },
    restart: async () => {
      supervisor.restart(id);
      await ready(Number.POSITIVE_INFINITY);
    },
    status,
    info: () => (status().state.tag === "Ready" ? info : undefined),
    pid: () => status().pid,
    diagnostics: () => current?.diagnostics(),
    busy: () => current?.busy ?? 0,
  };
};

/** One run as the supervisor sees it. The process is gone when its scope has closed, even if it was still starting. */
const startRun = (
  spec: SubprocessSpec,
  onReady: (child: Child, handshake: unknown) => void,
): Effect.Effect<{ readonly ended: Effect.Effect<Ending> }, FairleadError, Scope.Scope> =>
  Effect.gen(function* () {
    // execa is only loaded where a subprocess is started.
    const { startChild } = yield* Effect.promise(() => import("./child.ts"));
    const containment = yield* Effect.promise(probeContainment);
    const child = yield* startChild(spec, containment);
    const handshake = yield* child.ready;
    if (spec.prepare !== undefined) {
      const { prepare, prepareMs = 30_000 } = spec;
      yield* Effect.tryPromise({ try: () => prepare(child.ask), catch: asError }).pipe(
        Effect.timeoutOrElse({
          duration: prepareMs,
          orElse: () =>
            Effect.fail(new SubprocessError({ kind: "unprepared", ms: prepareMs }, { name: spec.name, sent: false })),
        }),
      );
    }
    onReady(child, handshake);
    return {
      ended: Effect.map(
        child.ended,
        (error): Ending => ({
          kind: error.fault.kind === "unresponsive" ? "unresponsive" : "failed",
          error: error.toJSON(),
        }),
      ),
    };
  });

/** The child ended before the request was sent. */
const isCarriedOver = (error: unknown): boolean => {
  if (!(error instanceof SubprocessError) || error.sent) return false;
  const { kind } = error.fault;
  return kind === "exited" || kind === "unresponsive" || kind === "garbled" || kind === "too-long";
};

const asError = (error: unknown): FairleadError =>
  error instanceof SubprocessError
    ? error
    : new SubprocessError({ kind: "spawn", why: String(error) }, { name: "it", sent: false });

const childTimes = ({ startMs = 10_000, prepareMs = 30_000, prepare, stop = {} }: SubprocessSpec) => ({
  startMs: startMs + (prepare === undefined ? 0 : prepareMs) + 1_000,
  shutdownMs: (stop.graceMs ?? 1_000) + (stop.termMs ?? 2_000) + 1_000,
});
