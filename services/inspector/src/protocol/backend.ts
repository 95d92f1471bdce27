/** What answers calls of the tools: a worker, this process, another process. */
import type { ExpressionProblem, ToolName, ToolReply } from "./message.ts";

export type ToolAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "problem"; readonly problem: ExpressionProblem }
  | { readonly kind: "defect"; readonly detail: string }
  /** Too many questions came before. */
  | { readonly kind: "busy"; readonly waitedMs: number }
  /** Not reached, or no answer in time. */
  | { readonly kind: "gone"; readonly why: string };

export interface ToolBackend {
  /** Never rejects. */
  ask(tool: ToolName, input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export const toAnswer = (reply: ToolReply): ToolAnswer => {
  if (reply.ok) return { kind: "value", value: reply.value };
  return "problem" in reply ? { kind: "problem", problem: reply.problem } : { kind: "defect", detail: reply.defect };
};
