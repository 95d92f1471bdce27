/** A call of an upstream's tool, and how it can fail. */
import type { ClientLog, Progress, Question } from "@fairlead/kernel/service";
import type { ConnectionFault } from "../machine/fault.ts";

export interface ToolCallRequest {
  /** The upstream's own name of the tool. */
  readonly tool: string;
  /** Passed on as it is. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Goes along: trace context. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Asks the caller; left out when it cannot be asked. */
  readonly ask?: ((question: Question) => Promise<unknown>) | undefined;
  /** Where the upstream's log messages go; left out when the caller's client wants none. */
  readonly clientLog?: ClientLog | undefined;
  /** The caller's session or connection, where it has one. */
  readonly client?: string | undefined;
}

export type CallProblem =
  /** The connection to the upstream broke. `sent`: the call may have arrived. */
  | { readonly kind: "transport"; readonly fault: ConnectionFault; readonly sent: boolean }
  /** The upstream wants rights that our token does not give; for this call. */
  | { readonly kind: "scope"; readonly scope: string }
  /** The upstream asks what its caller cannot be asked; the call has begun. */
  | { readonly kind: "question"; readonly message: string }
  /** The upstream answered with a JSON-RPC error. */
  | { readonly kind: "answer"; readonly code: number; readonly message: string };

export class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly problem: CallProblem;

  constructor(problem: CallProblem) {
    super(problemMessage(problem));
    this.problem = problem;
  }
}

const problemMessage = (problem: CallProblem): string => {
  switch (problem.kind) {
    case "transport":
      return problem.fault.message;
    case "scope":
      return `the upstream requires more rights: ${problem.scope}`;
    case "answer":
    case "question":
      return problem.message;
  }
};
