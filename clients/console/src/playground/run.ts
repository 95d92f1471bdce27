/** One call from the playground: begun, watched, cancelled. A subscription goes on until it is stopped. */
import type { AppErrorData } from "@fairlead/client/app-router";
import { useRef, useState } from "react";
import { readCallError, untypedClient } from "../api/client.ts";
import { pageHeaders } from "../api/page-headers.ts";
import { appendLatest } from "../api/ring.ts";
import { remember } from "./history.ts";

export type CallOutcome =
  | { readonly kind: "none" }
  | { readonly kind: "running"; readonly began: number; readonly items: readonly unknown[] }
  | { readonly kind: "done"; readonly value: unknown; readonly ms: number }
  | { readonly kind: "stream"; readonly items: readonly unknown[]; readonly ms: number }
  | {
      readonly kind: "failed";
      readonly error: AppErrorData["error"];
      readonly ms: number;
      readonly items: readonly unknown[];
    };

export interface RunRequest {
  readonly procedure: string;
  readonly kind: "query" | "mutation" | "subscription";
  readonly input: unknown;
  /** Milliseconds; the contract's own where left out. */
  readonly deadlineMs: number | undefined;
  readonly idempotencyKey: string | undefined;
}

const mostItems = 1_000;

export const useRun = () => {
  const [outcome, setOutcome] = useState<CallOutcome>({ kind: "none" });
  const cancel = useRef<(() => void) | undefined>(undefined);

  const run = (request: RunRequest): void => {
    cancel.current?.();
    const began = performance.now();
    const at = Date.now();
    const elapsed = (): number => performance.now() - began;
    let isNoted = false;
    const note = (result: string): void => {
      // A stream that is stopped also completes.
      if (isNoted) return;
      isNoted = true;
      remember({ procedure: request.procedure, input: request.input, outcome: result, milliseconds: elapsed(), at });
    };
    setOutcome({ kind: "running", began: at, items: [] });
    if (request.kind === "subscription") {
      let items: readonly unknown[] = [];
      const stream = untypedClient.subscription(request.procedure, request.input, {
        onData: (value) => {
          items = appendLatest(items, [dataIn(value)], mostItems);
          setOutcome({ kind: "running", began: at, items });
        },
        onError: (error) => {
          note(readCallError(error).code);
          setOutcome({ kind: "failed", error: readCallError(error), ms: elapsed(), items });
        },
        onComplete: () => {
          note("ok");
          setOutcome({ kind: "stream", items, ms: elapsed() });
        },
      });
      cancel.current = () => {
        stream.unsubscribe();
        note("ok");
        setOutcome({ kind: "stream", items, ms: elapsed() });
      };
      return;
    }
    const stop = new AbortController();
    cancel.current = () => stop.abort();
    callOnce(request, stop.signal).then(
      (value) => {
        note("ok");
        setOutcome({ kind: "done", value, ms: elapsed() });
      },
      (failure: unknown) => {
        const error = stop.signal.aborted
          ? { code: "canceled", message: "you cancelled the call", retryable: false }
          : readCallError(failure);
        note(error.code);
        setOutcome({ kind: "failed", error, ms: elapsed(), items: [] });
      },
    );
  };

  return {
    outcome,
    run,
    cancel: () => {
      cancel.current?.();
      cancel.current = undefined;
    },
  };
};

/** A deadline is a header of the request, so such a call goes alone. */
const callOnce = async ({ procedure, kind, input, deadlineMs, idempotencyKey }: RunRequest, signal: AbortSignal) => {
  if (deadlineMs === undefined) {
    const context = idempotencyKey === undefined ? {} : { context: { idempotencyKey } };
    return kind === "query"
      ? untypedClient.query(procedure, input, { signal })
      : untypedClient.mutation(procedure, input, { signal, ...context });
  }
  const { createTRPCClient, getUntypedClient } = await import("@trpc/client");
  const { links } = await import("@fairlead/client/trpc");
  const headers = { ...pageHeaders, "fairlead-timeout-ms": String(deadlineMs) };
  const alone = getUntypedClient(createTRPCClient({ links: links({ url: location.origin, headers, retry: false }) }));
  return kind === "query" ? alone.query(procedure, input, { signal }) : alone.mutation(procedure, input, { signal });
};

const dataIn = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "data" in value ? value.data : value;
