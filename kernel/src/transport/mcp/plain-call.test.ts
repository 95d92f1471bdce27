/** Which calls are plain; everything else is left to the SDK. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { envelope, modern, rpc } from "../../testing/mcp-fake-client.ts";
import { sessionCall, statelessCall } from "./plain-call.ts";

const version = "io.modelcontextprotocol/protocolVersion" as const;
const info = "io.modelcontextprotocol/clientInfo" as const;
const accept = "application/json, text/event-stream";
const params = { name: "add", arguments: { a: 1 } };
const stateless = { ...params, _meta: { ...envelope, "fairlead/timeoutMs": 5 } };
const headers = { accept, "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": "add" };

describe("a plain call", () => {
  test("of a session", () => {
    const call = sessionCall({ accept }, rpc("tools/call", { ...params, _meta: { progressToken: 0, more: 1 } }, 7));
    expect(call).toEqual({ id: 7, name: "add", input: { a: 1 }, meta: { progressToken: 0, more: 1 }, able: undefined });
    expect(sessionCall({ accept, "mcp-protocol-version": "2025-06-18" }, rpc("tools/call", params))).toBeDefined();
  });

  test("of the stateless era, without its envelope", () => {
    const call = statelessCall(headers, rpc("tools/call", stateless));
    expect(call).toEqual({
      id: 1,
      name: "add",
      input: { a: 1 },
      meta: { "fairlead/timeoutMs": 5 },
      able: {},
      app: "test",
    });
  });
});

describe("what is in doubt is left to the SDK", () => {
  test.each([
    ["a batch", [rpc("tools/call", params)]],
    ["a notification", { jsonrpc: "2.0", method: "tools/call", params }],
    ["another method", rpc("tools/list")],
    ["no name", rpc("tools/call", { arguments: {} })],
    ["arguments that are no object", rpc("tools/call", { ...params, arguments: [] })],
    ["an answer to a question", rpc("tools/call", { ...params, requestState: "x" })],
    ["a task", rpc("tools/call", { ...params, task: {} })],
    ["an envelope in a session", rpc("tools/call", stateless)],
    ["an odd progress token", rpc("tools/call", { ...params, _meta: { progressToken: {} } })],
    ["an odd id", rpc("tools/call", params, 1.5)],
    ["more than a message has", { ...rpc("tools/call", params), more: 1 }],
  ])("%s", (_, body) => {
    expect(sessionCall({ accept }, body)).toBeUndefined();
  });

  test.each([
    ["a client that takes no stream", { accept: "application/json" }],
    ["an unknown revision", { accept, "mcp-protocol-version": "2001-01-01" }],
  ])("in a session: %s", (_, odd) => {
    expect(sessionCall(odd, rpc("tools/call", params))).toBeUndefined();
  });

  test.each([
    ["a header that names another tool", { ...headers, "mcp-name": "other" }, stateless],
    ["no header for the name", { ...headers, "mcp-name": undefined }, stateless],
    ["another method in the header", { ...headers, "mcp-method": "tools/list" }, stateless],
    ["a revision that differs", headers, { ...params, _meta: { ...envelope, [version]: "2030-01-01" } }],
    ["no capabilities", headers, { ...params, _meta: { [version]: modern } }],
    ["capabilities with something in them", headers, withAble({ elicitation: { form: { applyDefaults: true } } })],
    ["a client of no name", headers, { ...params, _meta: { ...envelope, [info]: { version: "1" } } }],
    ["no envelope", headers, params],
  ])("stateless: %s", (_, sent, given) => {
    expect(statelessCall(sent, rpc("tools/call", given))).toBeUndefined();
  });
});

test("whatever comes, it throws nothing, and gives back what was sent", () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("2.0", "tools/call", accept));
  const body = fc.record({ jsonrpc: value, id: value, method: value, params: fc.oneof(value, fc.object()) });
  fc.assert(
    fc.property(fc.oneof(value, body), (sent) => {
      expect(sessionCall({ accept }, sent)).toSatisfy(
        (call: ReturnType<typeof sessionCall>) =>
          call === undefined || JSON.stringify(sent).includes(JSON.stringify(call.name)),
      );
      expect(statelessCall(headers, sent)).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

function withAble(able: object): Record<string, unknown> {
  return { ...params, _meta: { ...envelope, "io.modelcontextprotocol/clientCapabilities": able } };
}
