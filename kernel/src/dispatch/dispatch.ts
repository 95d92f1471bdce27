/**
 * The one path. Every call of every transport comes through here, in this order: resolve, gate (rate, size, decode, authorise,
 * admit), run (stored answer, retry, breaker, handler, output check), record, reply.
 *
 * Nothing else decodes input, applies policy or turns a failure into a wire error. A handler that answers at once pays for no
 * timer, no abort signal and no fiber.
 */
import { FairleadError, type WireError } from "@fairlead/contracts";
import type { CallRequest, Dispatch, Reply } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { noSuchProcedure } from "../call/missing.ts";
import type { Log } from "../observe/log.ts";
import type { Tracer } from "../observe/trace.ts";
import type { Gate } from "./gate.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";
import { Invocation } from "./invocation.ts";
import type { Recorder } from "./record.ts";
import { asTold, passedOn, type Relays } from "./relays.ts";
import { handlerFor, type Run } from "./run.ts";
import { streamOf } from "./subscribe.ts";

export interface DispatchParts {
  readonly procedures: ReadonlyMap<string, HostedProcedure>;
  /** Names that lead to another procedure. */
  readonly relays: Relays;
  readonly gate: Gate;
  readonly run: Run;
  readonly record: Recorder;
  readonly log: Log;
  /** Set when spans are exported. */
  readonly tracer: Tracer | undefined;
}

/** Dispatch, and how to end every call that still runs. */
export interface StoppableDispatch extends Dispatch {
  shutdown(why: FairleadError): void;
}

export const makeDispatch = (parts: DispatchParts): StoppableDispatch => {
  const { procedures, relays, gate, run, record } = parts;
  const open = new Set<Invocation>();

  const begin = (target: HostedProcedure, request: CallRequest): Invocation => {
    const invocation = new Invocation(target, request, parts);
    open.add(invocation);
    return invocation;
  };

  const end = (invocation: Invocation, error: WireError | undefined): void => {
    open.delete(invocation);
    invocation.scope.dispose();
    record(invocation, error);
  };

  const answer = async (invocation: Invocation): Promise<Reply> => {
    try {
      const admitted = await gate(invocation);
      try {
        return await run(admitted);
      } finally {
        admitted.leave();
      }
    } catch (cause) {
      return { ok: false, error: invocation.wireError(cause) };
    }
  };

  return {
    async call(asked) {
      const relayed = procedures.has(asked.procedure) ? undefined : relays.find(asked.procedure);
      const request = relayed === undefined ? asked : passedOn(asked, relayed);
      const target = find(procedures, request.procedure, "call");
      if (target instanceof FairleadError) return refusal(target);
      const invocation = begin(target, request);
      const answered = await answer(invocation);
      const reply = relayed === undefined ? answered : asTold(answered, request, relayed);
      end(invocation, reply.ok ? undefined : reply.error);
      return reply;
    },

    async subscribe(request) {
      const target = find(procedures, request.procedure, "subscribe");
      if (target instanceof FairleadError) return refusal(target);
      const invocation = begin(target, request);
      let leave: (() => void) | undefined;
      try {
        const admitted = await gate(invocation);
        leave = admitted.leave;
        const finish = (error: WireError | undefined): void => {
          admitted.leave();
          end(invocation, error);
        };
        return { ok: true, items: streamOf(admitted, handlerFor(target), finish) };
      } catch (cause) {
        leave?.();
        const error = invocation.wireError(cause);
        end(invocation, error);
        return { ok: false, error };
      }
    },

    shutdown(why) {
      for (const { scope } of open) scope.end(why);
    },
  };
};

const refusal = (error: FairleadError): { readonly ok: false; readonly error: WireError } => ({
  ok: false,
  error: error.toJSON(),
});

const find = (
  procedures: ReadonlyMap<string, HostedProcedure>,
  name: string,
  way: "call" | "subscribe",
): HostedProcedure | FairleadError => {
  const target = procedures.get(name);
  if (target === undefined) return noSuchProcedure(name, procedures.keys());
  const streams = target.entry.procedure.kind === "subscription";
  if (streams === (way === "subscribe")) return target;
  return failure("unimplemented", `${name} is ${streams ? "" : "not "}a subscription`, {
    hint: streams ? "subscribe to it" : "call it",
  });
};
