/** MCP messages that are wrong, in their arguments or in themselves, and the requests that carry them. */
import fc from "fast-check";
import { hostile, mangled, sample } from "./inputs.ts";
import type { Sent } from "./requests.ts";

const json = { "content-type": "application/json" };

const modern = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": { name: "faults", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The MCP name of a procedure. */
const toolOf = (name: string): string =>
  (name.split(".")[1] ?? "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A call of a tool with a wrong input, in the message of either era. */
export const toolCall: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc
  .tuple(
    sample.chain(({ name, input }) => mangled(input).map((value) => ({ name, value }))),
    fc.boolean(),
  )
  .map(([{ name, value }, isModern]) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: toolOf(name), arguments: value, ...(isModern && { _meta: envelope }) },
  }));

/** A message that is wrong in itself. */
export const badMessage: fc.Arbitrary<unknown> = fc.oneof(
  toolCall.chain((message) => mangled(message)),
  fc.record({ jsonrpc: fc.constantFrom("2.0", "1.0"), id: hostile, method: fc.string(), params: hostile }),
  hostile,
);

const accept = "application/json, text/event-stream";

/** A tool call as its era sends it; only the arguments are wrong. */
export const properCall = (session: string): fc.Arbitrary<Sent> =>
  toolCall.map((message) => {
    const { name, _meta } = Object(message.params);
    const headers =
      _meta === undefined
        ? { "mcp-session-id": session }
        : { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": String(name) };
    return { method: "POST", path: "/mcp", headers: { ...json, accept, ...headers }, body: JSON.stringify(message) };
  });

/** Anything in a message, with any headers. */
export const oddMessage = (session: string): fc.Arbitrary<Sent> =>
  fc
    .tuple(
      fc.oneof(toolCall, badMessage),
      fc.constantFrom("/mcp", "/mcp/target", "/mcp/rules", "/mcp/nothing", "/mcp/target/more"),
      fc.record(
        {
          "mcp-session-id": fc.constantFrom(session, session, "none", "x".repeat(200)),
          "mcp-protocol-version": fc.constantFrom(modern, "2025-11-25", "1999-01-01"),
          "mcp-method": fc.constantFrom("tools/call", "ping"),
          "mcp-name": fc.constantFrom("sum", "nothing"),
          accept: fc.constantFrom(accept, "*/*", "text/html"),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([message, path, headers]) => ({
      method: "POST",
      path,
      headers: { ...json, ...headers },
      body: JSON.stringify(message) ?? "",
    }));
