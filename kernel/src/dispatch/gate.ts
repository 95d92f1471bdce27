/**
 * What a call must pass before its handler runs: the principal's rate and access, a service that offers it, the input's size,
 * decoding (once), the service's own rules, and a free place. Every refusal is a `FairleadError`.
 */
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { automaticKey, type CallRequest, isGranted } from "../call/call.ts";
import { failure, fileTooLarge, notAvailable, switchedOff } from "../call/error.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import { withoutInputNames } from "../limits/fit.ts";
import { measure } from "../limits/scan.ts";
import type { CallScope } from "../policy/call-scope.ts";
import type { Rates } from "../policy/rate.ts";
import type { ActiveCall } from "./active-call.ts";
import { type HostedProcedure, isMediaType, isOfType } from "./hosted-procedure.ts";
import { LentPlace } from "./lent-place.ts";
import { runEffect } from "./run.ts";

/** How an admitted call leaves: its places are free again once no more work of that scope goes on, its own when left out. Call it once. */
export type Leave = (work?: CallScope) => void;

/**
 * Lets a call in, its input decoded: at once where nothing has to be waited for. Throws or rejects with the refusal. `idle` is called
 * after it has left, once no more of its work goes on.
 */
export type Gate = (call: ActiveCall, idle: (call: ActiveCall) => void) => Leave | Promise<Leave>;

export const makeGate =
  (rates: Rates): Gate =>
  (call, idle) => {
    refuseIfEnded(call);
    const { principal } = call.request;
    const { rateUse } = call.target;
    const rate = principal.rate === undefined ? undefined : rates.take(principal, performance.now(), rateUse);
    if (rate instanceof FairleadError) throw rate;
    const place = call.request.run === undefined ? undefined : new LentPlace(call);
    call.place = place;
    const leave: Leave = (work = call.scope) =>
      work.whenIdle((overdue) => {
        rate?.leave();
        if (place === undefined) call.target.admission.release();
        else place.leave();
        idle(call);
        if (overdue) call.warn("a handler ignores the end of its call");
      });
    const refused = (cause: unknown): never => {
      rate?.leave();
      throw cause;
    };
    try {
      const waiting = enter(call);
      return waiting === undefined ? leave : waiting.then(() => leave, refused);
    } catch (cause) {
      return refused(cause);
    }
  };

/** Throws what a call like that would be refused for before it waits for anything: for work that is to be done later. */
export const refuseEarly = (target: HostedProcedure, request: CallRequest): void => {
  refuseAccess({ target, request });
  refuseIfOff(target);
  decode({ target, request });
};

/** Takes a call to its place, or promises it. */
const enter = (call: ActiveCall): Promise<unknown> | undefined => {
  refuseAccess(call);
  refuseKey(call);
  refuseFile(call);
  if (!canRun(call.target.instance)) return waitFor(enterLate(call), call);
  prepare(call);
  const place = takePlace(call);
  if (place instanceof FairleadError) throw place;
  if (place !== undefined) return waitFor(enterQueue(call, place), call);
  call.admitted = true;
  return undefined;
};

const waitFor = (waiting: Effect.Effect<void, unknown>, call: ActiveCall): Promise<unknown> | undefined => {
  const result = runEffect(waiting, call);
  return result instanceof Promise ? result : undefined;
};

/** The same for a service that is not ready for calls yet. */
const enterLate = Effect.fnUntraced(function* (call: ActiveCall) {
  const { instance } = call.target;
  while (instance.isPending) yield* settled(instance);
  yield* Effect.try({ try: () => prepare(call), catch: (cause) => cause });
  yield* serviceReady(call);
  const place = takePlace(call);
  if (place instanceof FairleadError) return yield* Effect.fail(place);
  if (place === undefined) call.admitted = true;
  else yield* enterQueue(call, place);
  return undefined;
});

/** Waits for a place, and for its service again when that was stopped meanwhile. */
const enterQueue = Effect.fnUntraced(function* (call: ActiveCall, place: Effect.Effect<void, FairleadError>) {
  const { metrics, admission } = call.target;
  const span = call.span?.child("queue", "internal");
  const since = performance.now();
  const waited = Effect.sync(() => {
    span?.end({});
    call.waitedMs = performance.now() - since;
    metrics.waits.observe(call.waitedMs);
  });
  yield* Effect.ensuring(place, waited);
  yield* Effect.onError(serviceReady(call), () => Effect.sync(() => admission.release()));
  call.admitted = true;
});

/** The input as the handler gets it. */
const prepare = (call: ActiveCall): void => {
  refuseIfOff(call.target);
  call.input = decode(call);
  refuseInput(call);
};

const takePlace = ({ target, request, scope }: ActiveCall) =>
  target.admission.acquire(request.principal, target.priority, scope.due);

/** A call that says nothing of its end has only just begun. */
const refuseIfEnded = ({ request: { signal, timeoutMs }, scope }: ActiveCall): void => {
  if ((signal !== undefined || timeoutMs !== undefined) && scope.ended !== undefined) throw scope.ended;
};

const refuseIfOff = ({ instance, name, entry }: HostedProcedure): void => {
  const off = instance.off(name);
  if (off !== undefined) throw switchedOff(entry.name, off);
};

