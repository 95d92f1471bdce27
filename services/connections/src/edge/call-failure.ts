/** A call of an upstream's tool, and how it can fail. */
import type { Progress } from "@fairlead/kernel/service";
import type { Fault } from "../core/fault.ts";

export interface CallParts {
  /** The upstream's own name of the tool. */
  readonly tool: string;
  /** Passed on as it is. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Goes along: trace context. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type CallTrouble =
  /** The way to the upstream broke. `sent`: the call may have arrived. */
  | { readonly kind: "transport"; readonly fault: Fault; readonly sent: boolean }
  /** The upstream answered with a JSON-RPC error. */
  | { readonly kind: "answer"; readonly code: number; readonly message: string };

export class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly trouble: CallTrouble;

  constructor(trouble: CallTrouble) {
    super(trouble.kind === "transport" ? trouble.fault.message : trouble.message);
    this.trouble = trouble;
  }
}
