/**
 * Calls of relayed tools by their own names: what they lead to, and what becomes of a result that says `isError`.
 *
 * MCP clients get such a result as it came. Everybody else called a procedure, and is told of a failure as of any other: by an
 * error, whose exit code, status or exception cannot be overlooked.
 */
import type { WireError } from "@fairlead/contracts";
import type { CallRequest, Reply } from "../call.ts";
import type { Relayed } from "../relays.ts";

/** A call of a relayed tool as the call it leads to. Dispatch decodes that one's input, once. */
export const passedOn = (request: CallRequest, { through, tool }: Relayed): CallRequest => ({
  ...request,
  procedure: through.entry.name,
  input: { tool, arguments: request.input ?? {} },
});

export const asTold = (reply: Reply, { transport }: CallRequest, { through, tool }: Relayed): Reply => {
  if (!reply.ok || transport === "mcp" || !isFailure(reply.value)) return reply;
  const error: WireError = {
    code: "unknown",
    reason: "tool_failed",
    message: textOf(reply.value) || `${tool} says that it has failed`,
    hint: `\`${through.entry.name}\` gives the tool's whole result`,
    retryable: false,
  };
  return { ok: false, error };
};

interface ToolFailure {
  readonly isError: true;
  readonly content?: unknown;
}

const isFailure = (value: unknown): value is ToolFailure =>
  typeof value === "object" && value !== null && "isError" in value && value.isError === true;

const textOf = ({ content }: ToolFailure): string =>
  (Array.isArray(content) ? content : [])
    .flatMap((part: unknown) =>
      typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? [part.text] : [],
    )
    .join("\n");
