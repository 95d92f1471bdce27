/**
 * Sends requests over a few kept connections and says what came back. A subscription is read no further than its head, since it has
 * no end; what MCP streams in answer to a POST has one.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import type { Sent } from "./requests.ts";

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface Sender {
  send(sent: Sent): Promise<Answer>;
  close(): void;
}

/** Milliseconds until a request counts as never answered. */
const patience = 120_000;

export const openSender = (port: number, connections: number): Sender => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const once = ({ method, path, headers, body }: Sent): Promise<Answer | "try again"> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: "127.0.0.1", port, agent, method, path, headers }, (incoming) =>
        read(incoming, method === "POST" && path.startsWith("/mcp")).then(resolve, reject),
      );
      // An upgrade is answered like any other request, or not at all.
      outgoing.on("upgrade", (_, socket) => {
        socket.destroy();
        reject(new Error(`${method} ${path} was upgraded`));
      });
      outgoing.setTimeout(patience, () => outgoing.destroy(new Error(`${method} ${path} was not answered`)));
      outgoing.once("error", (cause: NodeJS.ErrnoException) => {
        // The server closed a kept connection while this request was on its way: not an answer, and nothing wrong.
        if (outgoing.reusedSocket && (cause.code === "ECONNRESET" || cause.code === "EPIPE")) resolve("try again");
        else reject(new Error(`${method} ${path}: ${cause.message}`, { cause }));
      });
      outgoing.end(body);
    });
  return {
    send: async (sent) => {
      for (;;) {
        const answer = await once(sent);
        if (answer !== "try again") return answer;
      }
    },
    close: () => agent.destroy(),
  };
};

const read = async (incoming: IncomingMessage, hasEnd: boolean): Promise<Answer> => {
  const status = incoming.statusCode ?? 0;
  const type = incoming.headers["content-type"] ?? "";
  if (type.startsWith("text/event-stream") && !hasEnd) {
    incoming.on("error", () => undefined).destroy();
    return { status, type, text: "" };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return { status, type, text: Buffer.concat(chunks).toString() };
};
