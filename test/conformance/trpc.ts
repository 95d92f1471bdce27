/** A plain `@trpc/client` with the generated `AppRouter` type. */

import { isWireError } from "@fairlead/contracts";
import rules from "@fairlead/contracts/rules";
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from "@trpc/client";
import { EventSource } from "eventsource";
import type { AppRouter } from "./project/gen/app-router.ts";
import { broken, type OpenWire, type Wire } from "./wire.ts";

interface AnyProcedure {
  query(input: unknown, options: object): Promise<unknown>;
  mutate(input: unknown, options: object): Promise<unknown>;
  subscribe(input: unknown, observer: object): { unsubscribe(): void };
}

const mutations = new Set([
  "probe.pay",
  "probe.wipe",
  ...Object.entries<{ readonly kind: string }>(rules.procedures).flatMap(([name, { kind }]) =>
    kind === "mutation" ? [`rules.${name}`] : [],
  ),
]);

const open =
  (name: string, batch: boolean): OpenWire =>
  async ({ url }): Promise<Wire> => {
    const target = `${url}/trpc`;
    const clientWith = (headers: Record<string, string>) =>
      createTRPCClient<AppRouter>({
        links: [
          splitLink({
            condition: ({ type }) => type === "subscription",
            true: httpSubscriptionLink({ url: target, EventSource }),
            false: batch
              ? httpBatchLink({ url: target, headers, methodOverride: "POST" })
              : httpLink({ url: target, headers, methodOverride: "POST" }),
          }),
        ],
      });
    const member = (client: unknown, procedure: string): AnyProcedure =>
      procedure
        .split(".")
        .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], client) as AnyProcedure;
    return {
      name,
      async call(procedure, input, { signal, timeoutMs, idempotencyKey } = {}) {
        const client = clientWith({
          ...(timeoutMs !== undefined && { "fairlead-timeout-ms": String(timeoutMs) }),
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        });
        const way = mutations.has(procedure) ? "mutate" : "query";
        try {
          return { ok: true, value: await member(client, procedure)[way](input, { signal }) };
        } catch (cause) {
          if (signal?.aborted === true)
            return { ok: false, error: { code: "canceled", message: "aborted here", retryable: false } };
          const error: unknown = cause instanceof TRPCClientError ? cause.data?.error : undefined;
          if (isWireError(error)) return { ok: false, error };
          // A procedure that the generated router does not have is tRPC's own to refuse.
          if (cause instanceof TRPCClientError && cause.data?.code === "NOT_FOUND") {
            return { ok: false, error: { code: "not_found", message: cause.message, retryable: false } };
          }
          throw broken(name, cause instanceof Error ? cause.message : cause);
        }
      },
      subscribe: (procedure, input, take) =>
        new Promise((resolve, reject) => {
          const found: unknown[] = [];
          const done = (): void => {
            running.unsubscribe();
            resolve(found);
          };
          const running = member(clientWith({}), procedure).subscribe(input, {
            onData: ({ data }: { readonly data: unknown }) => {
              if (found.length < take) found.push(data);
              if (found.length === take) done();
            },
            onComplete: done,
            onError: reject,
          });
        }),
      close: async () => {},
    };
  };

export const openTrpc = open("tRPC", false);
export const openTrpcBatch = open("tRPC, batched", true);
