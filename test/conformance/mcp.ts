/** MCP clients of both eras, over HTTP and over a process's stdio. */
import { isWireError } from "@fairlead/contracts";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { broken, type CallOptions, type OpenWire, type Outcome, type Wire } from "./wire.ts";

interface ToolResult {
  readonly structuredContent?: unknown;
  readonly content?: unknown;
  readonly isError?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

type CallTool = (
  params: { name: string; arguments: Record<string, unknown>; _meta: Record<string, unknown> },
  signal?: AbortSignal,
) => Promise<ToolResult>;

const info = { name: "conformance", version: "1.0.0" };
const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

export const openMcpSession: OpenWire = async ({ url }) => {
  const client = new ClientV1(info);
  await client.connect(new HttpV1(new URL(`${url}/mcp`)));
  const call: CallTool = async (params, signal) =>
    (await client.callTool(params, undefined, { ...(signal && { signal }) })) as ToolResult;
  return wire("MCP 2025-11-25 over HTTP", call, () => client.close());
};

export const openMcpStateless: OpenWire = async ({ url }) => {
  const client = new ClientV2(info, modern);
  await client.connect(new HttpV2(new URL(`${url}/mcp`)));
  const call: CallTool = async (params, signal) =>
    (await client.callTool(params, { ...(signal && { signal }) })) as ToolResult;
  return wire("MCP 2026-07-28 over HTTP", call, () => client.close());
};

/** The command that starts an MCP server on stdio. */
export interface StdioCommand {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

export const openStdioSession = async (server: StdioCommand): Promise<Wire> => {
  const client = new ClientV1(info);
  await client.connect(new StdioV1({ ...server, stderr: "ignore" }));
  const call: CallTool = async (params, signal) =>
    (await client.callTool(params, undefined, { ...(signal && { signal }) })) as ToolResult;
  return wire("MCP 2025-11-25 over stdio", call, () => client.close());
};

export const openStdioStateless = async (server: StdioCommand): Promise<Wire> => {
  const client = new ClientV2(info, modern);
  await client.connect(new StdioV2({ ...server, stderr: "ignore" }));
  const call: CallTool = async (params, signal) =>
    (await client.callTool(params, { ...(signal && { signal }) })) as ToolResult;
  return wire("MCP 2026-07-28 over stdio", call, () => client.close());
};

const wire = (name: string, callTool: CallTool, close: () => Promise<void>): Wire => ({
  name,
  async call(procedure, input, { signal, timeoutMs, idempotencyKey }: CallOptions = {}) {
    const params = {
      name: toolName(procedure),
      arguments: input as Record<string, unknown>,
      _meta: {
        ...(timeoutMs !== undefined && { "fairlead/timeoutMs": timeoutMs }),
        ...(idempotencyKey !== undefined && { "fairlead/idempotencyKey": idempotencyKey }),
      },
    };
    try {
      return outcomeOf({ name, procedure }, await callTool(params, signal));
    } catch (cause) {
      if (signal?.aborted === true)
        return { ok: false, error: { code: "canceled", message: "aborted here", retryable: false } };
      // The specification wants a protocol error for a tool that is not there.
      if (cause instanceof Error && "code" in cause && cause.code === -32602) {
        return { ok: false, error: { code: "not_found", message: cause.message, retryable: false } };
      }
      throw cause;
    }
  },
  close,
});

/** Tools that their contract calls by another name than their procedure's. */
const renamed: Readonly<Record<string, string>> = {
  "rules.odds": "rules_odds",
  "rules.roll": "roll_dice",
  "rules.attack": "resolve_attack",
  "rules.skillCheck": "resolve_skill_check",
  "rules.abilityCheck": "resolve_ability_check",
  "rules.savingThrow": "resolve_saving_throw",
  "rules.impossible": "mark_impossible",
  "rules.noCheck": "mark_no_check",
};

const toolName = (procedure: string): string => {
  const own = renamed[procedure];
  if (own !== undefined) return own;
  const [service = "", name = ""] = procedure.split(".");
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return service === "kernel" ? `kernel_${snake}` : snake;
};

/** The structured content, unwrapped, which must agree with the text; of a long answer a model reads a part, and a second text that says so. */
const outcomeOf = (
  { name, procedure }: { readonly name: string; readonly procedure: string },
  { structuredContent, content, isError, _meta }: ToolResult,
): Outcome => {
  const [text, note, ...more] = Array.isArray(content) ? content.map(textOf) : [];
  if (text === undefined || more.length > 0) throw broken(name, content);
  if (isError === true) {
    const error = _meta?.["fairlead/error"];
    // The text is for a model, which has a tool and no procedure.
    if (!isWireError(error) || !text.includes(error.message.replaceAll(procedure, toolName(procedure))))
      throw broken(name, { text, _meta });
    return { ok: false, error };
  }
  if (note?.includes("limitTokens") === true) return { ok: true, value: structuredContent };
  const value = unwrapped(structuredContent, text);
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  if (note !== undefined || text !== shown) throw broken(name, { text, shown });
  return { ok: true, value };
};

const textOf = (block: unknown): string | undefined =>
  typeof block === "object" && block !== null && "text" in block && typeof block.text === "string"
    ? block.text
    : undefined;

/** `{ value }` stands for an output that is not an object; the text, which is the bare value, tells which it is. */
const unwrapped = (structured: unknown, text: string): unknown => {
  const isWrapped = typeof structured === "object" && structured !== null && Object.keys(structured).join() === "value";
  if (!isWrapped) return structured;
  const { value } = structured as { readonly value: unknown };
  return text === (typeof value === "string" ? value : JSON.stringify(value)) ? value : structured;
};
