/** What is not a plain answer to a call: the SDK does what is to be done, with the answer that has come. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AuthProvider, JSONRPCMessage } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpClient, type HttpClient } from "../http/http-client.ts";
import { HttpTransport, streamEnded } from "./http-transport.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let web: HttpClient;
let asked: string[];
let answers: Answer[];

beforeEach(async () => {
  asked = [];
  answers = [];
  server = createServer((request, response) => {
    const { "last-event-id": resumed, authorization } = request.headers;
    asked.push([request.method, request.url, resumed, authorization].filter((part) => part !== undefined).join(" "));
    request.resume();
    const answer = answers.shift();
    if (answer === undefined) response.writeHead(500).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  web = createHttpClient({ scope: "anywhere", connectMs: 60_000 });
});
afterEach(() => {
  web.close();
  server.closeAllConnections();
  server.close();
});

const call = { jsonrpc: "2.0" as const, id: 2 ** 30, method: "tools/call", params: { name: "x" } };
const done = { jsonrpc: "2.0", id: call.id, result: { content: [] } };

const open = (authProvider?: AuthProvider): HttpTransport =>
  new HttpTransport(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`), {
    headers: {},
    webs: { own: web, thirdParty: web },
    opening: () => false,
    ...(authProvider !== undefined && { authProvider }),
  });

/** All that comes on a call, until its exchange is over. */
const carried = async (authProvider?: AuthProvider): Promise<readonly JSONRPCMessage[]> => {
  const transport = open(authProvider);
  const messages: JSONRPCMessage[] = [];
  const last = Promise.withResolvers<void>();
  transport.onmessage = (message) => {
    messages.push(message);
    if ("id" in message && message.id === call.id && !("method" in message)) last.resolve();
  };
  await transport.start();
  await transport.sendCall(call, {}).done;
  await last.promise;
  await transport.close();
  return messages;
};

const json =
  (value: unknown): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(value));
const stream =
  (text: string): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
const redirect =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(307, { location }).end();
const event = (message: unknown, id = ""): string => `${id}data: ${JSON.stringify(message)}\n\n`;
const ended = { jsonrpc: "2.0", id: call.id, error: { code: -32_000, message: streamEnded.reason, data: streamEnded } };
const note = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } };

describe("a call", () => {
  it("has what comes in a stream before its answer, and after it", async () => {
    answers = [stream(event(note) + event(done) + event(note))];
    expect(await carried()).toEqual([note, done, note]);
  });

  it("has its answer in a list of messages, and behind a mark of the byte order", async () => {
    answers = [json([note, done])];
    expect(await carried()).toEqual([note, done]);
    answers = [
      (_, response) =>
        void response.writeHead(200, { "content-type": "application/json" }).end(`\uFEFF${JSON.stringify(done)}`),
    ];
    expect(await carried()).toEqual([done]);
  });

  it.each([
    ["a stream without its answer", stream(event(note)), [note, ended]],
    ["a stream of events that are no messages", stream("event: other\ndata: 1\n\ndata: {no\n\n"), [ended]],
    ["a document that is not a message", json("text"), [ended]],
    [
      "a document that is none",
      (_: unknown, to: ServerResponse) => to.setHeader("content-type", "application/json").end("{"),
      [ended],
    ],
    ["an empty list", json([]), [ended]],
  ])("learns that no answer comes by %s", async (_, answer, messages) => {
    answers = [answer];
    expect(await carried()).toEqual(messages);
  });

  it("goes on where its stream was interrupted", async () => {
    answers = [stream(`retry: 10\n${event(note, "id: 7\n")}`), stream(event(done, "id: 8\n"))];
    expect(await carried()).toEqual([note, done]);
    expect(asked).toEqual(["POST /mcp", "GET /mcp 7"]);
  });

  it("goes on where its stream was broken off", async () => {
    answers = [
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`retry: 10\nid: a name\ndata:\n\n${event(note)}`, () => response.socket?.resetAndDestroy());
      },
      stream(event(done)),
    ];
    expect(await carried()).toContainEqual(done);
    expect(asked).toEqual(["POST /mcp", "GET /mcp a name"]);
  });

  it("is broken off where the stream has no names to go on from", async () => {
    answers = [
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(event(note), () => response.socket?.resetAndDestroy());
      },
    ];
    await expect(carried()).rejects.toMatchObject({ name: "RequestError", sent: true });
  });

  it("follows redirects within the origin, three at most, and is sent to each place once", async () => {
    answers = [redirect("/one"), redirect("/two"), redirect("/three"), json(done)];
    expect(await carried()).toEqual([done]);
    expect(asked).toEqual(["POST /mcp", "POST /one", "POST /two", "POST /three"]);
    answers = [redirect("/one"), redirect("/two"), redirect("/three"), redirect("/four")];
    await expect(carried()).rejects.toMatchObject({ code: "EREDIRECT" });
    answers = [redirect("http://localhost:1/")];
    await expect(carried()).rejects.toMatchObject({ status: 307 });
  });

  it("is sent again with the new token after 401, and not a third time", async () => {
    const refuse: Answer = (_, response) => void response.writeHead(401).end();
    let token = "old";
    const renewing: AuthProvider = {
      token: async () => token,
      onUnauthorized: async () => {
        token = "new";
      },
    };
    answers = [refuse, stream(event(done))];
    expect(await carried(renewing)).toEqual([done]);
    expect(asked).toEqual(["POST /mcp Bearer old", "POST /mcp Bearer new"]);
    answers = [refuse, refuse];
    await expect(carried(renewing)).rejects.toMatchObject({ status: 401 });
  });

  it("is where whatever comes with it is handled, whoever used the socket before", async () => {
    const whose = new AsyncLocalStorage<string>();
    const transport = open();
    const heard: string[] = [];
    transport.onmessage = (message) => {
      if ("method" in message) heard.push(`${whose.getStore()}: ${message.method}`);
      else if ("result" in message) heard.push(`${whose.getStore()}: answer`);
    };
    await transport.start();
    for (const name of ["Ada", "Bob"]) {
      answers = [stream(`retry: 1\n${event(note, "id: 1\n")}`), stream(event(note) + event(done))];
      await whose.run(name, () => transport.sendCall(call, {}).done);
      await expect.poll(() => heard).toContain(`${name}: answer`);
      expect(heard.splice(0)).toEqual([`${name}: ${note.method}`, `${name}: ${note.method}`, `${name}: answer`]);
    }
    await transport.close();
  });
});
