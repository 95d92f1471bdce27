/**
 * The one path. Every call of every transport comes through here, in this order: resolve, rate, size, decode, authorise, admit,
 * deadline, breaker around retry, handler, check output, record, reply.
 *
 * Nothing else decodes input, applies policy or turns a failure into a wire error. A handler that answers at once pays for no
 * timer, no abort signal and no fiber. Subscriptions take the same way in; see `subscribe.ts` for their stream.
 */
import { createHash } from "node:crypto";
import { FairleadError, type WireError } from "@fairlead/contracts";
import { ActiveCall } from "./active-call.ts";
import type { CallRequest, Dispatch, Reply } from "./call.ts";
import { didYouMean } from "./did-you-mean.ts";
import { failure, fromUnknown, mayRetry } from "./error.ts";
import { answerOf, handlerOf } from "./handler.ts";
import type { Log } from "./log.ts";
import { admit, settle } from "./policy/breaker.ts";
import type { Keyed } from "./policy/idempotency.ts";
import { Life } from "./policy/life.ts";
import type { Rates } from "./policy/rate.ts";
import { pauseMs } from "./policy/retry.ts";
import type { Prepared } from "./prepared.ts";
import type { Recorder } from "./record.ts";
import { streamOf } from "./subscribe.ts";
import { measure } from "./transport/scan.ts";

/** What dispatch is made of. Time and randomness come in from outside. */
export interface DispatchParts {
  readonly procedures: ReadonlyMap<string, Prepared>;
  readonly rates: Rates;
  readonly keyed: Keyed;
  readonly record: Recorder;
  readonly log: Log;
  readonly random: () => number;
}

/** A call that was let in: decoded, allowed, holding a place that `leave` gives back. */
export interface Admitted {
  readonly prepared: Prepared;
  readonly request: CallRequest;
  readonly input: unknown;
  readonly life: Life;
  readonly call: ActiveCall;
  readonly leave: () => void;
}

export const makeDispatch = (parts: DispatchParts): Dispatch & { shutdown(why: FairleadError): void } => {
  const { procedures, rates, keyed, record } = parts;
  const lives = new Set<Life>();

  /** From the request to a call that may run. Throws a `FairleadError` for every refusal. */
  const enter = async (prepared: Prepared, request: CallRequest, life: Life): Promise<Admitted> => {
    const { entry, admission, slot } = prepared;
    if (slot.state.tag === "Starting") await life.race(slot.started);
    const off = slot.off(prepared.name);
    if (off !== undefined) throw failure("unimplemented", `${entry.name} is switched off: ${off}`);
    const rate = rates.take(request.principal, Date.now());
    if (rate instanceof FairleadError) throw rate;
    try {
      if (request.scanned !== true) refuseTooLarge(request.input, prepared);
      const decoded = prepared.decode(request.input);
      if (!decoded.ok) {
        throw failure("invalid_argument", `the input of ${entry.name} does not match its contract`, {
          hint: `see \`fairlead describe ${entry.name}\``,
          issues: decoded.issues,
        });
      }
      authorise(prepared, request, decoded.value);
      if (!admission.tryEnter()) await admission.enter(life);
      const leave = (): void => {
        admission.leave();
        rate.leave();
      };
      return { prepared, request, input: decoded.value, life, call: new ActiveCall(prepared, request, life), leave };
    } catch (cause) {
      rate.leave();
      throw cause;
    }
  };

  /** One attempt behind the breaker: handler, then output check. */
  const attempt = async ({ prepared, input, life, call }: Admitted): Promise<unknown> => {
    const answer = answerOf(handlerFor(prepared)(input, call as never), life);
    const output = prepared.check(answer instanceof Promise ? await answer : answer);
    if (output.ok) return output.value;
    throw new Error(`${prepared.entry.name} returned what its contract does not allow`, { cause: output.issues });
  };

  const guarded = async (admitted: Admitted): Promise<unknown> => {
    const { prepared } = admitted;
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
    const done = (outcome: "success" | "failure"): void => {
      prepared.breaker = settle(prepared.breaker, outcome, { now: Date.now(), spec });
    };
    try {
      const value = await attempt(admitted);
      done("success");
      return value;
    } catch (cause) {
      done(isOutage(cause) ? "failure" : "success");
      throw cause;
    }
  };

  /** Attempts, where the contract allows more than one. The success path has no wrapper. */
  const repeated = async (admitted: Admitted, tries: number): Promise<unknown> => {
    const { prepared, request, life } = admitted;
    try {
      const value = await guarded(admitted);
      prepared.budget.success();
      return value;
    } catch (cause) {
      const retry = prepared.policy.retry;
      const again =
        retry !== undefined &&
        tries < retry.attempts &&
        cause instanceof FairleadError &&
        cause.code !== "deadline_exceeded" &&
        mayRetry(cause.code, prepared.repeatable(request));
      if (!again) throw cause;
      prepared.budget.failure();
      if (!prepared.budget.allows) throw cause;
      await sleep(cause.retryAfterMs ?? pauseMs(retry, tries, parts.random), life);
      return repeated(admitted, tries + 1);
    }
  };

  const runOnce = async (admitted: Admitted): Promise<Reply> => {
    try {
      return { ok: true, value: await repeated(admitted, 1) };
    } catch (cause) {
      return { ok: false, error: wireError(admitted.prepared, admitted.request, cause) };
    }
  };

  const run = async (admitted: Admitted): Promise<Reply> => {
    const { prepared, request } = admitted;
    const { idempotencyKey } = request;
    if (prepared.entry.procedure.retry !== "keyed" || idempotencyKey === undefined) return runOnce(admitted);
    const use = {
      principal: request.principal.id,
      procedure: prepared.entry.name,
      key: idempotencyKey,
      input: digest(admitted.input),
    };
    return keyed.run(use, () => runOnce(admitted));
  };

  const wireError = (prepared: Prepared, request: CallRequest, cause: unknown): WireError => {
    const declared = !(cause instanceof FairleadError) || prepared.declares(cause);
    return fromUnknown(declared ? cause : new Error("an undeclared error left the handler", { cause }), {
      procedure: prepared.entry.name,
      repeatable: prepared.repeatable(request),
      defect: (id, error) => parts.log("error", "defect", { id, procedure: prepared.entry.name, error }),
    });
  };

  const find = (name: string, subscription: boolean): Prepared => {
    const prepared = procedures.get(name);
    if (prepared === undefined) throw unknownProcedure(name, procedures.keys());
    if ((prepared.entry.procedure.kind === "subscription") !== subscription) {
      throw failure("unimplemented", `${name} is ${subscription ? "not" : ""} a subscription`.replace("  ", " "));
    }
    return prepared;
  };

  const lifeOf = ({ entry, deadlineMs }: Prepared, { timeoutMs, signal }: CallRequest): Life => {
    const life = new Life(entry.name, Math.min(deadlineMs, timeoutMs ?? deadlineMs), signal);
    lives.add(life);
    return life;
  };

  return {
    async call(request) {
      const started = performance.now();
      let prepared: Prepared | undefined;
      let life: Life | undefined;
      let admitted: Admitted | undefined;
      let reply: Reply;
      try {
        prepared = find(request.procedure, false);
        life = lifeOf(prepared, request);
        if (life.ended !== undefined) throw life.ended;
        admitted = await enter(prepared, request, life);
        reply = await run(admitted);
      } catch (cause) {
        reply = { ok: false, error: refusal(cause, prepared, request) };
      } finally {
        admitted?.leave();
        if (life !== undefined) {
          life.dispose();
          lives.delete(life);
        }
      }
      if (prepared !== undefined) {
        record({
          prepared,
          request,
          error: reply.ok ? undefined : reply.error,
          milliseconds: performance.now() - started,
          traceparent: undefined,
        });
      }
      return reply;
    },

    async subscribe(request) {
      const started = performance.now();
      let prepared: Prepared | undefined;
      let life: Life | undefined;
      const finish = (error: WireError | undefined): void => {
        if (life !== undefined) {
          life.dispose();
          lives.delete(life);
        }
        if (prepared !== undefined) {
          record({ prepared, request, error, milliseconds: performance.now() - started, traceparent: undefined });
        }
      };
      try {
        prepared = find(request.procedure, true);
        life = lifeOf(prepared, request);
        if (life.ended !== undefined) throw life.ended;
        const admitted = await enter(prepared, request, life);
        const toWire = (cause: unknown): WireError => wireError(admitted.prepared, request, cause);
        return { ok: true, items: streamOf(admitted, { handler: handlerFor(prepared), toWire, finish }) };
      } catch (cause) {
        const error = refusal(cause, prepared, request);
        finish(error);
        return { ok: false, error };
      }
    },

    shutdown(why) {
      for (const life of lives) life.end(why);
    },
  };

  function refusal(cause: unknown, prepared: Prepared | undefined, request: CallRequest): WireError {
    if (prepared !== undefined) return wireError(prepared, request, cause);
    return fromUnknown(cause, {
      procedure: request.procedure,
      repeatable: false,
      defect: (id, error) => parts.log("error", "defect", { id, error }),
    });
  }
};

