/**
 * What is kept of a finished call: a count, a duration, an event, a span when spans are exported, and a log line for changes
 * and failures. Never the input, never the output.
 */
import type { WireError } from "@fairlead/contracts";
import { callEvent, type Events } from "../events.ts";
import type { Log } from "../log.ts";
import type { Invocation } from "./invocation.ts";

export type Recorder = (invocation: Invocation, error: WireError | undefined) => void;

export const makeRecorder =
  (events: Events, log: Log): Recorder =>
  ({ prepared, request, milliseconds, span }, error) => {
    const { name, service, procedure } = prepared.entry;
    const { transport, principal } = request;
    const outcome = error?.code ?? "ok";
    prepared.metrics.record(outcome, milliseconds);
    events.emit(callEvent, service, { procedure: name, transport, outcome, milliseconds });
    span?.end(
      { "rpc.system": "fairlead", "rpc.service": service, "rpc.method": name, "fairlead.transport": transport },
      error?.code,
    );
    if (procedure.kind !== "mutation" && error?.code !== "internal") return;
    log(error === undefined ? "info" : "warn", "call", {
      procedure: name,
      transport,
      principal: principal.id,
      outcome,
      ...(error?.reason !== undefined && { reason: error.reason }),
      ...(error?.id !== undefined && { id: error.id }),
      milliseconds: Math.round(milliseconds * 1_000) / 1_000,
    });
  };
