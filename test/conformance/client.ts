/** The generated TypeScript client over `fetch`. */
import { ClientError, createClient, fetchTransport } from "@fairlead/client";
import { type RulesTypes, rules } from "@fairlead/client/rules";
import type { WireError } from "@fairlead/contracts";
import { type KernelTypes, kernel } from "./project/gen/kernel.ts";
import { type ProbeTypes, probe } from "./project/gen/probe.ts";
import type { OpenWire } from "./wire.ts";

type AnyCall = (input: unknown, options: object) => Promise<unknown>;
type AnyStream = (input: unknown) => AsyncIterable<unknown>;

export const openClient: OpenWire = async ({ url }) => {
  const transport = fetchTransport({ url });
  const options = { retry: false } as const;
  // Called by name here; the type tests see to its types.
  const services: Record<string, unknown> = {
    probe: createClient<ProbeTypes>(probe, transport, options),
    kernel: createClient<KernelTypes>(kernel, transport, options),
    rules: createClient<RulesTypes>(rules, transport, options),
  };
  const member = (procedure: string): unknown => {
    const [service = "", name = ""] = procedure.split(".");
    return (services[service] as Record<string, unknown> | undefined)?.[name];
  };
  return {
    name: "TypeScript client",
    async call(procedure, input, callOptions = {}) {
      const method = member(procedure);
      if (typeof method !== "function")
        return { ok: false, error: { code: "not_found", message: "not in the client", retryable: false } };
      try {
        return { ok: true, value: await (method as AnyCall)(input, callOptions) };
      } catch (cause) {
        if (cause instanceof ClientError) return { ok: false, error: wireOf(cause) };
        throw cause;
      }
    },
    async subscribe(procedure, input, take) {
      const found: unknown[] = [];
      for await (const item of (member(procedure) as AnyStream)(input)) {
        found.push(item);
        if (found.length === take) break;
      }
      return found;
    },
    close: async () => {},
  };
};

const wireOf = ({
  code,
  reason,
  message,
  hint,
  data,
  issues,
  id,
  retryable,
  retryAfterMs,
}: ClientError): WireError => ({
  code,
  message,
  retryable,
  ...(reason !== undefined && { reason }),
  ...(hint !== undefined && { hint }),
  ...(data !== undefined && { data }),
  ...(issues !== undefined && { issues }),
  ...(id !== undefined && { id }),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
