/**
 * A dispatch reply as an MCP tool result. Pure.
 *
 * Success: `structuredContent`, and one short text that is the bare value. Failure: `isError` with a text a model can act on, and
 * the envelope in `_meta`; never `structuredContent`, since clients hold that to the tool's output schema.
 */
import type { WireError } from "@fairlead/contracts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Reply } from "../../call.ts";

/** Where a tool result and a protocol error carry the envelope. */
export const errorKey = "fairlead/error";

/** @param wrapped whether the value goes out as `{ value }`, because it is no object */
export const toolResult = (reply: Reply, wrapped: boolean): CallToolResult =>
  reply.ok ? success(reply.value ?? null, wrapped) : failure(reply.error);

/** A reply that is a tool result already: it goes out as it came. Its maker answers for its shape. */
export const passedResult = (reply: Reply): CallToolResult =>
  reply.ok ? (reply.value as CallToolResult) : failure(reply.error);

const success = (value: unknown, wrapped: boolean): CallToolResult => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
  structuredContent: wrapped ? { value } : asObject(value),
});

/** Dispatch has checked the output; what is not wrapped is an object by its schema. */
const asObject = (value: unknown): Record<string, unknown> => value as Record<string, unknown>;

const failure = (error: WireError): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: errorText(error) }],
  _meta: { [errorKey]: error },
});

/** The error for a reader: what failed, each issue on a line of its own, what to try next. */
export const errorText = ({ message, issues = [], hint }: WireError): string =>
  [
    message,
    ...issues.map(({ path, expected, fix }) => `- ${path === "" ? "input" : path}: expected ${expected}; ${fix}`),
    ...(hint === undefined ? [] : [hint]),
  ].join("\n");
