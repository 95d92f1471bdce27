/**
 * One call from its arrival to its record: the procedure, the request, how long it may live, its span, and how its failures look
 * on the wire.
 */
import { FairleadError, type WireError } from "@fairlead/contracts";
import type * as Context from "effect/Context";
import type { CallRequest } from "../call/call.ts";
import { fromUnknown } from "../call/error.ts";
import type { Log } from "../observe/log.ts";
import type { OpenSpan, Tracer } from "../observe/trace.ts";
import { CallScope } from "../policy/call-scope.ts";
import { ActiveCall } from "./active-call.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";

export interface InvocationParts {
  readonly log: Log;
  /** Set when spans are exported. */
  readonly tracer: Tracer | undefined;
  /** See `LifeOptions`. */
  readonly detached?: boolean;
}

export class Invocation {
  readonly target: HostedProcedure;
  readonly request: CallRequest;
  readonly scope: CallScope;
  readonly span: OpenSpan | undefined;
  readonly call: ActiveCall;
  readonly #log: Log;
  readonly #started = performance.now();

  constructor(target: HostedProcedure, request: CallRequest, { log, tracer, detached = false }: InvocationParts) {
    const { entry, deadlineMs } = target;
    this.target = target;
    this.request = request;
    this.scope = new CallScope(entry.name, {
      deadlineMs: Math.min(deadlineMs, request.timeoutMs ?? deadlineMs),
      outer: request.signal,
      detached,
    });
    this.span = tracer?.start(entry.name, request.trace);
    this.call = new ActiveCall(target, request, this);
    this.#log = log;
  }

  /** What the service's handlers find in their context. */
  get services(): Context.Context<never> {
    return this.target.instance.context;
  }

  get milliseconds(): number {
    return performance.now() - this.#started;
  }

  /** True when a repeat of this very call does no harm. */
  get repeatable(): boolean {
    return this.target.repeatable(this.request);
  }

  /** True when it was its caller that left it no more time, or gave up on it. */
  get endedByCaller(): boolean {
    const { timeoutMs } = this.request;
    return this.scope.ended?.code === "canceled" || (timeoutMs !== undefined && timeoutMs < this.target.deadlineMs);
  }

  /** The same call on a scope of its own, which ends with the contract's deadline and not with its caller. */
  detached(): Invocation {
    const { signal: _, timeoutMs: __, ...request } = this.request;
    return new Invocation(this.target, request, { log: this.#log, tracer: undefined, detached: true });
  }

  warn(message: string): void {
    this.#log("warn", message, { procedure: this.target.entry.name });
  }

  /**
   * A failure as it goes on the wire. A handler that breaks off because its call has ended failed for that reason. An error that
   * claims to be declared and is not is a defect of the service.
   */
  wireError(thrown: unknown): WireError {
    const cause = thrown instanceof FairleadError ? thrown : (this.scope.ended ?? thrown);
    const declared = cause instanceof FairleadError ? this.target.encodeError(cause) : cause;
    const { name } = this.target.entry;
    return fromUnknown(declared ?? new Error(`${name} failed with an error it does not declare`, { cause }), {
      procedure: name,
      repeatable: this.repeatable,
      defect: (id, error) => this.#log("error", "defect", { id, procedure: name, error }),
    });
  }
}
