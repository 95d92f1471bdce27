/** Connections that a process gives on: what may hold a place at it, and what goes over. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { afterEach, expect, test } from "vitest";
import { makeServer } from "../server.ts";
import { Elsewhere } from "./elsewhere.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

const most = 4;
const accepted = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
const handshake = (path: string, more = ""): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n${more}\r\n`;

/** A server whose WebSockets are another process's, which is played by `answer`. */
const open = async (answer: (socket: Socket, request: Buffer) => void, isKnown = false) => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-else-"));
  const path = join(folder, "kernel.sock");
  const others = new Set<Socket>();
  const kernel = createServer((socket) => {
    others.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (request) => answer(socket, request));
  }).listen(path);
  await once(kernel, "listening");
  const elsewhere = new Elsewhere(path);
  const server = makeServer({
    mounts: [],
    rules: { hosts: [], origins: [], authenticate: () => undefined },
    log: () => undefined,
    limits: { most },
    elsewhere: {
      forward: () => undefined,
      mayJoin: (url) => url === "/sockets",
      join: (given, joined) => elsewhere.join(given, isKnown, joined),
    },
  });
  const { port } = await Effect.runPromise(server.listen({ port: 0, host: "127.0.0.1" }));
  cleanups.push(() => {
    for (const socket of others) socket.destroy();
    kernel.close();
    rmSync(folder, { recursive: true, force: true });
    return Effect.runPromise(server.close);
  });
  return (text: string): Socket => {
    const client = connect(port, "127.0.0.1");
    cleanups.push(() => client.destroy());
    client.on("error", () => undefined);
    client.write(text, "latin1");
    return client;
  };
};

/** Once it has closed, by a reset as well. */
const ended = (client: Socket): Promise<void> =>
  new Promise((resolve) => {
    client.once("close", () => resolve());
  });

const answerOf = async (client: Socket): Promise<string> => String((await once(client, "data"))[0]);

test("refuses a WebSocket where there can be none as any other request", async () => {
  const ask = await open(() => expect.fail("it went on"));
  expect(await answerOf(ask(handshake("/nothing")))).toMatch(/^HTTP\/1\.1 403 /);
});

test.each([
  ["has been switched for an unknown caller", accepted, false, true],
  ["has been switched for a known caller", accepted, true, false],
])("a connection that %s makes way where there are too many: %s", async (_, text, isKnown, makesWay) => {
  const ask = await open((socket) => void socket.write(text), isKnown);
  const held = [];
  for (let at = 0; at < most; at += 1) {
    const client = ask(handshake("/sockets"));
    held.push(client);
    expect(await answerOf(client)).toBe(text);
  }
  const next = ask("GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const got = await Promise.race([answerOf(next).catch(() => "reset"), ended(next).then(() => "reset")]);
  expect(got.startsWith("HTTP/1.1 403 ")).toBe(makesWay);
});

test("a connection keeps its place from the first message to it on", async () => {
  let isAsked = false;
  const ask = await open((socket) => {
    // A ping, then a message of text.
    if (isAsked) socket.write(Buffer.from([0x81, 0x01, 0x78]));
    else socket.write(accepted);
  });
  const held = [];
  for (let at = 0; at < most; at += 1) {
    isAsked = false;
    const client = ask(handshake("/sockets"));
    held.push(client);
    await answerOf(client);
    isAsked = true;
    client.write("a message");
    await answerOf(client);
  }
  const next = ask("GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await ended(next);
  expect(held.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
});

test("a connection that is refused ends after that answer, whatever is sent after it", async () => {
  const requests: string[] = [];
  const ask = await open((socket, request) => {
    requests.push(String(request));
    socket.write("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    socket.once("end", () => socket.end());
  });
  const client = ask(handshake("/sockets"));
  const closed = ended(client);
  expect(await answerOf(client)).toMatch(/^HTTP\/1\.1 404 /);
  client.write(handshake("/sockets"));
  await closed;
  expect(requests).toHaveLength(1);
});

test("headers go over byte by byte", async () => {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const ask = await open((_, request) => resolve(request));
  ask(handshake("/sockets", "x-name: \xe9\r\n"));
  expect((await promise).toString("latin1")).toContain("x-name: \xe9\r\n");
});
