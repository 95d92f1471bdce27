/** The suite over `fairlead/handler`, behind a server that knows nothing but requests and responses. */
import { once } from "node:events";
import { connect } from "node:net";
import { makeLog } from "@fairlead/kernel";
import { type Handler, handler } from "@fairlead/kernel/handler";
import { afterAll, beforeAll, expect, test } from "vitest";
// @boundaries-ignore the examples are what is tested
import { serveWeb, type WebServer } from "../../examples/app/node.ts";
import { handlerWires } from "./handler-wires.ts";
import manifest from "./project/gen/manifest.ts";
import probe from "./project/services/probe.service.ts";
import { testWires } from "./suite.ts";

/** The quick tier has those that are farthest from each other. */
const sampled = new Set(["TypeScript client", "tRPC", "MCP 2025-11-25 over HTTP"]);
const inLongTier = process.env.TESTS_TIER === "long";

let answer: Handler;
let server: WebServer;
beforeAll(async () => {
  const log = makeLog({ level: "error", write: () => {} });
  answer = handler(manifest, [probe], { anyone: true, env: {}, log });
  server = await serveWeb(answer);
});
afterAll(async () => {
  await server.close();
  await answer.close();
});

testWires(handlerWires(() => server.url).filter(({ name }) => inLongTier || sampled.has(name)));

test("who sends a whole body first reads the refusal, however large the body is", async () => {
  const { host, port } = new URL(server.url);
  const size = 20_000_000;
  const socket = connect(Number(port), "127.0.0.1").setEncoding("utf8").pause();
  await once(socket, "connect");
  socket.write(`POST /api/probe/none HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${size}\r\n\r\n`);
  await new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.write(Buffer.alloc(size, 32), resolve);
  });
  const [text] = await once(socket.resume(), "data");
  expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
  socket.destroy();
});
