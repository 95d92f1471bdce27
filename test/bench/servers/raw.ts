/** The limit: `node:http` that parses and answers JSON, with nothing else. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Echo, Peer } from "../payload.ts";

const read = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** `check` stands between parsing and answering; the plain limit checks nothing. */
export const startRaw = async (check: {
  sum(value: unknown): { a: number; b: number };
  echo(value: unknown): Echo;
}): Promise<Peer> => {
  const server = createServer((incoming, response) => {
    void read(incoming).then((text) => {
      const value: unknown = JSON.parse(text);
      const answer = incoming.url === "/sum" ? { sum: check.sum(value).a + check.sum(value).b } : check.echo(value);
      const body = JSON.stringify(answer);
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    wire: (payload) => ({ path: `/${payload}`, body: undefined }),
  };
};

/** The limit of a document that is the same for everybody: the request is parsed, its answer is there. */
export const startRawDocument = async (document: Buffer, wire: Peer["wire"]): Promise<Peer> => {
  const server = createServer((incoming, response) => {
    void read(incoming).then((text) => {
      JSON.parse(text);
      response.writeHead(200, { "content-type": "application/json", "content-length": document.length });
      response.end(document);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, wire };
};
