/** How a client calls itself reaches handlers of both lanes, from both eras, over a real server. */
import { defineContract, query } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { localPrincipal } from "../../call/call.ts";
import { Call } from "../../service/handler.ts";
import { defineService } from "../../service/service.ts";
import { call, envelope, initialize, rpc, send } from "../../testing/mcp-fake-client.ts";
import { start, stopAll } from "../../testing/mcp-fake-server.ts";
import { startFixture } from "../../testing/wire-fixture.ts";

const says = (summary: string) => query({ summary, input: z.object({}), output: z.object({ app: z.string() }) });

const effects = defineContract({
  id: "effects",
  version: "1.0.0",
  summary: "Says who calls, in Effect.",
  procedures: { early: says("Says it at once."), late: says("Says it later.") },
});

const plains = defineContract({
  id: "plains",
  version: "1.0.0",
  summary: "Says who calls.",
  procedures: { now: says("Says it at once."), soon: says("Says it later.") },
});

const services = [
  defineService(effects, {
    handlers: {
      early: () => Effect.map(Call, ({ app = "none" }) => ({ app })),
      late: () =>
        Effect.gen(function* () {
          yield* Effect.yieldNow;
          const { app = "none" } = yield* Call;
          return { app };
        }),
    },
  }),
  defineService(plains, () => ({
    handlers: { now: (_, { app = "none" }) => ({ app }), soon: async (_, { app = "none" }) => ({ app }) },
  })),
];

afterEach(stopAll);

test("a handler of either lane reads it", async () => {
  const { surroundings, close } = await startFixture({ services });
  try {
    for (const procedure of ["effects.early", "effects.late", "plains.now", "plains.soon"]) {
      const call = { procedure, input: {}, principal: localPrincipal, transport: "mcp" } as const;
      const named = await surroundings.dispatch.call({ ...call, app: "codex-mcp-client" });
      expect([procedure, named]).toEqual([procedure, { ok: true, value: { app: "codex-mcp-client" } }]);
      expect(await surroundings.dispatch.call(call)).toEqual({ ok: true, value: { app: "none" } });
    }
  } finally {
    await close();
  }
});

const add = { a: 1, b: 2 };

test("a session's calls have the name of its handshake", async () => {
  const { server, calls } = await start();
  const { headers } = await initialize(server.url, "2025-11-25");
  await send(server.url, rpc("tools/call", { name: "add", arguments: add }), { headers });
  expect(calls.map(({ app }) => app)).toEqual(["test"]);
});

test("a stateless call has the name that it comes with, cut where it is long, or none", async () => {
  const { server, calls } = await start();
  const info = (name: string) => ({ "io.modelcontextprotocol/clientInfo": { name, version: "1" } });
  await call(server.url, "add", add, info("codex-mcp-client"));
  await call(server.url, "add", add, info("x".repeat(500)));
  const { "io.modelcontextprotocol/clientInfo": _, ...anonymous } = envelope;
  await send(server.url, rpc("tools/call", { name: "add", arguments: add, _meta: anonymous }), {
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "add" },
  });
  expect(calls.map(({ app }) => app)).toEqual(["codex-mcp-client", "x".repeat(200), undefined]);
});
