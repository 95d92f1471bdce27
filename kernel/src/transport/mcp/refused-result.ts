/**
 * A failed call as an MCP tool result: `isError` with a text a model can act on, and the envelope in `_meta`; never `structuredContent`, since clients hold that
 * to the tool's output schema. The envelope has all issues; the text has as many as there is room for beside it. Pure; loaded for the first error.
 *
 * Not here: results of calls that succeed (`result.ts`).
 */
import type { Issue, WireError } from "@fairlead/contracts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { fitted } from "../../limits/fit.ts";
import { type ClientWords, inClientWords } from "./answer/client-words.ts";
import { answerBytes, errorKey } from "./result.ts";

/** Who reads an error. */
interface ErrorReader {
  /** How many messages were sent with this call, itself included. */
  readonly messages?: number | undefined;
  readonly words: ClientWords;
}

export const refusedResult = (error: WireError, { messages = 1, words }: ErrorReader): CallToolResult => {
  const bytes = answerBytes(messages);
  return fitted(error, bytes, (fit) =>
    failed(errorText(fit, { room: bytes - jsonBytes(failed("", fit)), words }), fit),
  );
};

const failed = (text: string, error: WireError): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text }],
  _meta: { [errorKey]: error },
});

interface TextTerms {
  /** Bytes of JSON. */
  readonly room: number;
  readonly words: ClientWords;
}

/** The error for a reader: what failed, each issue on a line of its own while there is room, what to try next. */
const errorText = ({ message, issues = [], hint }: WireError, { room, words }: TextTerms): string => {
  const text = (shown: number): string => {
    const left = issues.length - shown;
    const more = left === 0 ? [] : [`- and ${left} more`];
    const lines = [message, ...issues.slice(0, shown).map(issueLine), ...more, ...(hint === undefined ? [] : [hint])];
    return inClientWords(lines.join("\n"), words);
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
