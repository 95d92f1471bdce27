/**
 * Runs an admitted call: stored answers around retries around the breaker around one attempt. The success path of a plain query
 * goes through without a timer or a wrapper.
 */
import { createHash } from "node:crypto";
import { FairleadError } from "@fairlead/contracts";
import type { Reply } from "../call.ts";
import { failure, mayRetry } from "../error.ts";
import { admit, settle } from "../policy/breaker.ts";
import type { Keyed } from "../policy/idempotency.ts";
import type { Life } from "../policy/life.ts";
import { pauseMs } from "../policy/retry.ts";
import type { Admitted } from "./gate.ts";
import { type AnyHandler, answerOf, handlerOf } from "./handler.ts";
import type { Prepared } from "./prepared.ts";

export type Run = (admitted: Admitted) => Promise<Reply>;

/** `random` gives numbers in [0, 1), for the jitter of retries. */
export const makeRun = (keyed: Keyed, random: () => number): Run => {
  const once = async (admitted: Admitted): Promise<Reply> => {
    try {
      return { ok: true, value: await repeated(admitted, random) };
    } catch (cause) {
      return { ok: false, error: admitted.invocation.wireError(cause) };
    }
  };
  return async (admitted) => {
    const { prepared, request } = admitted.invocation;
    const { idempotencyKey: key, principal } = request;
    if (prepared.entry.procedure.retry !== "keyed" || key === undefined) return once(admitted);
    const use = { principal: principal.id, procedure: prepared.entry.name, key, input: digest(admitted.input) };
    return keyed.run(use, () => once(admitted));
  };
};

/** As many attempts as the contract, the budget and the deadline allow. */
const repeated = async (admitted: Admitted, random: () => number): Promise<unknown> => {
  const { prepared, life, repeatable } = admitted.invocation;
  const { retry } = prepared.policy;
  for (let attempts = 1; ; attempts += 1) {
    try {
      const value = await behindBreaker(admitted);
      prepared.budget.success();
      return value;
    } catch (cause) {
      if (retry === undefined || attempts >= retry.attempts || !worthRepeating(cause, repeatable)) throw cause;
      prepared.budget.failure();
      if (!prepared.budget.allows) throw cause;
      await pause(cause.retryAfterMs ?? pauseMs(retry, attempts, random), life);
    }
  }
};

const behindBreaker = async (admitted: Admitted): Promise<unknown> => {
  const { prepared } = admitted.invocation;
  const spec = prepared.policy.breaker;
  if (spec === undefined) return attempt(admitted);
  const decision = admit(prepared.breaker, Date.now());
  if (!decision.admitted) {
    throw failure("unavailable", `${prepared.entry.name} failed too often and is not tried for a while`, {
      hint: "try again later",
      retryAfterMs: decision.retryAfterMs,
    });
  }
  prepared.breaker = decision.state;
  let outcome: "success" | "failure" = "success";
  try {
    return await attempt(admitted);
  } catch (cause) {
    if (isOutage(cause)) outcome = "failure";
    throw cause;
  } finally {
    prepared.breaker = settle(prepared.breaker, outcome, { now: Date.now(), spec });
  }
};

/** One attempt: the handler, then the check of what it returned. */
const attempt = async ({ invocation, input }: Admitted): Promise<unknown> => {
  const { prepared, life, call } = invocation;
  const answer = answerOf(handlerFor(prepared)(input, call as never), life);
  const output = prepared.check(answer instanceof Promise ? await answer : answer);
  if (output.ok) return output.value;
  throw new Error(`${prepared.entry.name} returned what its contract does not allow`, { cause: output.issues });
};

/** The handler of a procedure whose service is up. */
export const handlerFor = ({ slot, name, entry }: Prepared): AnyHandler => {
  const { state } = slot;
  const handler = state.tag === "Ready" ? handlerOf(state.running.handlers, name) : undefined;
  if (handler !== undefined) return handler;
  const why = state.tag === "Failed" ? state.why : `its service is ${state.tag.toLowerCase()}`;
  throw failure("unavailable", `${entry.name} is not available: ${why}`, {
    hint: state.tag === "Failed" ? state.fix : "try again shortly",
    retryAfterMs: 500,
  });
};

/** A call that ran out of time is not repeated: no time is left for it. */
const worthRepeating = (cause: unknown, repeatable: boolean): cause is FairleadError =>
  cause instanceof FairleadError && cause.code !== "deadline_exceeded" && mayRetry(cause.code, repeatable);

/** A failure of the thing behind the handler, which a breaker counts; a declared error is an answer. */
const isOutage = (cause: unknown): boolean =>
  !(cause instanceof FairleadError) ||
  (cause.reason === undefined && (cause.code === "unavailable" || cause.code === "deadline_exceeded"));

const pause = (milliseconds: number, life: Life): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return life.race(promise).finally(() => clearTimeout(timer));
};

const digest = (input: unknown): string => createHash("sha256").update(JSON.stringify(input)).digest("base64url");
