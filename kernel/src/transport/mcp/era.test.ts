/** The choice of the leg, held against the SDK's own. */
import { isLegacyRequest, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { detectEra } from "./era.ts";

const key = fc.constantFrom("jsonrpc", "id", "method", "params", "_meta", "result", "error", PROTOCOL_VERSION_META_KEY);
const word = fc.constantFrom(
  "2.0",
  "initialize",
  "tools/call",
  "notifications/initialized",
  "2026-07-28",
  "2025-11-25",
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.integer(),
    fc.constant(null),
    tie("object"),
    fc.array(tie("tree"), { maxLength: 3 }),
  ),
  object: fc.dictionary(key, tie("tree"), { maxKeys: 5 }),
}));
const meta = fc.dictionary(
  fc.constantFrom(PROTOCOL_VERSION_META_KEY, "io.modelcontextprotocol/clientCapabilities"),
  tree,
);
const request = fc.record(
  { jsonrpc: fc.constant("2.0"), id: fc.integer(), method: word, params: fc.record({ _meta: meta }) },
  { requiredKeys: ["jsonrpc"] },
);
const headers = fc.record(
  {
    "mcp-protocol-version": fc.constantFrom("2026-07-28", "2025-11-25", "x"),
    "mcp-method": fc.constantFrom("tools/call", "initialize"),
    "mcp-name": fc.constant("add"),
  },
  { requiredKeys: [] },
);

test("chooses the leg that the SDK would choose", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(request, fc.array(request, { maxLength: 2 }), tree), headers, async (body, sent) => {
      const asked = new Request("http://localhost/mcp", { method: "POST", headers: { ...sent } });
      const legacy = await isLegacyRequest(asked, body ?? null);
      expect(detectEra(sent, body)).toBe(legacy ? "session" : "stateless");
    }),
    { numRuns: 2_000 },
  );
});
