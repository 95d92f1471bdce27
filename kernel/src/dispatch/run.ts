/**
 * Runs an admitted call: the stored answer of a key, the breaker around retries around one attempt. The success path of a plain
 * query goes through without a timer or a wrapper.
 */
import { createHash } from "node:crypto";
import { type Breaker, FairleadError } from "@fairlead/contracts";
import type { Reply } from "../call/call.ts";
import { canonicalJson } from "../call/canonical.ts";
import { failure, mayRetry } from "../call/error.ts";
import { notAvailable } from "../call/missing.ts";
import { admit, type BreakerOutcome, settle } from "../policy/breaker.ts";
import type { CallScope } from "../policy/call-scope.ts";
import type { Keyed } from "../policy/idempotency.ts";
import { pauseMs } from "../policy/retry.ts";
import { type AnyHandler, findHandler } from "../service/handlers.ts";
import type { Admitted } from "./gate.ts";
import { settle as settleResult } from "./handler.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";

export type Run = (admitted: Admitted) => Promise<Reply>;

/** `random` gives numbers in [0, 1), for the jitter of retries. */
export const makeRun = (keyed: Keyed, random: () => number): Run => {
  const once = async (admitted: Admitted): Promise<Reply> => {
    try {
      return { ok: true, value: await behindBreaker(admitted, random) };
    } catch (cause) {
      return { ok: false, error: admitted.invocation.wireError(cause) };
    }
  };
  /** The shared work of all callers that use the same key: no caller's end is its end. */
  const shared = async (admitted: Admitted): Promise<Reply> => {
    const invocation = admitted.invocation.detached();
    try {
      return await once({ ...admitted, invocation });
    } finally {
      invocation.scope.dispose();
    }
  };
  return (admitted) => {
    const { target, request, scope } = admitted.invocation;
    const { idempotencyKey: key, principal } = request;
    if (target.entry.procedure.retry !== "keyed" || key === undefined) return once(admitted);
    const use = { principal: principal.id, procedure: target.entry.name, key, input: digest(request.input) };
    return scope.run(keyed.run(use, () => shared(admitted)));
  };
};

const behindBreaker = (admitted: Admitted, random: () => number): Promise<unknown> => {
  const spec = admitted.invocation.target.policy.breaker;
  return spec === undefined ? repeated(admitted, random) : guarded(admitted, random, spec);
};

const guarded = async (admitted: Admitted, random: () => number, spec: Breaker): Promise<unknown> => {
  const { target } = admitted.invocation;
  const decision = admit(target.breaker, performance.now());
  if (!decision.admitted) {
    throw failure("unavailable", `${target.entry.name} failed too often and is not tried for a while`, {
      hint: "try again later",
      retryAfterMs: Math.ceil(decision.retryAfterMs),
    });
  }
  target.breaker = decision.state;
  let outcome: BreakerOutcome = "success";
  try {
    return await repeated(admitted, random);
  } catch (cause) {
    outcome = outcomeOf(cause, admitted.invocation.endedByCaller);
    throw cause;
  } finally {
    target.breaker = settle(target.breaker, outcome, { now: performance.now(), spec });
  }
};

/** As many attempts as the contract, the budget and the deadline allow. */
const repeated = async (admitted: Admitted, random: () => number): Promise<unknown> => {
  const { target, scope, repeatable } = admitted.invocation;
  const { retry } = target.policy;
  for (let attempts = 1; ; attempts += 1) {
    try {
      const value = await attempt(admitted);
      target.budget.success();
      return value;
    } catch (cause) {
      if (retry === undefined || attempts >= retry.attempts || !worthRepeating(cause, repeatable)) throw cause;
      target.budget.failure();
      const milliseconds = cause.retryAfterMs ?? pauseMs(retry, attempts, random);
      if (!target.budget.allows || milliseconds >= scope.leftMs) throw cause;
      await pause(milliseconds, scope);
    }
  }
};

/** One attempt: the handler, then the check of what it returned. */
const attempt = async ({ invocation, input }: Admitted): Promise<unknown> => {
  const { target, call } = invocation;
  const result = settleResult(handlerFor(target)(input, call as never), invocation);
  return target.checked(result instanceof Promise ? await result : result);
};

/** The handler of a procedure whose service is up. */
export const handlerFor = ({ instance, name, entry }: HostedProcedure): AnyHandler => {
  const { state, handlers } = instance;
  const handler = state.tag === "Ready" && handlers !== undefined ? findHandler(handlers, name) : undefined;
  if (handler !== undefined) return handler;
  const down = { message: `its service is ${state.tag.toLowerCase()}` };
  throw notAvailable(entry.name, "error" in state ? state.error : down);
};

/** A call that ran out of time is not repeated: no time is left for it. */
const worthRepeating = (cause: unknown, repeatable: boolean): cause is FairleadError =>
  cause instanceof FairleadError && cause.code !== "deadline_exceeded" && mayRetry(cause.code, repeatable);

/** A breaker counts failures of the thing behind the handler; a declared error is an answer, and a caller's end tells nothing. */
const outcomeOf = (cause: unknown, endedByCaller: boolean): BreakerOutcome => {
  if (!(cause instanceof FairleadError)) return "failure";
  if (cause.reason !== undefined) return "success";
  if (cause.code === "canceled" || (cause.code === "deadline_exceeded" && endedByCaller)) return "unknown";
  return cause.code === "unavailable" || cause.code === "deadline_exceeded" ? "failure" : "success";
};

const pause = (milliseconds: number, scope: CallScope): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return scope.wait(promise).finally(() => clearTimeout(timer));
};

/** Of the input as it was sent: decoding may turn it into what JSON cannot tell apart. */
const digest = (input: unknown): string => createHash("sha256").update(canonicalJson(input)).digest("base64url");
