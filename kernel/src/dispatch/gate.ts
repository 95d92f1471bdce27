/**
 * What a call must pass before its handler runs: the service is up and offers it, the principal's rate, the input's size, decoding
 * (once), permission, and a free place. Every refusal is a `FairleadError`.
 */
import { FairleadError } from "@fairlead/contracts";
import { failure } from "../error.ts";
import { measure } from "../limits/scan.ts";
import type { Rates } from "../policy/rate.ts";
import type { Invocation } from "./invocation.ts";
import type { Prepared } from "./prepared.ts";

/** A call that was let in; `leave` gives its place back. */
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
    if (prepared.slot.state.tag === "Starting") await life.race(prepared.slot.started);
    refuseIfOff(prepared);
    const rate = rates.take(request.principal, Date.now());
    if (rate instanceof FairleadError) throw rate;
    try {
      const input = decode(invocation);
      authorise(invocation, input);
      if (!prepared.admission.tryEnter()) await prepared.admission.enter(life);
      return {
        invocation,
        input,
        leave: () => {
          prepared.admission.leave();
          rate.leave();
        },
      };
    } catch (cause) {
      rate.leave();
      throw cause;
    }
  };

const refuseIfOff = ({ slot, name, entry }: Prepared): void => {
  const off = slot.off(name);
  if (off !== undefined) throw failure("unimplemented", `${entry.name} is switched off: ${off}`);
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

const authorise = ({ prepared, request }: Invocation, input: unknown): void => {
  const { principal, procedure } = request;
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
