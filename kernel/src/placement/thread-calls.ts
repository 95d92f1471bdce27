/**
 * Calls in a thread: what dispatch does after the gate, done where the service runs. Outputs and errors leave on the contract's wire side;
 * defects are logged here and leave as an id.
 *
 * Not here: deadlines' words, retries, breakers and places, which are the kernel's.
 */
import { type Contract, FairleadError, type Policy, type Procedure } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { CallRequest, StreamItem } from "../call/call.ts";
import type { OpenSpan } from "../call/span.ts";
import { ActiveCall } from "../dispatch/active-call.ts";
import { HostedProcedure } from "../dispatch/hosted-procedure.ts";
import { findHandler, makeRun } from "../dispatch/run.ts";
import { openStream } from "../dispatch/subscribe.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import { makeEvents } from "../observe/events.ts";
import type { Log } from "../observe/log.ts";
import { makeMetrics } from "../observe/metrics.ts";
import type { Tracer } from "../observe/trace.ts";
import { makeAdmission } from "../policy/admission.ts";
import type { ThreadCall } from "./thread-protocol.ts";
import { fromWire } from "./wire-side.ts";

interface ThreadCallsParts {
  readonly instance: ServiceInstance;
  readonly log: Log;
  /** The handler of this call is about to be entered: it is, once the kernel is certain to learn that. */
  readonly begun: (id: number) => Effect.Effect<void>;
  /** What its caller can hear and be asked. */
  readonly caller: (call: ThreadCall) => ThreadCaller;
}

type ThreadCaller = Pick<CallRequest, "onProgress" | "onLog" | "ask">;

export interface ThreadCalls {
  /** Ends when the handler's work has, also when it is interrupted. */
  answer(call: ThreadCall): Effect.Effect<unknown, FairleadError>;
  open(call: ThreadCall): Effect.Effect<AsyncIterable<StreamItem>, FairleadError, Scope.Scope>;
}

/** A contract whose calls are only run: the kernel has its policies already. */
export const withoutPolicies = (contract: Contract): Contract => ({
  ...contract,
  procedures: Object.fromEntries(
    Object.entries(contract.procedures).map(([name, procedure]) => {
      const { retry: _, breaker: __, ...policy }: Policy = procedure.policy ?? {};
      return [name, { ...procedure, policy } as Procedure];
    }),
  ),
});

export const makeThreadCalls = ({ instance, log, begun, caller }: ThreadCallsParts): ThreadCalls => {
  const metrics = makeMetrics();
  const targets = new Map(
    Object.keys(instance.contract.procedures).map((name) => {
      const target = new HostedProcedure(instance, name, { metrics, admission: makeAdmission });
      return [name, { target, run: makeRun(target, { events: makeEvents(), tracer: undefined, random: Math.random }) }];
    }),
  );
  const enter = (call: ThreadCall, signal: AbortSignal) => {
    const found = targets.get(call.procedure);
    if (found === undefined)
      throw new FairleadError({ code: "unimplemented", message: `its thread has no procedure ${call.procedure}` });
    const { target, run } = found;
    const active = new ActiveCall(target, toRequest(call, caller(call), { target, signal }), {
      log,
      tracer: goOn(call.traceparent),
      detached: true,
    });
    active.input = fromWire(target.entry.procedure.input, call.input);
    return { active, run, target };
  };
  return {
    answer: (call) =>
      Effect.andThen(
        begun(call.id),
        Effect.callback<unknown, FairleadError>((resume, signal) => {
          const answered = answerWith(() => enter(call, signal)).then((answer) => resume(answer));
          return Effect.promise(() => answered);
        }),
      ),
    open: (call) =>
      Effect.gen(function* () {
        const ended = { wait: Effect.void as Effect.Effect<void> };
        yield* Effect.addFinalizer(() => ended.wait);
        const signal = yield* Effect.abortSignal;
        yield* begun(call.id);
        return yield* Effect.try({
          try: () => {
            const { active, target } = enter(call, signal);
            ended.wait = untilIdle(active);
            return openStream(active, findHandler(target), () => active.scope.dispose());
          },
          catch: toFailure,
        });
      }),
  };
};

type EnteredCall = ReturnType<() => { readonly active: ActiveCall; readonly run: (call: ActiveCall) => unknown }>;

const answerWith = (enter: () => EnteredCall): Promise<Effect.Effect<unknown, FairleadError>> => {
  let active: ActiveCall | undefined;
  return Promise.try(() => {
    const entered = enter();
    active = entered.active;
    return entered.run(active);
  }).then(
    (value) => {
      active?.scope.dispose();
      return Effect.succeed(value);
    },
    (cause: unknown) => {
      // The kernel's own clock ends it, in its own words.
      const isLate =
        active?.scope.ended?.code === "deadline_exceeded" &&
        !(cause instanceof FairleadError && cause.reason !== undefined);
      const failed = isLate
        ? Effect.never
        : Effect.fail(active === undefined ? toFailure(cause) : new FairleadError(active.wireError(cause)));
      active?.scope.dispose();
      return failed;
    },
  );
};

const toFailure = (cause: unknown): FairleadError =>
  cause instanceof FairleadError ? cause : new FairleadError({ code: "internal", message: String(cause) }, { cause });

const untilIdle = ({ scope }: ActiveCall): Effect.Effect<void> =>
  Effect.callback((resume) => scope.whenIdle(() => resume(Effect.void)));

const toRequest = (
  { procedure: _, input, principal, leftMs, attempts, traceparent, idempotencyKey, lastEventId, run }: ThreadCall,
  caller: ThreadCaller,
  { target, signal }: { readonly target: HostedProcedure; readonly signal: AbortSignal },
): CallRequest => ({
  ...caller,
  procedure: target.entry.name,
  input,
  principal,
  transport: "memory",
  signal,
  trace: { traceparent },
  ...(Number.isFinite(leftMs) && { timeoutMs: leftMs }),
  ...(attempts !== undefined && { attempts }),
  ...(idempotencyKey !== undefined && { idempotencyKey }),
  ...(lastEventId !== undefined && { lastEventId }),
  ...(run !== undefined && { run }),
});

/** The call's span is the kernel's: what the service sends onwards goes on below that one. */
const goOn = (traceparent: string): Tracer => {
  const span: OpenSpan = { traceparent, child: () => span, event: () => undefined, end: () => undefined };
  return { start: () => span, close: () => Promise.resolve() };
};
