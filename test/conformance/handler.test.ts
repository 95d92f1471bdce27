/** The suite over `fairlead/handler`, behind a server that knows nothing but requests and responses. */
import { makeLog } from "@fairlead/kernel";
import { type Handler, handler } from "@fairlead/kernel/handler";
import { afterAll, beforeAll } from "vitest";
import { handlerWires } from "./handler-wires.ts";
import manifest from "./project/gen/manifest.ts";
import probe from "./project/services/probe.service.ts";
import { testWires } from "./suite.ts";
import { serveWeb, type WebServer } from "./web-server.ts";

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
