/**
 * The one path. Every call of every transport comes through here, in this order: resolve, gate (rate, size, decode, authorise,
 * admit), run (stored answer, breaker, retry, handler, output check), record, reply.
 *
 * Nothing else decodes input, applies policy or turns a failure into a wire error. A handler that answers at once pays for no
 * timer, no abort signal and no fiber.
 */
import { codes, FairleadError, type ProcedureKind, type Redactor, type WireError } from "@fairlead/contracts";
import { type CallRequest, type Dispatch, DownloadAnswer, type Reply } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { loadOnce } from "../call/load-once.ts";
import type { Events } from "../observe/event.ts";
import { callEvent, streamEvent } from "../observe/events.ts";
import type { Level, Log } from "../observe/log.ts";
import { isServerFault, type Tracer } from "../observe/trace.ts";
import type { AnswerStore } from "../policy/idempotency.ts";
import { ActiveCall, endCalls } from "./active-call.ts";
import type { OpenCalls } from "./drain.ts";
import type { Gate, Leave } from "./gate.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";
import type { KeyedAnswer } from "./keyed-answer.ts";

import { type Relays, toRelayedCall, toRelayedReply } from "./relays.ts";
import { findHandler, makeRun, type Run } from "./run.ts";

interface DispatchParts {
  readonly procedures: ReadonlyMap<string, HostedProcedure>;
  /** Names that lead to another procedure. */
  readonly relays: Relays;
  /** Why there is nothing to call of that name. */
  readonly explain: (name: string) => WireError;
  readonly gate: Gate;
  /** Opens the store of keyed calls' answers. */
  readonly answers: () => Promise<AnswerStore>;
  readonly events: Events;
  readonly log: Log;
  /** Takes secrets out of errors. None where nothing is secret. */
  readonly redactor?: Redactor;
  /** The level from which on calls are logged, and whether reads are logged as changes are. */
  readonly logs: { readonly level: Level; readonly calls: "changes" | "all" };
  /** Set when spans are exported. */
  readonly tracer: Tracer | undefined;
  /** Gives numbers in [0, 1), for the jitter of retries. */
  readonly random: () => number;
}

/** Dispatch, and how the calls that it has open are ended. */
export interface StoppableDispatch extends Dispatch {
  readonly open: OpenCalls;
  /** Ends those that wait for a service, whose handlers have not begun. From now on calls end for this reason. */
  endWaiting(why: FairleadError): void;
  /** Ends all of them. */
  endAll(why: FairleadError): void;
  /** The event loop was held up for so many milliseconds: says which calls were open, unless a handler was named for it. */
  reportDelay(milliseconds: number): void;
}

/** Milliseconds at a stretch that a handler may take from all others before it is named. */
const mostBlockingMs = 500;

/** Names the handlers that hold up the event loop. */
class BlockingWatch {
  readonly #log: Log;
  /** When a handler was last named, on the clock of `performance.now()`. */
  #namedAt = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Names the handler of a call that has gone on since `began` without letting anything else run. */
  check({ target }: ActiveCall, began: number): void {
    const now = performance.now();
    if (now - began < mostBlockingMs) return;
    this.#namedAt = now;
    target.metrics.blocks += 1;
    this.#log("warn", "a handler blocked the event loop: all other calls waited", {
      procedure: target.entry.name,
      milliseconds: Math.round(now - began),
    });
  }

  /** See `StoppableDispatch`. */
  reportDelay(calls: ReadonlySet<ActiveCall>, ms: number): void {
    const began = performance.now() - ms;
    if (this.#namedAt > began) return;
    const suspects = [...calls].filter((call) => call.admitted && hasRunSince(call, began));
    const procedures = [...new Set(suspects.map(({ target }) => target.entry.name))].slice(0, 20);
    if (procedures.length === 1)
      for (const metrics of new Set(suspects.map(({ target }) => target.metrics))) metrics.blocks += 1;
    const milliseconds = Math.round(ms);
    if (procedures.length === 0)
      this.#log("warn", "the event loop was blocked while no call was running", { milliseconds });
    else
      this.#log("warn", "the event loop was blocked: one of these is likely to have done it", {
        milliseconds,
        procedures,
      });
  }
}

/** A stream is open for hours: it ran when it was opened, or gave an event. Of another call it is not known. */
const hasRunSince = ({ target, scope, resumed }: ActiveCall, began: number): boolean =>
  target.streams === undefined || Math.max(scope.started, resumed ?? 0) >= began;

/** How calls are run, by their procedures. */
const makeRuns = (parts: DispatchParts, watch: BlockingWatch): Run => {
  const runs = new WeakMap<HostedProcedure, Run>();
  const add = (target: HostedProcedure): Run => {
    const made = makeRun(target, parts);
    runs.set(target, made);
    return made;
  };
  return (call) => {
    let result: unknown;
    try {
      result = (runs.get(call.target) ?? add(call.target))(call);
      return result;
    } finally {
      // Until its first wait it has the event loop for itself. One that came in this turn and is answered in it is looked at by its record.
      if (result instanceof Promise || call.resumed !== undefined)
        watch.check(call, call.resumed ?? call.scope.started);
    }
  };
};

