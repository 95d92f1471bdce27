/**
 * What is kept of a finished call: a count, a duration, an event, a span when spans are exported, and a log line for changes
 * and failures. Never the input, never the output.
 */
import type { WireError } from "@fairlead/contracts";
import type { CallRequest } from "./call.ts";
import { callEvent, type Events } from "./events.ts";
import type { Log } from "./log.ts";
import type { Prepared } from "./prepared.ts";
import { childOf, type Tracer } from "./trace.ts";

export interface Finished {
  readonly prepared: Prepared;
  readonly request: CallRequest;
  readonly error: WireError | undefined;
  readonly milliseconds: number;
  /** The span's id, when the handler has asked for it. */
  readonly traceparent: string | undefined;
}

export type Recorder = (finished: Finished) => void;

export const makeRecorder = (to: {
  readonly events: Events;
  readonly log: Log;
  readonly tracer?: Tracer;
}): Recorder => {
  const { events, log, tracer } = to;
  return ({ prepared, request, error, milliseconds, traceparent }) => {
    const { name, service, procedure } = prepared.entry;
    const outcome = error?.code ?? "ok";
    prepared.metrics.record(outcome, milliseconds);
    events.emit(callEvent, service, { procedure: name, transport: request.transport, outcome, milliseconds });
    if (procedure.kind === "mutation" || error?.code === "internal") {
      log(error === undefined ? "info" : "warn", "call", {
        procedure: name,
        transport: request.transport,
        principal: request.principal.id,
        outcome,
        ...(error?.reason !== undefined && { reason: error.reason }),
        ...(error?.id !== undefined && { id: error.id }),
        milliseconds: Math.round(milliseconds * 1_000) / 1_000,
      });
    }
    if (tracer !== undefined) {
      const end = Date.now();
      tracer.export({
        name,
        traceparent: traceparent ?? childOf(request.trace),
        parent: request.trace,
        start: end - milliseconds,
        end,
        attributes: {
          "rpc.system": "fairlead",
          "rpc.service": service,
          "rpc.method": name,
          "fairlead.transport": request.transport,
        },
        ...(error !== undefined && { error: error.code }),
      });
    }
  };
};
