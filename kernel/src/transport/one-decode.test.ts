/**
 * Every call decodes its input exactly once, by whatever way it comes: dispatch does it, transports hand the raw input on. Counted
 * by a refinement of the input's schema.
 */
import { beforeEach, expect, test } from "vitest";
import { connect } from "../call/memory-transport.ts";
import { call, initialize, rpc, send as sendMcp } from "../testing/mcp-fake-client.ts";
import { decodes, post, send, startFixture } from "../testing/wire-fixture.ts";

beforeEach(() => {
  decodes.inputs.length = 0;
});

const ways = [
  ["memory", async ({ surroundings }) => connect(surroundings.dispatch).call("wire.counted", { n: 1 })],
  ["HTTP, query string", async ({ port }) => send(port, { path: "/api/wire/counted?n=1" })],
  [
    "HTTP, events",
    async ({ port }) => send(port, { path: "/api/wire/counted?n=1", headers: { accept: "text/event-stream" } }),
  ],
  ["tRPC, by GET", async ({ port }) => send(port, { path: "/trpc/wire.counted?input=%7B%22n%22%3A1%7D" })],
  ["tRPC, by POST", async ({ port }) => post(port, "/trpc/wire.counted", '{"n":1}')],
  ["tRPC, a batch of one", async ({ port }) => post(port, "/trpc/wire.counted?batch=1", '{"0":{"n":1}}')],
  ["MCP, stateless", async ({ url }) => (await call(url, "counted", { n: 1 })).text()],
  [
    "MCP, in a session",
    async ({ url }) => {
      const { headers } = await initialize(url, "2025-11-25");
      return (await sendMcp(url, rpc("tools/call", { name: "counted", arguments: { n: 1 } }), { headers })).text();
    },
  ],
] as const satisfies readonly (readonly [
  string,
  (fixture: Awaited<ReturnType<typeof startFixture>>) => Promise<unknown>,
])[];

test.each(ways)("%s", async (_, run) => {
  const fixture = await startFixture();
  try {
    expect(JSON.stringify(await run(fixture))).toContain("41");
    expect(decodes.inputs).toEqual([{ n: 1 }]);
  } finally {
    await fixture.close();
  }
});
