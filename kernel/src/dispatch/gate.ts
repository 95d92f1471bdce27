/**
 * What a call must pass before its handler runs: the principal's rate and access, a service that offers it, the input's size,
 * decoding (once), the service's own rules, and a free place. Every refusal is a `FairleadError`.
 */
import { FairleadError } from "@fairlead/contracts";
import { failure, notAvailable, switchedOff } from "../call/error.ts";
import { measure } from "../limits/scan.ts";
import type { Rates } from "../policy/rate.ts";
import type { ActiveCall } from "./active-call.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";
import { runEffect } from "./run.ts";

/** Lets a call in, its input decoded, and returns how it leaves: once no more of its work goes on. Rejects with the refusal. */
export type Gate = (call: ActiveCall) => Promise<() => void>;

export const makeGate =
  (rates: Rates): Gate =>
  async (call) => {
    const { target, request, scope } = call;
    const { instance, admission } = target;
    if (scope.ended !== undefined) throw scope.ended;
    const rate = request.principal.rate === undefined ? undefined : rates.take(request.principal, performance.now());
    if (rate instanceof FairleadError) throw rate;
    try {
      refuseAccess(call);
      if (instance.state.tag === "Starting") await scope.wait(instance.settled);
      refuseIfOff(target);
      call.input = decode(call);
      refuseInput(call);
      if (!instance.hasHandlers) await scope.wait(readHandlers(target));
      const place = admission.acquire(request.principal, "normal", scope.deadline);
      if (place !== undefined) await runEffect(place, call);
    } catch (cause) {
      rate?.leave();
      throw cause;
    }
    return () => {
      rate?.leave();
      scope.whenIdle((overdue) => {
        admission.release();
        if (overdue) call.warn("a handler ignores the end of its call");
      });
    };
  };

const refuseIfOff = ({ instance, name, entry }: HostedProcedure): void => {
  const off = instance.off(name);
  if (off !== undefined) throw switchedOff(entry.name, off);
};

/** The first call of a service may find its handlers unread. */
const readHandlers = async ({ instance, entry }: HostedProcedure): Promise<void> => {
  try {
    await instance.readHandlers();
  } catch (cause) {
    throw cause instanceof FairleadError ? notAvailable(entry.name, cause) : cause;
  }
};

const decode = ({ target, request }: ActiveCall): unknown => {
  const { entry } = target;
  const tooLarge = request.scanned === true ? undefined : measure(request.input, entry.limits);
  if (tooLarge !== undefined) throw new FairleadError(tooLarge);
  const decoded = target.decode(request.input);
  if (decoded.ok) return decoded.value;
  throw failure("invalid_argument", `the input of ${entry.name} does not match its contract`, {
    hint: `see \`fairlead describe ${entry.name}\``,
    issues: decoded.issues,
  });
};

/** What can be refused before the input is read. */
const refuseAccess = ({ target, request }: ActiveCall): void => {
  const { principal, procedure } = request;
  if (!principal.access.includes(target.access)) {
    throw failure("permission_denied", `${principal.id} may not ${target.access} ${procedure}`, {
      hint: `use a token that allows \`${target.access}\``,
    });
  }
  if (principal.services !== undefined && !principal.services.includes(target.instance.id)) {
    throw failure("permission_denied", `${principal.id} may not use the service ${target.instance.id}`);
  }
};

/** What only the service can refuse, by its input. */
const refuseInput = ({ target, input, principal }: ActiveCall): void => {
  const why = target.instance.running?.authorise?.({ procedure: target.name, input, principal });
  if (why !== undefined) throw failure("permission_denied", why);
};