interface AnswerParts extends Pick<DispatchParts, "gate" | "answers"> {
  readonly run: Run;
  /** Adds a call to the open ones. */
  readonly open: (call: ActiveCall) => void;
  /** No more of its work goes on. */
  readonly close: (call: ActiveCall) => void;
}

/** The reply of a call, at once when nothing of it had to wait. */
const makeAnswer = ({ gate, answers, run, open, close }: AnswerParts) => {
  /** Work that several callers share is open for as long as it runs, whoever of them is still there. */
  const runShared = async (call: ActiveCall): Promise<unknown> => {
    call.admitted = true;
    call.resumed = call.scope.started;
    open(call);
    try {
      return await run(call);
    } finally {
      close(call);
    }
  };
  /** Read with the first key: few calls have one, and every start pays for what is imported. */
  const readKeyedAnswer = loadOnce(async (): Promise<KeyedAnswer> => {
    const { makeKeyedAnswer } = await import("./keyed-answer.ts");
    return makeKeyedAnswer(answers, runShared);
  });

  const answerAdmitted = (call: ActiveCall, leave: Leave): Reply | Promise<Reply> => {
    if (call.key !== undefined && call.request.keyIsClaimed !== true) return answerKeyed(call, call.key, leave);
    let result: unknown;
    try {
      result = run(call);
    } catch (cause) {
      leave();
      return failed(call, cause);
    }
    if (result instanceof Promise) return answerLate(call, result, leave);
    leave();
    return toReply(result);
  };

  const answerQueued = (call: ActiveCall, leave: Leave): Reply | Promise<Reply> => {
    call.resumed = performance.now();
    return answerAdmitted(call, leave);
  };

  const answerLate = async (call: ActiveCall, result: Promise<unknown>, leave: Leave): Promise<Reply> => {
    try {
      return toReply(await result);
    } catch (cause) {
      return failed(call, cause);
    } finally {
      leave();
    }
  };

  const answerKeyed = async (call: ActiveCall, key: string, leave: Leave): Promise<Reply> => {
    try {
      const answer = await readKeyedAnswer().catch((cause: unknown) => {
        leave();
        throw cause;
      });
      return await answer(key, call, leave);
    } catch (cause) {
      return failed(call, cause);
    }
  };

  return (call: ActiveCall): Reply | Promise<Reply> => {
    try {
      const entered = gate(call, close);
      return entered instanceof Promise
        ? entered.then((leave) => answerQueued(call, leave)).catch((cause: unknown) => failed(call, cause))
        : answerAdmitted(call, entered);
    } catch (cause) {
      return failed(call, cause);
    }
  };
};

export const makeDispatch = (parts: DispatchParts): StoppableDispatch => {
  const { procedures, relays, gate } = parts;
  const calls = new Set<ActiveCall>();
  const listeners = new Set<(call: ActiveCall) => void>();
  let closing: FairleadError | undefined;
  const open = (call: ActiveCall): void => {
    calls.add(call);
    call.request.onWork?.(true);
  };
  const close = (call: ActiveCall): void => {
    calls.delete(call);
    call.request.onWork?.(false);
    for (const listener of listeners) listener(call);
  };
  const watch = new BlockingWatch(parts.log);
  const answer = makeAnswer({ ...parts, run: makeRuns(parts, watch), open, close });

  const unwatched = { ...parts, tracer: undefined };
  const begin = (target: HostedProcedure, request: CallRequest): ActiveCall => {
    const isUseless = parts.tracer?.isForWatchers === true && !parts.events.isRead;
    const call = new ActiveCall(target, request, isUseless ? unwatched : parts);
    open(call);
    return call;
  };

  const end = (call: ActiveCall, error: WireError | undefined): void => {
    if (!call.admitted) close(call);
    call.scope.dispose();
    record(call, error, parts);
  };

  return {
    async call(received) {
      const relayed = procedures.has(received.procedure) ? undefined : relays.find(received.procedure);
      const request = relayed === undefined ? received : toRelayedCall(received, relayed);
      const target = find(parts, request.procedure, "call");
      if (target instanceof FairleadError) return refusal(target);
      const call = begin(target, request);
      const result = answer(call);
      const answered = result instanceof Promise ? await result : result;
      const reply = relayed === undefined ? answered : toRelayedReply(answered, request, relayed);
      end(call, reply.ok ? undefined : reply.error);
      // Answered in the turn in which it came. The clock was read for its record: most calls pay for no other look at it.
      if (!(result instanceof Promise) && call.target.metrics.latestMs >= mostBlockingMs)
        watch.check(call, call.scope.started);
      return reply;
    },

    async subscribe(request) {
      const target = find(parts, request.procedure, "subscribe");
      if (target instanceof FairleadError) return refusal(target);
      const call = begin(target, request);
      let leave: Leave | undefined;
      try {
        const { openStream } = await import("./subscribe.ts");
        leave = await gate(call, close);
        const finish = (error: WireError | undefined): void => {
          leave?.();
          end(call, error);
        };
        const items = openStream(call, findHandler(target), finish);
        const { name: procedure, service } = target.entry;
        parts.events.emit(streamEvent, service, { procedure, transport: request.transport });
        return { ok: true, items };
      } catch (cause) {
        leave?.();
        const error = call.wireError(cause);
        end(call, error);
        return { ok: false, error };
      }
    },

    open: {
      calls,
      listeners,
      get closing() {
        return closing;
      },
    },

    reportDelay: (milliseconds) => watch.reportDelay(calls, milliseconds),

    endWaiting(why) {
      closing = why;
      for (const { admitted, scope } of calls) if (!admitted) scope.end(why);
    },

    endAll(why) {
      closing = why;
      endCalls(calls, why);
    },
  };
};

