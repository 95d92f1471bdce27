/**
 * Callers that send what nobody else sends and give back the text of what they got, one for each way in. Their message ids are the
 * same for all, so that a server which mixes replies up by id is found out.
 */
export interface Ask {
  readonly procedure: "echo" | "refuse" | "follow";
  readonly canary: string;
  /** How often others go first. */
  readonly turns: number;
}

export interface Caller {
  ask(ask: Ask): Promise<string>;
}

export type OpenCaller = (url: string) => Promise<Caller>;

const accept = "application/json, text/event-stream";

const post = async (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept, ...headers },
    body: JSON.stringify(body),
  });

const inputOf = ({ procedure, canary, turns }: Ask): object =>
  procedure === "follow" ? { canary } : { canary, turns };

/** Plain HTTP; a subscription is read to its end. */
const overHttp: OpenCaller = async (url) => ({
  ask: async (ask) => (await post(`${url}/api/target/${ask.procedure}`, inputOf(ask))).text(),
});

const overTrpc: OpenCaller = async (url) => ({
  ask: async (ask) =>
    ask.procedure === "follow"
      ? (await fetch(`${url}/trpc/target.follow?input=${encodeURIComponent(JSON.stringify(inputOf(ask)))}`)).text()
      : (await post(`${url}/trpc/target.${ask.procedure}`, inputOf(ask))).text(),
});

/** Three calls in one request, all of them this caller's. */
const overTrpcBatch: OpenCaller = async (url) => ({
  ask: async (ask) => {
    const inputs = { 0: inputOf(ask), 1: inputOf(ask), 2: inputOf(ask) };
    return (await post(`${url}/trpc/target.echo,target.refuse,target.echo?batch=1`, inputs)).text();
  },
});

const overMcpSession: OpenCaller = async (url) => {
  const opened = await post(`${url}/mcp`, {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "canary", version: "1" } },
  });
  await opened.text();
  const headers = {
    "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  await (await post(`${url}/mcp`, { jsonrpc: "2.0", method: "notifications/initialized" }, headers)).text();
  const messageOf = (ask: Ask) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: ask.procedure, arguments: inputOf(ask) },
  });
  return { ask: async (ask) => (await post(`${url}/mcp`, messageOf(ask), headers)).text() };
};

/** Calls a tool in the 2026-07-28 era. */
export const callTool = (url: string, name: string, input: object = {}): Promise<Response> =>
  post(
    `${url}/mcp`,
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input, _meta: envelope } },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
  );

const overMcpStateless: OpenCaller = async (url) => ({
  ask: async (ask) => (await callTool(url, ask.procedure, inputOf(ask))).text(),
});

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "canary", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export interface Way {
  readonly name: string;
  readonly open: OpenCaller;
  /** Whether subscriptions travel this way. */
  readonly streams: boolean;
}

export const ways: readonly Way[] = [
  { name: "HTTP", open: overHttp, streams: true },
  { name: "tRPC", open: overTrpc, streams: true },
  { name: "tRPC, batched", open: overTrpcBatch, streams: false },
  { name: "MCP 2025-11-25", open: overMcpSession, streams: false },
  { name: "MCP 2026-07-28", open: overMcpStateless, streams: false },
];
