import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { type Fixture, type FixtureOptions, raw } from "../testing/wire-fixture.ts";
import { fixturePerTest } from "../testing/wire-test.ts";
import { bearer } from "./bearer.ts";

const start = fixturePerTest();

const megabyte = Buffer.alloc(1_048_576, 0x20);
const tries = process.env.TESTS_TIER === "long" ? 100 : 3;

interface Upload {
  readonly path: string;
  readonly headers: readonly string[];
  /** Megabytes of body that are sent before a byte of the answer is read. */
  readonly size: number;
  readonly isChunked?: boolean;
}

/** What a client has read in the end that sends all of its body before it reads: most that block do so. */
const upload = ({ port }: Fixture, { path, headers, size, isChunked = false }: Upload): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1").pause();
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    // A reset takes with it what has arrived and was not read.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
    const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${size * megabyte.length}`;
    socket.write(`${[`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, length, ...headers].join("\r\n")}\r\n\r\n`);
    const send = (left: number): void => {
      if (left === 0) {
        if (isChunked) socket.write("0\r\n\r\n");
        socket.resume();
        return;
      }
      if (isChunked) socket.write(`${megabyte.length.toString(16)}\r\n`);
      socket.write(megabyte, () => send(left - 1));
      if (isChunked) socket.write("\r\n");
    };
    send(size);
  });

const json = "Content-Type: application/json";
const sha256 = createHash("sha256").update("slow").digest("hex");
const tokens = [{ name: "slow", sha256, access: ["read" as const], perSecond: 0.001, concurrent: 1 }];
const withTokens: FixtureOptions = { rules: { authenticate: bearer(() => tokens, Date.now) } };

describe("a body that is refused before it has arrived: the whole answer is read", () => {
  test.each<readonly [string, number, Omit<Upload, "size">, FixtureOptions]>([
    ["without a token", 401, { path: "/api/wire/list", headers: [json] }, withTokens],
    ["of a path that is not served", 404, { path: "/api/no/such", headers: [json] }, {}],
    ["announced too large", 413, { path: "/api/wire/small", headers: [json] }, {}],
    ["too large, in chunks", 413, { path: "/api/wire/list", headers: [json], isChunked: true }, {}],
    ["of another type", 415, { path: "/api/wire/list", headers: ["Content-Type: text/plain"] }, {}],
    ["on tRPC", 413, { path: "/trpc/wire.pay", headers: [json] }, {}],
    ["on tRPC, in chunks", 413, { path: "/trpc/wire.pay", headers: [json], isChunked: true }, {}],
    ["on MCP", 413, { path: "/mcp", headers: [json] }, {}],
    ["on MCP, in chunks", 413, { path: "/mcp", headers: [json], isChunked: true }, {}],
    ["that is not HTTP", 400, { path: "/api/wire/list", headers: [json, "Content-Length: 7"] }, {}],
  ])("%s", async (_, status, request, options) => {
    const fixture = await start(options);
    const answers = [];
    for (let each = 0; each < tries; each += 1) answers.push(await upload(fixture, { ...request, size: 8 }));
    for (const answer of answers) {
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head.toLowerCase()).toContain("connection: close");
      expect(body).toHaveLength(Number(/content-length: (\d+)/i.exec(head)?.[1]));
    }
  });

  test("beyond the rate of its principal", async () => {
    const fixture = await start(withTokens);
    const request = { path: "/api/wire/list", headers: [json, "Authorization: Bearer slow"], size: 8 };
    await upload(fixture, request);
    for (let each = 0; each < tries; each += 1) expect(await upload(fixture, request)).toMatch(/^HTTP\/1.1 429 .*}$/s);
  });
});

describe("what is dropped is bounded", () => {
  /** Answered, and told that the connection ends; goes on all the same. */
  const refused = (port: number): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => undefined).once("end", () => resolve(socket));
      const length = "Content-Length: 1000000000";
      socket.resume().write(`POST /api/no/such HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${length}\r\n\r\n`);
    });

  /** Sends until the server has reset the connection. */
  const untilReset = (socket: Socket, part: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      const send = (): void => void socket.write(part, () => setImmediate(send));
      socket.once("close", () => resolve());
      send();
    });

  test("in time", async () => {
    const { port } = await start({ times: { linger: 1, check: 10 } });
    await untilReset(await refused(port), Buffer.of(32));
  });

  test("in bytes", async () => {
    const { port } = await start();
    const client = await refused(port);
    await untilReset(client, megabyte);
    expect(client.bytesWritten).toBeGreaterThan(64 * megabyte.length);
    expect(client.bytesWritten).toBeLessThan(96 * megabyte.length);
  });

  test("by the connections that there may be: one that lingers goes first", async () => {
    const { port } = await start({ limits: { most: 2, perAddress: 2, perPrincipal: 2 } });
    const request = `GET /livez HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const resting = raw(port, request);
    await resting.until((text) => text.startsWith("HTTP/1.1 200"));
    const lingering = await refused(port);
    const third = raw(port, request);
    await third.until((text) => text.startsWith("HTTP/1.1 200"));
    await untilReset(lingering, Buffer.of(32));
    resting.socket.write(request);
    await resting.until((text) => text.split("HTTP/1.1 200").length === 3);
    for (const { socket } of [resting, third]) socket.destroy();
  });
});
