/**
 * One call from its arrival to its record: the procedure, the request, how long it may live, its span, and how its failures look
 * on the wire.
 */
import { FairleadError, type WireError } from "@fairlead/contracts";
import type { CallRequest } from "../call.ts";
import { fromUnknown } from "../error.ts";
import type { Log } from "../log.ts";
import { Life } from "../policy/life.ts";
import type { OpenSpan, Tracer } from "../trace.ts";
import { ActiveCall } from "./active-call.ts";
import type { Prepared } from "./prepared.ts";

export class Invocation {
  readonly prepared: Prepared;
  readonly request: CallRequest;
  readonly life: Life;
  readonly span: OpenSpan | undefined;
  readonly call: ActiveCall;
  readonly #log: Log;
  readonly #started = performance.now();

  constructor(
    prepared: Prepared,
    request: CallRequest,
    to: { readonly log: Log; readonly tracer: Tracer | undefined },
  ) {
    const { entry, deadlineMs } = prepared;
    this.prepared = prepared;
    this.request = request;
    this.life = new Life(entry.name, Math.min(deadlineMs, request.timeoutMs ?? deadlineMs), request.signal);
    this.span = to.tracer?.start(entry.name, request.trace);
    this.call = new ActiveCall(prepared, request, this);
    this.#log = to.log;
  }

  get milliseconds(): number {
    return performance.now() - this.#started;
  }

  /** True when a repeat of this very call does no harm. */
  get repeatable(): boolean {
    return this.prepared.repeatable(this.request);
  }

  /** A failure as it goes on the wire. An error that claims to be declared and is not is a defect of the service. */
  wireError(cause: unknown): WireError {
    const sound = !(cause instanceof FairleadError) || this.prepared.declares(cause);
    const { name } = this.prepared.entry;
    return fromUnknown(sound ? cause : new Error(`${name} failed with an error it does not declare`, { cause }), {
      procedure: name,
      repeatable: this.repeatable,
      defect: (id, error) => this.#log("error", "defect", { id, procedure: name, error }),
    });
  }
}
