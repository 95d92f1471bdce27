/**
 * The call as its handler sees it. Everything that costs something (abort signal, trace id) is made on first use.
 */
import type { CallRequest, Principal, Progress } from "../call/call.ts";
import { childOf, type OpenSpan } from "../observe/trace.ts";
import type { CallScope } from "../policy/call-scope.ts";
import { DeclaredError, type FailureText, makeDeclaredError } from "../service/errors.ts";
import type { Call } from "../service/handler.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";

export class ActiveCall implements Call<unknown> {
  readonly #target: HostedProcedure;
  readonly #request: CallRequest;
  readonly #scope: CallScope;
  #traceparent: string | undefined;

  constructor(
    target: HostedProcedure,
    request: CallRequest,
    running: { readonly scope: CallScope; readonly span: OpenSpan | undefined },
  ) {
    this.#target = target;
    this.#request = request;
    this.#scope = running.scope;
    this.#traceparent = running.span?.traceparent;
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  get deadline(): number {
    return this.#scope.deadline;
  }

  get principal(): Principal {
    return this.#request.principal;
  }

  get traceparent(): string {
    this.#traceparent ??= childOf(this.#request.trace);
    return this.#traceparent;
  }

  get lastEventId(): string | undefined {
    return this.#request.lastEventId;
  }

  progress(progress: Progress): void {
    this.#request.onProgress?.(progress);
  }

  get ask(): CallRequest["ask"] {
    return this.#request.ask;
  }

  fail(reason: string, text: FailureText, data?: unknown): DeclaredError<never, never> {
    const { name, procedure } = this.#target.entry;
    const declaration = procedure.errors?.[reason];
    const error =
      declaration === undefined
        ? new DeclaredError({ code: "internal", message: `${name} does not declare the error ${reason}`, reason })
        : makeDeclaredError(reason, declaration, { text, data });
    // `Call` types the error by the procedure of whoever calls this.
    return error as DeclaredError<never, never>;
  }
}
