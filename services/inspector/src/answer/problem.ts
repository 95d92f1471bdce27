/** Failures as data. */
import { LinqError, QueryError } from "@fairlead/linq";
import type { ExpressionProblem, ToolCall, ToolName, ToolReply } from "../protocol/message.ts";

const parts = { explore: "target", eval: "expr", query: "from" } as const;

/** A failure of the language as data. */
export const toProblem = (error: LinqError, tool: ToolName): ExpressionProblem => ({
  code: error.code,
  message: error.message,
  position: Math.max(0, error.position),
  length: error.length,
  caret: error.caret(),
  part: error instanceof QueryError ? error.part : parts[tool],
  ...(error.hint === undefined ? {} : { hint: error.hint }),
});

/** The reply to a question that failed. Anything but our own error is a defect. */
export const toFailedReply = (error: unknown, { id, tool }: Pick<ToolCall, "id" | "tool">): ToolReply => {
  if (error instanceof LinqError) return { id, ok: false, problem: toProblem(error, tool) };
  return { id, ok: false, defect: error instanceof Error ? (error.stack ?? error.message) : "unknown" };
};
