/**
 * One call, again and again, over each way there is: in this process, or as HTTP, tRPC and MCP have it on the wire, over kept connections. What comes
 * back is read whole and thrown away; of a failure the code is what counts (`outcome.ts`). No call is repeated, and each has a limit.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { ClientError, createClient, type ProcedureDescriptor, type Transport } from "@fairlead/client";
import type { KernelAddress } from "../kernel/connection.ts";
import type { CallFailure, Send } from "./load.ts";
import { outcomes } from "./outcome.ts";

export const transports = ["http", "trpc", "mcp", "memory"] as const;
export type TransportName = (typeof transports)[number];

interface BenchCall {
  readonly descriptor: ProcedureDescriptor;
  readonly input: unknown;
  /** Its MCP tool; `undefined` where it is none. */
  readonly tool: string | undefined;
  readonly newKey: () => string;
}

interface CallEnds {
  /** Milliseconds that a call may take. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface Sender {
  readonly send: Send;
  close(): void;
}

interface AnyService {
  readonly run: { readonly input: unknown; readonly output: unknown; readonly errors: Record<never, never> };
}

/** In this process, by the same client that others use. */
export const memorySender = (
  transport: Transport,
  { descriptor, input }: BenchCall,
  { limitMs, signal }: CallEnds,
): Sender => {
  const kind = descriptor.kind === "query" ? "query" : "mutation";
  const client = createClient<AnyService>({ id: "bench", procedures: { run: { ...descriptor, kind } } }, transport, {
    retry: false,
  });
  return {
    send: () =>
      client.run(input, { signal, timeoutMs: limitMs }).then(
        () => undefined,
        (error: unknown) =>
          error instanceof ClientError
            ? { code: error.code, isDeclared: error.reason !== undefined }
            : { code: "unknown" },
      ),
    close: () => undefined,
  };
};

interface WireRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Connections are kept, and there are as many as there are calls under way. */
export const wireSender = (
  address: KernelAddress,
  name: Exclude<TransportName, "memory">,
  call: BenchCall,
  { limitMs, signal }: CallEnds,
): Sender => {
  const { hostname, port, protocol, pathname, host } = new URL(address.url);
  const isTls = protocol === "https:";
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const base = pathname.replace(/\/$/, "");
  const make = requests[name](call);
  const where = address.socket === undefined ? { hostname, port } : { socketPath: address.socket };
  const send: Send = () =>
    new Promise((resolve) => {
      const { path, headers, body } = make();
      const end = (failure: CallFailure | undefined): void => {
        clearTimeout(timer);
        resolve(failure);
      };
      const lose = (error: unknown): void =>
        end(signal.aborted ? { code: "canceled" } : { code: "unavailable", detail: systemCode(error) });
      const sending = (isTls ? tlsRequest : request)(
        {
          ...where,
          agent,
          signal,
          method: "POST",
          path: `${base}${path}`,
          headers: {
            host,
            "content-type": "application/json",
            "content-length": Buffer.byteLength(body),
            ...(address.token !== undefined && { authorization: `Bearer ${address.token}` }),
            ...headers,
          },
        },
        (incoming) => {
          readAll(incoming).then((text) => end(outcomes[name](incoming.statusCode ?? 0, text)), lose);
        },
      );
      // Of the whole call: a socket's own timeout starts again with every byte.
      const timer = setTimeout(() => {
        end({ code: "deadline_exceeded" });
        sending.destroy();
      }, limitMs);
      sending.on("error", lose).end(body);
    });
  return { send, close: () => agent.destroy() };
};

const readAll = async (incoming: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const part of incoming.setEncoding("utf8")) text += part;
  return text;
};

/** Like `econnrefused`. */
const systemCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code.toLowerCase()
    : "connection lost";

const keyHeader = ({ descriptor, newKey }: BenchCall): Readonly<Record<string, string>> =>
  descriptor.retry === "keyed" ? { "idempotency-key": newKey() } : {};

const revision = "2026-07-28";

const requests: Readonly<Record<Exclude<TransportName, "memory">, (call: BenchCall) => () => WireRequest>> = {
  http: (call) => {
    const body = JSON.stringify(call.input ?? {});
    return () => ({ path: call.descriptor.path, headers: keyHeader(call), body });
  },
  trpc: (call) => {
    const body = JSON.stringify(call.input ?? {});
    return () => ({ path: `/trpc/${call.descriptor.name}`, headers: keyHeader(call), body });
  },
  mcp: (call) => {
    const { tool = "", input = {}, descriptor, newKey } = call;
    let id = 0;
    const headers = {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": "tools/call",
      "mcp-name": tool,
    };
    return () => {
      id += 1;
      const meta = {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": { name: "fairlead bench", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
        ...(descriptor.retry === "keyed" && { "fairlead/idempotencyKey": newKey() }),
      };
      const params = { name: tool, arguments: input, _meta: meta };
      return { path: "/mcp", headers, body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }) };
    };
  },
};
