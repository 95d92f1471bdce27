/**
 * What a call must pass before its handler runs: the principal's rate and access, a service that offers it, the input's size,
 * decoding (once), the service's own word, and a free place. Every refusal is a `FairleadError`.
 */
import { FairleadError } from "@fairlead/contracts";
import { failure } from "../call/error.ts";
import { notAvailable, switchedOff } from "../call/missing.ts";
import { measure } from "../limits/scan.ts";
import type { Rates } from "../policy/rate.ts";
import type { Invocation } from "./invocation.ts";
import type { HostedProcedure } from "./prepared.ts";

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
    const { prepared, request, life } = invocation;
    if (life.ended !== undefined) throw life.ended;
    const rate = rates.take(request.principal, performance.now());
    if (rate instanceof FairleadError) throw rate;
    try {
      refuseAccess(invocation);
      if (prepared.slot.state.tag === "Starting") await life.wait(prepared.slot.started);
      refuseIfOff(prepared);
      const input = decode(invocation);
      refuseInput(invocation, input);
      if (prepared.slot.handlers === undefined) await life.wait(readHandlers(prepared));
      if (!prepared.admission.tryEnter()) await prepared.admission.enter(life);
      return {
        invocation,
        input,
        leave: () => {
          rate.leave();
          life.whenIdle((stubborn) => {
            prepared.admission.leave();
            if (stubborn) invocation.warn("a handler ignores the end of its call");
          });
        },
      };
    } catch (cause) {
      rate.leave();
      throw cause;
    }
  };

const refuseIfOff = ({ slot, name, entry }: HostedProcedure): void => {
  const off = slot.off(name);
  if (off !== undefined) throw switchedOff(entry.name, off);
};

/** The first call of a service may find its handlers unread. */
const readHandlers = async ({ slot, entry }: HostedProcedure): Promise<void> => {
  try {
    await slot.readHandlers();
  } catch (cause) {
    throw cause instanceof FairleadError ? notAvailable(entry.name, cause) : cause;
  }
};

const decode = ({ prepared, request }: Invocation): unknown => {
  const { entry } = prepared;
  const tooLarge = request.scanned === true ? undefined : measure(request.input, entry.limits);
  if (tooLarge !== undefined) throw new FairleadError(tooLarge);
  const decoded = prepared.decode(request.input);
  if (decoded.ok) return decoded.value;
  throw failure("invalid_argument", `the input of ${entry.name} does not match its contract`, {
    hint: `see \`fairlead describe ${entry.name}\``,
    issues: decoded.issues,
  });
};

/** What can be refused before the input is looked at. */
const refuseAccess = ({ prepared, request }: Invocation): void => {
  const { principal, procedure } = request;
  if (!principal.access.includes(prepared.access)) {
    throw failure("permission_denied", `${principal.id} may not ${prepared.access} ${procedure}`, {
      hint: `use a token that allows \`${prepared.access}\``,
    });
  }
  if (principal.services !== undefined && !principal.services.includes(prepared.slot.id)) {
    throw failure("permission_denied", `${principal.id} may not use the service ${prepared.slot.id}`);
  }
};

/** What only the service can refuse, for what the input asks. */
const refuseInput = ({ prepared, request: { principal } }: Invocation, input: unknown): void => {
  const why = prepared.slot.running?.authorise?.({ procedure: prepared.name, input, principal });
  if (why !== undefined) throw failure("permission_denied", why);
};
