/** Whoever answers questions: a worker, this process, another process. */
import type { Problem, Reply, Tool } from "./message.ts";

export type Answer =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "defect"; readonly detail: string }
  /** Too many questions came before. */
  | { readonly kind: "busy"; readonly waitedMs: number }
  /** Not reached, or no answer in time. */
  | { readonly kind: "gone"; readonly why: string };

export interface Asker {
  /** Never rejects. */
  ask(tool: Tool, input: unknown, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export const answerOf = (reply: Reply): Answer => {
  if (reply.ok) return { kind: "value", value: reply.value };
  return "problem" in reply ? { kind: "problem", problem: reply.problem } : { kind: "defect", detail: reply.defect };
};
