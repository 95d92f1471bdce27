/**
 * A handler behind a server of Node's own:
 *
 *     const { url, close } = await serveWeb(answer, 3000);
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface WebServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on loopback; port 0 is one that the system chooses. */
export const serveWeb = async (fetch: (request: Request) => Promise<Response>, port = 0): Promise<WebServer> => {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const controller = new AbortController();
    outgoing.once("close", () => controller.abort());
    const response = await fetch(asRequest(incoming, controller.signal));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(response.body), outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

const asRequest = (incoming: IncomingMessage, signal: AbortSignal): Request => {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = headers["transfer-encoding"] !== undefined || headers["content-length"] !== undefined;
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: given,
    signal,
    ...(hasBody && method !== "GET" && method !== "HEAD" && { body: Readable.toWeb(incoming), duplex: "half" }),
  });
};