const toReply = (value: unknown): Reply =>
  value instanceof DownloadAnswer ? { ok: true, value: value.description, file: value.source } : { ok: true, value };

const failed = (call: ActiveCall, cause: unknown): Reply => ({ ok: false, error: call.wireError(cause) });

const refusal = (error: FairleadError): { readonly ok: false; readonly error: WireError } => ({
  ok: false,
  error: error.toJSON(),
});

const find = (
  { procedures, explain }: Pick<DispatchParts, "procedures" | "explain">,
  name: string,
  method: "call" | "subscribe",
): HostedProcedure | FairleadError => {
  const target = procedures.get(name);
  if (target === undefined) return new FairleadError(explain(name));
  const streams = target.entry.procedure.kind === "subscription";
  if (streams === (method === "subscribe")) return target;
  return failure("unimplemented", `${name} is ${streams ? "" : "not "}a subscription`, {
    hint: streams ? "subscribe to it" : "call it",
  });
};

/** What is kept of a finished call: a count, a duration, an event, a span when spans are exported, a log line. Never its input or output. */
const record = (call: ActiveCall, error: WireError | undefined, { events, log, logs }: DispatchParts): void => {
  const { target, request, milliseconds, span } = call;
  const { name, service, procedure } = target.entry;
  const { transport, principal } = request;
  const outcome = error?.code ?? "ok";
  target.metrics.record(outcome, milliseconds, call.scope.started + milliseconds);
  target.countDeprecated(request);
  const { waitedMs, attempts } = call;
  // A trace that began here and left no span is of use to whoever watches, and costs more than the rest of the event.
  const traceId = events.isRead || request.trace !== undefined ? call.traceId : undefined;
  events.emit(callEvent, service, {
    procedure: name,
    transport,
    principal: principal.id,
    ...(principal.via !== undefined && { via: principal.via }),
    outcome,
    ...(error?.reason !== undefined && { reason: error.reason }),
    milliseconds,
    ...(waitedMs !== undefined && { waitedMs }),
    ...(attempts > 1 && { attempts }),
    ...(traceId !== undefined && { traceId }),
  });
  span?.end(
    { "rpc.system": "fairlead", "rpc.service": service, "rpc.method": target.name, "fairlead.transport": transport },
    error === undefined ? undefined : { code: error.code, fault: isFault(call, error) ? call.cause : undefined },
  );
  const usual = callLevel(procedure.kind, call, error);
  const level = usual === "debug" && logs.calls === "all" ? "info" : usual;
  if (level === "debug" && logs.level !== "debug") return;
  log(level, "call", {
    procedure: name,
    transport,
    principal: principal.id,
    ...(principal.via !== undefined && { via: principal.via }),
    outcome,
    ...(error?.reason !== undefined && { reason: error.reason }),
    ...(error?.id !== undefined && { id: error.id }),
    trace_id: call.traceId,
    milliseconds: Math.round(milliseconds * 1_000) / 1_000,
  });
};

const isFault = ({ endedByCaller }: ActiveCall, { code }: WireError): boolean =>
  isServerFault(code) && !(code === "deadline_exceeded" && endedByCaller);

/** Changes are logged always, and failures that are not the caller's as warnings; the rest only in detail. */
const callLevel = (kind: ProcedureKind, { scope }: ActiveCall, error: WireError | undefined): Level => {
  // A stream has no end of its own: that its service stops is not news.
  if (kind === "subscription" && scope.ended?.code === "unavailable") return "debug";
  if (error !== undefined && (kind === "mutation" || codes[error.code].http >= 500)) return "warn";
  return kind === "mutation" ? "info" : "debug";
};
