/**
 * For tests only: raw JSON-RPC over HTTP as clients of both eras send it, so that tests see what is on the wire and not what an
 * SDK makes of it.
 */

export const modern = "2026-07-28";
export const envelope = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface SentMessage {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly signal?: AbortSignal;
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export const send = (
  url: string,
  body: unknown,
  { path = "/mcp", headers = {}, method = "POST", signal }: SentMessage = {},
) =>
  fetch(`${url}${path}`, {
    method,
    headers: { ...json, ...headers },
    ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });

/** The last JSON-RPC message of an answer, whether it came as JSON or as events. */
export const lastMessage = async (response: Response): Promise<Message> => {
  const text = await response.text();
  const events = text.split("\n").filter((line) => line.startsWith("data: "));
  return JSON.parse(events.at(-1)?.slice(6) ?? text);
};

export interface Message {
  readonly id?: unknown;
  readonly result?: Record<string, unknown> & {
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly tools?: readonly { readonly name: string }[];
    readonly _meta?: Record<string, unknown>;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

export const rpc = (method: string, params: Record<string, unknown> = {}, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

export const call = (
  url: string,
  name: string,
  args: unknown = {},
  meta: Record<string, unknown> = {},
  sent: SentMessage = {},
) =>
  send(url, rpc("tools/call", { name, arguments: args, _meta: { ...envelope, ...meta } }), {
    ...sent,
    headers: { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": name, ...sent.headers },
  });

export const list = (url: string, sent: SentMessage = {}) =>
  send(url, rpc("tools/list", { _meta: envelope }), {
    ...sent,
    headers: { "mcp-protocol-version": modern, "mcp-method": "tools/list", ...sent.headers },
  });

export const initialize = async (
  url: string,
  protocolVersion: string,
  sent: SentMessage = {},
  capabilities: object = {},
) => {
  const params = { protocolVersion, capabilities, clientInfo: { name: "test", version: "1" } };
  const response = await send(url, rpc("initialize", params, 0), sent);
  const message = await lastMessage(response);
  const session = response.headers.get("mcp-session-id") ?? "";
  const headers = { ...sent.headers, "mcp-session-id": session, "mcp-protocol-version": protocolVersion };
  return { response, message, session, headers };
};
