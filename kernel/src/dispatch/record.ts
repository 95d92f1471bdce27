/**
 * What is kept of a finished call: a count, a duration, an event, a span when spans are exported, and a log line. Never the input,
 * never the output.
 */
import { codes, type ProcedureKind, type WireError } from "@fairlead/contracts";
import { callEvent, type Events } from "../observe/events.ts";
import type { Level, Log } from "../observe/log.ts";
import type { Invocation } from "./invocation.ts";

export type Recorder = (invocation: Invocation, error: WireError | undefined) => void;

/** `lowest` is the level from which on anything is written: what nobody reads is not put together. */
export const makeRecorder =
  (events: Events, log: Log, lowest: Level): Recorder =>
  ({ target, request, milliseconds, span }, error) => {
    const { name, service, procedure } = target.entry;
    const { transport, principal } = request;
    const outcome = error?.code ?? "ok";
    target.metrics.record(outcome, milliseconds);
    events.emit(callEvent, service, { procedure: name, transport, outcome, milliseconds });
    span?.end(
      { "rpc.system": "fairlead", "rpc.service": service, "rpc.method": name, "fairlead.transport": transport },
      error?.code,
    );
    const level = levelOf(procedure.kind, error);
    if (level === "debug" && lowest !== "debug") return;
    log(level, "call", {
      procedure: name,
      transport,
      principal: principal.id,
      outcome,
      ...(error?.reason !== undefined && { reason: error.reason }),
      ...(error?.id !== undefined && { id: error.id }),
      milliseconds: Math.round(milliseconds * 1_000) / 1_000,
    });
  };

/** What changes something, and what fails through no fault of its caller, is for everybody who looks; the rest for who looks closely. */
const levelOf = (kind: ProcedureKind, error: WireError | undefined): Level => {
  if (error !== undefined && (kind === "mutation" || codes[error.code].http >= 500)) return "warn";
  return kind === "mutation" ? "info" : "debug";
};
