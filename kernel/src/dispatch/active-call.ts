/**
 * One call from its arrival to its record: as its handler sees it (`Call`), as its policy sees it, and how its failures look on the
 * wire. What costs something (abort signal, trace id) is made on first use.
 */
import { FairleadError, type Redactor, type WireError } from "@fairlead/contracts";
import type { AmbientCall } from "../call/ambient.ts";
import type { ByteStream, CallRequest, Principal, Progress } from "../call/call.ts";
import { fileTooLarge, LostCall, mayHaveRun, type Site, toWireError, unhandledError } from "../call/error.ts";
import type { OpenSpan } from "../call/span.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import type { Log } from "../observe/log.ts";
import { childTraceparent, type Tracer, traceParts } from "../observe/trace.ts";
import { CallScope } from "../policy/call-scope.ts";
import type { PolicyCall } from "../policy/transformer.ts";
import { DeclaredError, type FailureText, findPeer, makeDeclaredError } from "../service/errors.ts";
import type { Call } from "../service/handler.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";

interface ActiveCallParts {
  readonly log: Log;
  /** Set when spans are exported. */
  readonly tracer: Tracer | undefined;
  /** Takes secrets out of its error. */
  readonly redactor?: Redactor;
  /** See `CallScopeOptions`. */
  readonly detached?: boolean;
}

/** A place that others have meanwhile. */
interface LendsPlace {
  during<T>(asked: () => Promise<T>): Promise<T>;
}

export class ActiveCall implements Call<unknown>, AmbientCall, PolicyCall {
  readonly target: HostedProcedure;
  readonly request: CallRequest;
  readonly scope: CallScope;
  readonly span: OpenSpan | undefined;
  /** Decoded, defaults filled in; set by the gate. */
  input: unknown;
  /** Milliseconds that it waited for a place, where it had to. */
  waitedMs: number | undefined;
  /** When it went on after it had waited for its service or a place, or gave its latest event, on the clock of `performance.now()`. */
  resumed: number | undefined;
  /** Times that its handler was run. */
  attempts = 0;
  /** What it failed with, before it was made fit for the wire. */
  cause: unknown;
  /** True once the gate has let it in: from then on its handler may run. */
  admitted = false;
  /** Of a run, which lends its place to others while it waits for an answer; set by the gate. */
  place: LendsPlace | undefined;
  readonly #log: Log;
  readonly #redactor: Redactor | undefined;
  #file: ByteStream | undefined;
  #traceparent: string | undefined;

  constructor(
    target: HostedProcedure,
    request: CallRequest,
    { log, tracer, redactor, detached = false }: ActiveCallParts,
  ) {
    const { entry, deadlineMs } = target;
    this.target = target;
    this.request = request;
    this.scope = new CallScope(entry.name, {
      deadlineMs: request.run?.deadlineMs ?? Math.min(deadlineMs, request.timeoutMs ?? deadlineMs),
      outer: request.signal,
      detached,
    });
    this.span = tracer?.start(entry.name, request.trace);
    this.#traceparent = this.span?.traceparent;
    this.#log = log;
    this.#redactor = redactor;
  }

  /** Whose code runs for it. */
  get owner(): ServiceInstance {
    return this.target.instance;
  }

  get signal(): AbortSignal {
    return this.scope.signal;
  }

  get deadline(): number {
    return this.scope.deadline;
  }

  get over(): boolean {
    return this.scope.over;
  }

  get principal(): Principal {
    return this.request.principal;
  }

  get traceparent(): string {
    this.#traceparent ??= childTraceparent(this.request.trace);
    return this.#traceparent;
  }

  /** Id of its trace, for lines of log. */
  get traceId(): string | undefined {
    return traceParts(this)?.traceId;
  }

  get lastEventId(): string | undefined {
    return this.request.lastEventId;
  }

  /** The file of an upload; fails at the first byte too many. */
  get file(): ByteStream | undefined {
    const { file } = this.request;
    if (file === undefined) return undefined;
    const { procedure, name } = this.target.entry;
    // The gate refuses a file where none is taken.
    const most = procedure.kind === "mutation" ? (procedure.upload?.maxBytes ?? 0) : 0;
    this.#file ??= capped(file, { most, procedure: name, scope: this.scope });
    return this.#file;
  }

  progress(progress: Progress): void {
    this.request.onProgress?.(progress);
  }

