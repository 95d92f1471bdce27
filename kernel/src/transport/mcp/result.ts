/**
 * A dispatch reply as an MCP tool result. Pure.
 *
 * Success: `structuredContent`, and one short text that is the bare value, or its JSON where that could be read as another value. Failure: `isError` with a text a model can act on, and
 * the envelope in `_meta`; never `structuredContent`, since clients hold that to the tool's output schema. The envelope has all
 * issues; the text has as many as there is room for beside it.
 */
import type { Issue, WireError } from "@fairlead/contracts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Reply } from "../../call/call.ts";
import { readMember } from "../../call/record.ts";
import { errorBytes, fitted } from "../../limits/fit.ts";

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
  readonly reader: ErrorReader;
}

/** Who reads an error. */
export interface ErrorReader {
  /** How many messages were sent with this call, itself included. */
  readonly messages?: number | undefined;
  /** A text in the words of the client. */
  readonly inToolNames: (text: string) => string;
}

export const toolResult = (reply: Reply, { wrapped, quoted, reader }: ResultOptions): CallToolResult =>
  reply.ok ? success(reply.value ?? null, { wrapped, quoted }) : failure(reply.error, reader);

/**
 * A reply that is a tool result already: it goes out as received, with the content that every client wants. Its maker answers for it,
 * but not for the kind of answer: each protocol era has its own form for that.
 */
export const passedResult = (reply: Reply, reader: ErrorReader): CallToolResult => {
  if (!reply.ok) return failure(reply.error, reader);
  const { resultType: _, ...result } = asObject(reply.value);
  return ("content" in result ? result : { ...result, content: [] }) as CallToolResult;
};

/** True when a tool's output is a text and nothing else, by the schema that MCP lists of it. */
export const isTextOnly = ({ outputSchema }: Readonly<Record<string, unknown>>): boolean => {
  const value = readMember(readMember(outputSchema, "properties"), "value");
  return readMember(value, "type") === "string";
};

const success = (value: unknown, { wrapped, quoted = false }: Omit<ResultOptions, "reader">): CallToolResult => ({
  content: [{ type: "text", text: typeof value === "string" && !quoted ? value : JSON.stringify(value) }],
  structuredContent: wrapped ? { value } : asObject(value),
});

/** Dispatch has checked the output; what is not wrapped is an object by its schema. */
const asObject = (value: unknown): Record<string, unknown> => value as Record<string, unknown>;

const failure = (error: WireError, { messages = 1, inToolNames }: ErrorReader): CallToolResult => {
  const bytes = answerBytes(messages);
  return fitted(error, bytes, (fit) => {
    const room = bytes - jsonBytes(failed("", fit));
    const { message, hint } = fit;
    const words = { ...fit, message: inToolNames(message), ...(hint !== undefined && { hint: inToolNames(hint) }) };
    return failed(errorText(words, room), fit);
  });
};

const failed = (text: string, error: WireError): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text }],
  _meta: { [errorKey]: error },
});

/** The error for a reader: what failed, each issue on a line of its own while there is room, what to try next. */
const errorText = ({ message, issues = [], hint }: WireError, room: number): string => {
  const text = (shown: number): string => {
    const left = issues.length - shown;
    const more = left === 0 ? [] : [`- and ${left} more`];
    return [message, ...issues.slice(0, shown).map(issueLine), ...more, ...(hint === undefined ? [] : [hint])].join(
      "\n",
    );
  };
  for (let shown = issues.length; shown > 0; shown -= 1) {
    const candidate = text(shown);
    if (jsonBytes(candidate) <= room) return candidate;
  }
  return text(0);
};

const issueLine = ({ path, expected, fix }: Issue): string =>
  `- ${path === "" ? "input" : path}: expected ${expected}; ${fix}`;

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