/** True when nothing is to be waited for: it is up and its handlers are read, or it is down. */
const canRun = (instance: ServiceInstance): boolean =>
  !instance.isPending && (instance.hasHandlers || instance.running === undefined);

/** Waits until a handler can run, through restarts of its service. */
const serviceReady = Effect.fnUntraced(function* ({ target }: ActiveCall) {
  const { instance } = target;
  while (!canRun(instance)) yield* instance.isPending ? settled(instance) : readHandlers(target);
});

const settled = (instance: ServiceInstance): Effect.Effect<void> => Effect.promise(() => instance.settled());

/** The first call of a service may find its handlers unread. */
const readHandlers = ({ instance, entry }: HostedProcedure): Effect.Effect<void, unknown> =>
  Effect.tryPromise({
    try: () => instance.readHandlers(),
    catch: (cause) =>
      cause instanceof FairleadError ? notAvailable(entry.name, { message: cause.message, hint: cause.hint }) : cause,
  });

/** True for a caller that is not in this process. */
const isOutside = ({ transport }: ActiveCall["request"]): boolean => transport !== "memory";

/** What is known of a call before it begins. */
type CallTarget = Pick<ActiveCall, "target" | "request">;

const decode = ({ target, request }: CallTarget): unknown => {
  const { entry } = target;
  const tooLarge = request.scanned === true ? undefined : measure(request.input, entry.limits);
  if (tooLarge !== undefined)
    throw new FairleadError(isOutside(request) ? withoutInputNames(tooLarge, entry.procedure) : tooLarge);
  const decoded = target.decode(request.input);
  if (decoded.ok) return decoded.value;
  const refused = failure("invalid_argument", `the input of ${entry.name} does not match its contract`, {
    hint: `see \`fairlead describe ${entry.name}\``,
    issues: decoded.issues,
  });
  throw isOutside(request) ? new FairleadError(withoutInputNames(refused.toJSON(), entry.procedure)) : refused;
};

/** What can be refused before the input is read. */
const refuseAccess = ({ target, request }: CallTarget): void => {
  const { principal, procedure } = request;
  if (!principal.access.includes(target.access)) {
    throw failure("permission_denied", `${principal.id} may not ${target.access} ${procedure}`, {
      hint: `use a token that allows \`${target.access}\``,
    });
  }
  if (principal.services !== undefined && !principal.services.includes(target.instance.id)) {
    throw failure("permission_denied", `${principal.id} may not use the service ${target.instance.id}`);
  }
  if (principal.grants !== undefined && !isGranted(principal, target.access, target.instance.id)) {
    throw failure(
      "permission_denied",
      `no scope of the token allows ${principal.id} to ${target.access} ${procedure}`,
      {
        hint: "log in again with a scope that allows it",
      },
    );
  }
};

/** A caller that sends a key counts on it: to run the thing twice nevertheless would harm. */
const refuseKey = ({ target, request }: ActiveCall): void => {
  const { idempotencyKey } = request;
  if (idempotencyKey === undefined || target.entry.procedure.retry !== "unsafe") return;
  if (idempotencyKey.startsWith(automaticKey)) return;
  throw failure(
    "invalid_argument",
    `${target.entry.name} takes no idempotency key: it is unsafe, so a repeat has its effect twice`,
    {
      hint: "call it without a key, and do not repeat it; its contract can make it `keyed`",
      issues: [{ path: "idempotency-key", expected: "no key", fix: "leave it out" }],
    },
  );
};

/** What is wrong with a call's file before it is read, or with its absence. */
const refuseFile = ({ target, request: { file, transport } }: ActiveCall): void => {
  const { procedure, name } = target.entry;
  const rule = procedure.kind === "mutation" ? procedure.upload : undefined;
  if (rule === undefined && file === undefined) return;
  const refused = (message: string, expected: string, fix: string): FairleadError =>
    failure("invalid_argument", message, { issues: [{ path: "file", expected, fix }] });
  if (rule === undefined) throw refused(`${name} takes no file`, "no file", "leave it out");
  if (file === undefined)
    throw failure("invalid_argument", `${name} takes a file`, {
      hint:
        transport === "mcp"
          ? "send it in the argument that the tool's input schema has for it: as `text`, as `base64`, or over stdio by its `path`"
          : `send it as multipart/form-data: a part \`input\` of JSON, then a part \`file\`; see \`fairlead describe ${name}\``,
      issues: [{ path: "file", expected: "a file", fix: "send one" }],
    });
  if (!isMediaType(file.type))
    throw refused(
      "the file's media type is none",
      "a media type like `image/png`",
      "correct the type, or leave it out",
    );
  const types = rule.types?.join(", ");
  if (!isOfType(file.type, rule.types))
    throw refused(
      `${name} takes no file of that media type`,
      `a file of ${types}`,
      "send another file, or say its type",
    );
  if (file.size !== undefined && file.size > rule.maxBytes) throw fileTooLarge(name, rule.maxBytes);
};

/** What only the service can refuse, by its input. */
const refuseInput = ({ target, input, principal }: ActiveCall): void => {
  const why = target.instance.running?.authorise?.({ procedure: target.name, input, principal });
  if (why !== undefined) throw failure("permission_denied", why);
};
