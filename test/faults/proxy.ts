/**
 * A proxy that does wrong on purpose: stands in front of a real HTTP upstream and spoils what passes, as a network, a balancer or a
 * server gone mad would. What it spoils can be changed at any time.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type FaultName =
  /** Passes everything on. */
  | "none"
  /** Takes connections and never says a word. */
  | "hole"
  /** Breaks every connection as soon as it is there. */
  | "reset"
  /** Gives a byte now and then, for ever, instead of an answer. */
  | "drip"
  /** Breaks off in the middle of every answer. */
  | "cut"
  | "unauthorized"
  | "forbidden"
  /** Says 404 to whatever names a session, and to everything else without one passes on. */
  | "forgets"
  | "missing"
  | "overloaded"
  /** Answers with a stream of events that are no JSON. */
  | "garbled"
  /** Answers with a page for people. */
  | "page"
  /** Answers every request with a result that it is not the result of. */
  | "nonsense"
  /** Answers every request with an error of its own. */
  | "failing"
  /** Answers with a redirect to somewhere else. */
  | "redirect";

export interface FaultProxy {
  readonly url: string;
  fault: FaultName;
  /** Requests so far. */
  readonly requests: number;
  /** Breaks everything that is open, as a kill does. */
  breakAll(): void;
  /** Stops listening: connections are refused. */
  stop(): Promise<void>;
  /** Listens again at the same place. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** @param upstream address of what stands behind it; its path is kept */
export const faultProxy = async (upstream: string): Promise<FaultProxy> => {
  const behind = new URL(upstream);
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let port = 0;
  let requests = 0;
  let fault: FaultName = "none";

  const server = createServer((request, response) => {
    requests += 1;
    void answer(request, response);
  });
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    if (fault === "reset") socket.resetAndDestroy();
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const end = (status: number, type: string, text: string): void => {
      request.resume();
      response.writeHead(status, { "content-type": type }).end(text);
    };
    switch (fault) {
      case "none":
        return pass(request, response, false);
      case "cut":
        return pass(request, response, true);
      case "hole":
        request.resume();
        return;
      case "reset":
        request.socket.resetAndDestroy();
        return;
      case "drip": {
        request.resume();
        response.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => response.write(":"), 20);
        timers.add(timer);
        response.on("close", () => clearInterval(timer));
        return;
      }
      case "unauthorized":
        return end(401, "text/plain", "who are you?");
      case "forbidden":
        return end(403, "text/plain", "not you");
      case "missing":
        return end(404, "text/plain", "nothing here");
      case "forgets":
        if (request.headers["mcp-session-id"] !== undefined) return end(404, "text/plain", "no such session");
        return pass(request, response, false);
      case "overloaded":
        return end(503, "text/plain", "later");
      case "garbled":
        return end(200, "text/event-stream", "event: message\ndata: {not json\n\n");
      case "page":
        return end(200, "text/html", "<h1>Welcome</h1>");
      case "nonsense":
        return end(200, "application/json", await answerTo(request, { result: { tools: "none" } }));
      case "failing":
        return end(200, "application/json", await answerTo(request, { error: { code: -32_603, message: "oh no" } }));
      case "redirect":
        request.resume();
        response.writeHead(307, { location: "http://127.0.0.1:1/elsewhere" }).end();
    }
  };

  const pass = (request: IncomingMessage, response: ServerResponse, cut: boolean): void => {
    const { method, headers, url } = request;
    const onwards = httpRequest(new URL(url ?? "/", behind), { ...(method !== undefined && { method }), headers });
    onwards.on("error", () => response.destroy());
    onwards.on("response", (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.on("error", () => response.destroy());
      if (!cut) {
        answered.pipe(response);
        return;
      }
      answered.once("data", (chunk: Buffer) => {
        response.write(chunk.subarray(0, Math.floor(chunk.length / 2)), () => response.socket?.resetAndDestroy());
      });
    });
    response.on("close", () => onwards.destroy());
    request.pipe(onwards);
  };

  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  const breakAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    breakAll();
    await closed;
  };

  await listen();
  port = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${port}${behind.pathname}`,
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
    },
    get requests() {
      return requests;
    },
    breakAll,
    stop,
    start: listen,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await stop();
    },
  };
};

const answerTo = async (request: IncomingMessage, answer: object): Promise<string> => {
  const { id = null } = Object(JSON.parse((await textOf(request)) || "{}"));
  return JSON.stringify({ jsonrpc: "2.0", id, ...answer });
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
};