  log(line: string): void {
    this.request.onLog?.(this.#redactor?.text(String(line)) ?? line);
  }

  get run(): CallRequest["run"] {
    return this.request.run;
  }

  get ask(): CallRequest["ask"] {
    const { ask } = this.request;
    const { place } = this;
    return ask === undefined || place === undefined ? ask : (question) => place.during(() => ask(question));
  }

  get clientLog(): CallRequest["clientLog"] {
    return this.request.clientLog;
  }

  get client(): CallRequest["client"] {
    return this.request.client;
  }

  get app(): CallRequest["app"] {
    return this.request.app;
  }

  /** Read with the first question: few procedures have one. */
  question(name: string, message: string): Promise<never> {
    // `Call` types the answer by the procedure of whoever calls this.
    return import("../runs/question.ts").then(({ askQuestion }) => askQuestion(this, name, message)) as Promise<never>;
  }

  fail(reason: string, text: FailureText, data?: unknown): DeclaredError<never, never> {
    const { name, procedure } = this.target.entry;
    const declaration = procedure.errors?.[reason];
    const error =
      declaration === undefined
        ? new DeclaredError({ code: "internal", message: `${name} does not declare the error ${reason}`, reason })
        : makeDeclaredError(reason, declaration, { text, data });
    // `Call` types the error by the procedure of whoever calls this.
    return error as DeclaredError<never, never>;
  }

  /** Since its arrival. */
  get milliseconds(): number {
    return performance.now() - this.scope.started;
  }

  get mostAttempts(): number {
    return this.request.attempts ?? Number.POSITIVE_INFINITY;
  }

  /** Whoever repeats a call repeats alone. */
  get innerAttempts(): number {
    const own = Math.min(this.target.policy.retry?.attempts ?? 1, this.mostAttempts);
    return own > 1 && this.run === undefined ? 1 : this.mostAttempts;
  }

  /** True when a repeat of this very call does no harm. */
  get repeatable(): boolean {
    return this.target.repeatable(this.request);
  }

  /** Its idempotency key, when its procedure takes one. */
  get key(): string | undefined {
    return this.target.entry.procedure.retry === "keyed" ? this.request.idempotencyKey : undefined;
  }

  /** True when its caller left it no more time, or gave up on it. */
  get endedByCaller(): boolean {
    const { timeoutMs } = this.request;
    return this.scope.ended?.code === "canceled" || (timeoutMs !== undefined && timeoutMs < this.target.deadlineMs);
  }

  /** The same call in a scope of its own, which ends with the contract's deadline and not with its caller. */
  detached(): ActiveCall {
    const { signal: _, timeoutMs: __, ...request } = this.request;
    const call = new ActiveCall(this.target, request, {
      log: this.#log,
      tracer: undefined,
      ...(this.#redactor !== undefined && { redactor: this.#redactor }),
      detached: true,
    });
    call.input = this.input;
    return call;
  }

  warn(message: string): void {
    this.#log("warn", message, { procedure: this.target.entry.name });
  }

  /**
   * A failure as it goes on the wire. A handler that breaks off because its call has ended failed for that reason. An error that
   * claims to be declared and is not is a defect of the service, unless a peer declares it: then it was only not handled.
   */
  wireError(thrown: unknown): WireError {
    this.cause = thrown;
    const cause = thrown instanceof FairleadError ? thrown : (this.scope.ended ?? thrown);
    const declared = cause instanceof FairleadError ? this.target.encodeError(cause) : cause;
    const { name } = this.target.entry;
    const site: Site = {
      procedure: name,
      repeatable: this.repeatable,
      key: this.key,
      defect: (id, error) => this.#log("error", "defect", { id, procedure: name, trace_id: this.traceId, error }),
    };
    const failure = toWireError(declared ?? this.#undeclared(cause as FairleadError), site);
    const { ended } = this.scope;
    // What its handler breaks off with is often the end of a call of its own, which says nothing of what was done before.
    const isLost = ended instanceof LostCall && failure.retryable && failure.reason === undefined;
    const error = isLost ? toWireError(ended, site) : failure;
    return this.#redactor?.json(error) ?? error;
  }

  /** An error whose reason this procedure does not declare: a peer's that the handler let through, or a defect. */
  #undeclared(cause: FairleadError): Error {
    const { name } = this.target.entry;
    const peer = findPeer(cause);
    if (peer === undefined) return new Error(`${name} failed with an error it does not declare`, { cause });
    const unhandled = unhandledError(name, peer, cause);
    this.#log("warn", "a peer's error is not handled", {
      id: unhandled.id,
      procedure: name,
      peer,
      trace_id: this.traceId,
      error: cause,
    });
    return unhandled;
  }
}

/**
 * Ends calls for a reason of the kernel's own. One with a key whose run has begun may have run, for all who wait for it: with that key
 * nothing may run it again.
 */
export const endCalls = (calls: Iterable<ActiveCall>, why: FairleadError): void => {
  const ending = [...calls];
  const begun = new Set(ending.filter(({ attempts }) => attempts > 0).map(keyName));
  for (const call of ending) {
    const isLost = call.key !== undefined && begun.has(keyName(call));
    call.scope.end(isLost ? mayHaveRun(call.target.entry.name, why.message) : why);
  }
};

/** The run that is shared by all callers of one key. */
const keyName = ({ target, key, principal }: ActiveCall): string | undefined =>
  key === undefined ? undefined : JSON.stringify([target.entry.name, principal.id, key]);

interface FileLimits {
  /** Bytes. */
  readonly most: number;
  readonly procedure: string;
  readonly scope: CallScope;
}

/** The same stream, which ends with its call and has so many bytes at most. */
const capped = (file: ByteStream, { most, procedure, scope }: FileLimits): ByteStream => ({
  type: file.type,
  name: file.name,
  size: file.size,
  [Symbol.asyncIterator]() {
    const parts = file[Symbol.asyncIterator]();
    // Not waited for: while its sender is silent, a part that was begun has no end.
    const leave = (): void => void parts.return?.().catch(() => undefined);
    let size = 0;
    const checked = (next: IteratorResult<Uint8Array>): IteratorResult<Uint8Array> => {
      size += next.done === true ? 0 : next.value.length;
      const problem = scope.ended ?? (size > most ? fileTooLarge(procedure, most) : undefined);
      if (problem === undefined) return next;
      throw problem;
    };
    // A loop whose iterator fails does not end it.
    const failed = (cause: unknown): never => {
      leave();
      throw cause;
    };
    return {
      next: () => scope.waitForCaller(parts.next()).then(checked).catch(failed),
      return: (value) => {
        leave();
        return Promise.resolve({ done: true, value });
      },
    };
  },
});
