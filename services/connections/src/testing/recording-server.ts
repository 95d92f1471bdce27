/** An HTTP server that notes every request as it came and answers calls as planned: for tests of what is on the wire. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface RecordedRequest {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What a call is answered with: the messages, in which `ID` stands for its number, and how they are packed. */
export interface Plan {
  readonly messages: readonly unknown[];
  readonly as: "document" | "stream";
}

export interface RecordingServer {
  readonly url: URL;
  plan: Plan | "never";
  /** Of `tools/call` and `notifications/cancelled`. */
  readonly requests: RecordedRequest[];
  /** Calls whose exchange is open. */
  readonly open: () => number;
  close(): Promise<void>;
}

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "peer", version: "1" },
};

export const recordingServer = async (): Promise<RecordingServer> => {
  const requests: RecordedRequest[] = [];
  let open = 0;
  let plan: Plan | "never" = { messages: [], as: "document" };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const { id, method } = (body === "" ? {} : JSON.parse(body)) as { readonly id?: number; readonly method?: string };
    const { host: _, ...headers } = request.headers;
    const document = (value: unknown): void => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(value));
    };
    if (method === "initialize") {
      response.setHeader("mcp-session-id", "a session");
      return document({ jsonrpc: "2.0", id, result: hello });
    }
    if (method === "notifications/cancelled") requests.push({ headers, body });
    if (id === undefined) return void response.writeHead(method === undefined ? 405 : 202).end();
    requests.push({ headers, body });
    open += 1;
    response.once("close", () => {
      open -= 1;
    });
    if (plan === "never") return void response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    const messages = JSON.parse(JSON.stringify(plan.messages).replaceAll('"ID"', String(id))) as readonly unknown[];
    if (plan.as === "document") return document(messages.at(-1));
    response.setHeader("content-type", "text/event-stream");
    response.end(messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    get plan() {
      return plan;
    },
    set plan(next) {
      plan = next;
    },
    requests,
    open: () => open,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
