/**
 * The output of a call as an MCP tool result: `structuredContent`, and one short text that is the bare value, or its JSON where that could be read as another
 * value. Pure.
 *
 * Not here: calls that fail (`refused-result.ts`).
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { readMember } from "../../call/record.ts";
import { errorBytes } from "../../limits/fit.ts";

/** Where a tool result and a protocol error carry the envelope. */
export const errorKey = "fairlead/error";

/** Most messages that a client may send at once. */
export const largestBatch = 20;
/** Bytes around a result or an error: the message with the longest id, and the framing of events. */
const around = 384;

/** Bytes that a result or an error may have when so many can be in one reply. */
export const answerBytes = (messages: number): number => errorBytes(messages) - around;

interface ResultOptions {
  /** Whether the value goes out as `{ value }`, because it is not an object. */
  readonly wrapped: boolean;
  /** True where a text is written as JSON, since the output may be something else that reads the same: `null`, `4523`. */
  readonly quoted?: boolean | undefined;
}

/**
 * An output that is a tool result already: it goes out as received, with the content that every client wants. Its maker answers for it,
 * but not for the kind of answer: each protocol era has its own form for that.
 */
export const passedResult = (value: unknown): CallToolResult => {
  const { resultType: _, ...result } = asObject(value);
  return ("content" in result ? result : { ...result, content: [] }) as CallToolResult;
};

/** True when a tool's output is a text and nothing else, by the schema that MCP lists of it. */
export const isTextOnly = ({ outputSchema }: Readonly<Record<string, unknown>>): boolean => {
  const value = readMember(readMember(outputSchema, "properties"), "value");
  return readMember(value, "type") === "string";
};

export const toolResult = (value: unknown, { wrapped, quoted = false }: ResultOptions): CallToolResult => ({
  content: [{ type: "text", text: typeof value === "string" && !quoted ? value : JSON.stringify(value) }],
  structuredContent: wrapped ? { value } : asObject(value),
});

/** Dispatch has checked the output; what is not wrapped is an object by its schema. */
const asObject = (value: unknown): Record<string, unknown> => value as Record<string, unknown>;
