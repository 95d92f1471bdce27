/**
 * What a call must pass before its handler runs: the principal's rate and access, a service that offers it, the input's size,
 * decoding (once), the service's own word, and a free place. Every refusal is a `FairleadError`.
 */
import { FairleadError } from "@fairlead/contracts";
import { failure } from "../call/error.ts";
import { notAvailable, switchedOff } from "../call/missing.ts";
import { measure } from "../limits/scan.ts";
import type { Rates } from "../policy/rate.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";
import type { Invocation } from "./invocation.ts";

/** A call that was let in; `leave` gives its place back, once nothing of its work goes on. */
export interface Admitted {
  readonly invocation: Invocation;
  /** Decoded, defaults filled in. */
  readonly input: unknown;
  readonly leave: () => void;
}

export type Gate = (invocation: Invocation) => Promise<Admitted>;

export const makeGate =
  (rates: Rates): Gate =>
  async (invocation) => {
    const { target, request, scope } = invocation;
    if (scope.ended !== undefined) throw scope.ended;
    const rate = rates.take(request.principal, performance.now());
    if (rate instanceof FairleadError) throw rate;
    try {
      refuseAccess(invocation);
      if (target.instance.state.tag === "Starting") await scope.wait(target.instance.started);
      refuseIfOff(target);
      const input = decode(invocation);
      refuseInput(invocation, input);
      if (target.instance.handlers === undefined) await scope.wait(readHandlers(target));
      if (!target.admission.tryEnter()) await target.admission.enter(scope);
      return {
        invocation,
        input,
        leave: () => {
          rate.leave();
          scope.whenIdle((overdue) => {
            target.admission.leave();
            if (overdue) invocation.warn("a handler ignores the end of its call");
          });
        },
      };
    } catch (cause) {
      rate.leave();
      throw cause;
    }
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

const decode = ({ target, request }: Invocation): unknown => {
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

/** What can be refused before the input is looked at. */
const refuseAccess = ({ target, request }: Invocation): void => {
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

/** What only the service can refuse, for what the input asks. */
const refuseInput = ({ target, request: { principal } }: Invocation, input: unknown): void => {
  const why = target.instance.running?.authorise?.({ procedure: target.name, input, principal });
  if (why !== undefined) throw failure("permission_denied", why);
};