const handlerFor = (prepared: Prepared): NonNullable<ReturnType<typeof handlerOf>> => {
  const { slot, name, entry } = prepared;
  const handler = slot.running === undefined ? undefined : handlerOf(slot.running.handlers, name);
  if (handler !== undefined && slot.state.tag === "Ready") return handler;
  const { state } = slot;
  if (state.tag === "Failed") {
    throw failure("unavailable", `${entry.name} is not available: ${state.why}`, { hint: state.fix });
  }
  throw failure("unavailable", `${entry.name} is not available: its service is ${state.tag.toLowerCase()}`, {
    hint: "try again shortly",
    retryAfterMs: 500,
  });
};

const refuseTooLarge = (input: unknown, { entry }: Prepared): void => {
  const error = measure(input, entry.limits);
  if (error !== undefined) throw new FairleadError(error);
};

const authorise = (prepared: Prepared, { principal, procedure }: CallRequest, input: unknown): void => {
  if (!principal.access.includes(prepared.access)) {
    throw failure("permission_denied", `${principal.id} may not ${prepared.access} ${procedure}`, {
      hint: `use a token that allows \`${prepared.access}\``,
    });
  }
  if (principal.services !== undefined && !principal.services.includes(prepared.slot.id)) {
    throw failure("permission_denied", `${principal.id} may not use the service ${prepared.slot.id}`);
  }
  const why = prepared.slot.running?.authorise?.({ procedure: prepared.name, input, principal });
  if (why !== undefined) throw failure("permission_denied", why);
};

const unknownProcedure = (name: string, known: Iterable<string>): FairleadError => {
  const near = didYouMean(name, known);
  return failure(
    "not_found",
    `there is no procedure of that name${near === undefined ? "" : `; did you mean ${near}?`}`,
    {
      hint: "`fairlead ls` lists all procedures",
    },
  );
};

/** A failure of the thing behind the handler, which a breaker counts; a declared error is an answer. */
const isOutage = (cause: unknown): boolean =>
  !(cause instanceof FairleadError) ||
  (cause.reason === undefined && (cause.code === "unavailable" || cause.code === "deadline_exceeded"));

const sleep = (milliseconds: number, life: Life): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return life.race(promise).finally(() => clearTimeout(timer));
};

const digest = (input: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(input) ?? "")
    .digest("base64url");
