/**
 * One call from its arrival to its record: the procedure, the request, how long it may live, its span, and how its failures look
 * on the wire.
 */
import { FairleadError, type WireError } from "@fairlead/contracts";
import type { CallRequest } from "../call/call.ts";
import { fromUnknown } from "../call/error.ts";
import type { Log } from "../observe/log.ts";
import type { OpenSpan, Tracer } from "../observe/trace.ts";
import { CallScope } from "../policy/life.ts";
import { ActiveCall } from "./active-call.ts";
import type { HostedProcedure } from "./prepared.ts";

export interface InvocationParts {
  readonly log: Log;
  /** Set when spans are exported. */
  readonly tracer: Tracer | undefined;
  /** See `LifeOptions`. */
  readonly patient?: boolean;
}

export class Invocation {
  readonly prepared: HostedProcedure;
  readonly request: CallRequest;
  readonly life: CallScope;
  readonly span: OpenSpan | undefined;
  readonly call: ActiveCall;
  readonly #log: Log;
  readonly #started = performance.now();

  constructor(prepared: HostedProcedure, request: CallRequest, { log, tracer, patient = false }: InvocationParts) {
    const { entry, deadlineMs } = prepared;
    this.prepared = prepared;
    this.request = request;
    this.life = new CallScope(entry.name, {
      deadlineMs: Math.min(deadlineMs, request.timeoutMs ?? deadlineMs),
      outer: request.signal,
      patient,
    });
    this.span = tracer?.start(entry.name, request.trace);
    this.call = new ActiveCall(prepared, request, this);
    this.#log = log;
  }

  get milliseconds(): number {
    return performance.now() - this.#started;
  }

  /** True when a repeat of this very call does no harm. */
  get repeatable(): boolean {
    return this.prepared.repeatable(this.request);
  }

  /** True when it was its caller that left it no more time, or gave up on it. */
  get endedByCaller(): boolean {
    const { timeoutMs } = this.request;
    return this.life.ended?.code === "canceled" || (timeoutMs !== undefined && timeoutMs < this.prepared.deadlineMs);
  }

  /** The same call on a life of its own, which ends with the contract's deadline and not with its caller. */
  detached(): Invocation {
    const { signal: _, timeoutMs: __, ...request } = this.request;
    return new Invocation(this.prepared, request, { log: this.#log, tracer: undefined, patient: true });
  }

  warn(message: string): void {
    this.#log("warn", message, { procedure: this.prepared.entry.name });
  }

  /**
   * A failure as it goes on the wire. A handler that breaks off because its call has ended failed for that reason. An error that
   * claims to be declared and is not is a defect of the service.
   */
  wireError(thrown: unknown): WireError {
    const cause = thrown instanceof FairleadError ? thrown : (this.life.ended ?? thrown);
    const sound = !(cause instanceof FairleadError) || this.prepared.declares(cause);
    const { name } = this.prepared.entry;
    return fromUnknown(sound ? cause : new Error(`${name} failed with an error it does not declare`, { cause }), {
      procedure: name,
      repeatable: this.repeatable,
      defect: (id, error) => this.#log("error", "defect", { id, procedure: name, error }),
    });
  }
}
