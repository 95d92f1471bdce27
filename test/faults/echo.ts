/** A mark in every position of a request that a caller can fill, on every transport: what of it comes back in a refusal. */

/** No text of ours, and in the form of a name. */
export const mark = "QZMARKERQZ";

export interface MarkedRequest {
  /** Where the mark is. */
  readonly place: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const json = { "content-type": "application/json" };
const rpcHeaders = { ...json, accept: "application/json, text/event-stream" };
const post = (place: string, path: string, body: unknown, headers: MarkedRequest["headers"] = json): MarkedRequest => ({
  place,
  path,
  method: "POST",
  headers,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** Inputs of `rules.resolveAttack`, each wrong in a way of its own. */
const inputs: Readonly<Record<string, unknown>> = {
  "an unknown member": { [mark]: 1 },
  "a value": { game: mark, intent: [mark], seed: mark },
  "a member inside": { game: { [mark]: { [mark]: mark } }, intent: { [mark]: [mark] } },
  "a member named twice": `{"${mark}":1,"${mark}":2}`,
  "deep nesting": `{"${mark}":${"[".repeat(100)}${"]".repeat(100)}}`,
  "no JSON": `{"${mark}":${mark}`,
  "a prototype": `{"${mark}":{"__proto__":"${mark}"}}`,
  "a long text": `{"${mark}":"${"x".repeat(1_048_500)}"}`,
  "a text alone": JSON.stringify(mark),
};

const headerNames = [
  "idempotency-key",
  "fairlead-timeout-ms",
  "fairlead-idempotency-keys",
  "traceparent",
  "origin",
  "host",
  "accept",
  "content-type",
  "last-event-id",
  "authorization",
  "mcp-session-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "trpc-accept",
  "x-http-method",
];

const plain = (): readonly MarkedRequest[] => [
  ...Object.entries(inputs).flatMap(([place, input]) => [
    post(`${place}, over HTTP`, "/api/rules/resolveAttack", input),
    post(`${place}, over tRPC`, "/trpc/rules.resolveAttack", input),
    post(`${place}, in a batch`, "/trpc/rules.resolveAttack,kernel.info?batch=1", { 0: input, 1: { service: mark } }),
  ]),
  ...["/api/X/x", "/api/rules/X", "/X", "/schema/X.json", "/api/kernel/services?X=X", "/api/kernel/info?service=X"]
    .concat(["/api/kernel/stats?service=X", "/api/kernel/describe?service=kernel&procedure=X", "/mcp/X"])
    .concat(["/trpc/X.x", "/trpc/X", "/trpc/X,rules.X?batch=1&input=%7B%7D", "/trpc/kernel.info?input=X"])
    .concat(["/trpc/kernel.info?input=%7B%22service%22%3A%22X%22%7D", "/trpc/kernel.info?input=%7B%22X%22%3A1%7D"])
    .map((path) => ({ place: `the URL ${path}`, path: path.replaceAll("X", mark) })),
  { place: "the path of an event stream", path: `/trpc/${mark}.x`, headers: { accept: "text/event-stream" } },
  post("a service to restart", "/api/kernel/restart", { service: mark }),
  ...headerNames.flatMap((name) => [
    post(`the header ${name} over HTTP`, "/api/rules/resolveAttack", {}, { ...json, [name]: mark }),
    post(`the header ${name} over tRPC`, "/trpc/rules.resolveAttack", {}, { ...json, [name]: mark }),
    post(
      `the header ${name} over MCP`,
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { ...rpcHeaders, [name]: mark },
    ),
  ]),
];

const tool = "rules_resolve_attack";

/** `method` and `params` of messages that each have the mark somewhere. */
const messages: readonly (readonly [method: string, params: unknown])[] = [
  [mark, {}],
  ["tools/call", { name: mark, arguments: {} }],
  ["tools/call", { name: tool, arguments: { [mark]: mark } }],
  ["tools/call", { [mark]: mark }],
  ["tools/call", { name: { [mark]: 1 }, arguments: mark }],
  ["tools/call", { name: tool, arguments: {}, _meta: { progressToken: { [mark]: 1 }, [mark]: mark } }],
  [
    "tools/call",
    { name: tool, arguments: {}, _meta: { "fairlead/timeoutMs": mark, "fairlead/idempotencyKey": `${mark} ` } },
  ],
  ["tools/list", { cursor: { [mark]: mark } }],
  ["tools/list", mark],
  ["logging/setLevel", { level: mark }],
  ["completion/complete", { ref: { type: mark } }],
  ["resources/read", { uri: mark }],
  ["server/discover", { [mark]: mark }],
  ["subscriptions/listen", { [mark]: mark }],
  ["initialize", { protocolVersion: 5, [mark]: mark, capabilities: mark }],
];

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const inSession = (session: string): readonly MarkedRequest[] =>
  messages.map(([method, params]) =>
    post(
      `${method} ${JSON.stringify(params)} in a session`,
      "/mcp",
      { jsonrpc: "2.0", id: 2, method, params },
      {
        ...rpcHeaders,
        "mcp-session-id": session,
        "mcp-protocol-version": "2025-11-25",
      },
    ),
  );

const stateless: readonly MarkedRequest[] = messages.flatMap(([method, params]) =>
  typeof params !== "object" || params === null
    ? []
    : [true, false].map((isNamed) => {
        const { _meta: more, ...rest } = params as { readonly _meta?: object; readonly name?: unknown };
        const body = { jsonrpc: "2.0", id: 3, method, params: { ...rest, _meta: { ...envelope, ...more } } };
        const name = isNamed && typeof rest.name === "string" ? { "mcp-name": rest.name } : {};
        const headers = {
          ...rpcHeaders,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": isNamed ? method : mark,
          ...name,
        };
        return post(`${method} ${JSON.stringify(params)} without a session`, "/mcp", body, headers);
      }),
);

/** `session`: an open MCP session of 2025-11-25. */
export const markedRequests = (session: string): readonly MarkedRequest[] => [
  ...plain(),
  ...inSession(session),
  ...stateless,
];

/** Opens such a session. */
export const openSession = async (url: string): Promise<string> => {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const answer = await fetch(`${url}/mcp`, { method: "POST", headers: rpcHeaders, body });
  await answer.text();
  return answer.headers.get("mcp-session-id") ?? "";
};
