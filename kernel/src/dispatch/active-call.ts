/**
 * The call as its handler sees it. Everything that costs something (abort signal, trace id) is made on first use.
 */
import { FairleadError } from "@fairlead/contracts";
import type { CallRequest, Principal, Progress } from "../call/call.ts";
import { childOf, type OpenSpan } from "../observe/trace.ts";
import type { CallScope } from "../policy/life.ts";
import type { Call, FailureText } from "../service/service.ts";
import type { HostedProcedure } from "./prepared.ts";

export class ActiveCall implements Call<unknown> {
  readonly #prepared: HostedProcedure;
  readonly #request: CallRequest;
  readonly #life: CallScope;
  #traceparent: string | undefined;

  constructor(
    prepared: HostedProcedure,
    request: CallRequest,
    running: { readonly life: CallScope; readonly span: OpenSpan | undefined },
  ) {
    this.#prepared = prepared;
    this.#request = request;
    this.#life = running.life;
    this.#traceparent = running.span?.traceparent;
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  get deadline(): number {
    return this.#life.deadline;
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

  fail(reason: string, text: FailureText, data?: unknown): FairleadError {
    const { name, procedure } = this.#prepared.entry;
    const declaration = procedure.errors?.[reason];
    if (declaration === undefined) {
      return new FairleadError({ code: "internal", message: `${name} does not declare the error ${reason}`, reason });
    }
    const hint = text.hint ?? declaration.hint;
    return new FairleadError({
      code: declaration.code,
      reason,
      message: text.message,
      ...(hint !== undefined && { hint }),
      ...(data !== undefined && { data }),
      ...(text.retryable !== undefined && { retryable: text.retryable }),
    });
  }
}
