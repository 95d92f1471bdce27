/**
 * A running kernel, over its HTTP API. Where each procedure lives is read from the OpenAPI document that the kernel serves, so
 * that this command can call kernels whose contracts it has never seen.
 */
import { createClient, fetchTransport } from "@fairlead/client";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import type { Reached } from "./connection.ts";
import { notOffered } from "./not-found.ts";
import { type Offered, offeredIn } from "./openapi.ts";
import { relayedTool } from "./relayed-tool.ts";

interface Documents {
  readonly openapi: {
    readonly input: Record<never, never>;
    readonly output: unknown;
    readonly errors: Record<never, never>;
  };
}

const documents = {
  id: "documents",
  procedures: {
    openapi: {
      name: "/openapi.json",
      kind: "query",
      method: "GET",
      path: "/openapi.json",
      encoding: "query",
      retry: "safe",
    },
  },
} as const;

export const reachRemote = (url: string, context: Context): Reached => {
  const token = context.token();
  const transport = fetchTransport({ url, ...(token !== undefined && { token }) });
  let offered: Promise<Offered> | undefined;
  const load = async (): Promise<Offered> => {
    const client = createClient<Documents>(documents, transport, { timeoutMs: 10_000, retry: false });
    const found = offeredIn(await client.openapi({}, { signal: context.io.signal }));
    if (found !== undefined) return found;
    const text = {
      message: `${url} is no Fairlead kernel: its OpenAPI document cannot be read`,
      hint: "correct --url or FAIRLEAD_URL",
    };
    throw new CommandError({ code: "unavailable", exit: 4 }, text);
  };
  return {
    transport,
    procedure: async (name) => {
      offered ??= load();
      const { routes } = await offered;
      const descriptor = routes.get(name) ?? relayedTool(name);
      if (descriptor === undefined) throw notOffered("procedure", name, [...routes.keys()]);
      return descriptor;
    },
    tools: async () => {
      offered ??= load();
      return (await offered).tools;
    },
    close: async () => undefined,
  };
};
