/** What the service and its worker say to each other: plain data only. */
import type { Limits } from "@fairlead/linq/limits";

/** Passed to the worker when it starts. */
export interface WorkerStart {
  readonly seed: number;
  readonly entities: number;
  /** Milliseconds between two ticks of the world; 0 stops it. */
  readonly tickMs: number;
  readonly limits: Limits;
}

export type ToolName = "explore" | "eval" | "query";

export interface ToolCall {
  readonly id: number;
  readonly tool: ToolName;
  readonly input: unknown;
  /** Of the inspector that sends the question; the program's own count where they are lower. */
  readonly limits?: Limits;
}

/** A failure of the language, as data. */
export interface ExpressionProblem {
  readonly code: string;
  readonly message: string;
  readonly position: number;
  readonly length: number;
  readonly caret: string;
  readonly part: string;
  readonly hint?: string;
}

export type ToolReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly problem: ExpressionProblem }
  | { readonly id: number; readonly ok: false; readonly defect: string };

/** What the service asks of its worker: the next slice of a question, which begins with the first one; or to forget it. */
export type WorkerMessage =
  | { readonly kind: "slice"; readonly call: ToolCall; readonly ms: number }
  | { readonly kind: "drop"; readonly id: number };

/** What a worker answers to a slice. */
export type SliceReply = ToolReply | { readonly id: number; readonly isPaused: true };
