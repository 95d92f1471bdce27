/** A call of an upstream's tool, and how it can fail. */
import type { Progress, Question } from "@fairlead/kernel/service";
import type { Fault } from "../machine/fault.ts";

export interface CallParts {
  /** The upstream's own name of the tool. */
  readonly tool: string;
  /** Passed on as it is. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Goes along: trace context. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Asks whoever makes the call; left out when nobody can be asked. */
  readonly ask?: ((question: Question) => Promise<unknown>) | undefined;
}

export type CallTrouble =
  /** The way to the upstream broke. `sent`: the call may have arrived. */
  | { readonly kind: "transport"; readonly fault: Fault; readonly sent: boolean }
  /** The upstream wants rights that our token does not give; for this call, whatever it allows besides. */
  | { readonly kind: "scope"; readonly scope: string }
  /** The upstream answered with a JSON-RPC error. */
  | { readonly kind: "answer"; readonly code: number; readonly message: string };

export class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly trouble: CallTrouble;

  constructor(trouble: CallTrouble) {
    super(messageOf(trouble));
    this.trouble = trouble;
  }
}

const messageOf = (trouble: CallTrouble): string => {
  switch (trouble.kind) {
    case "transport":
      return trouble.fault.message;
    case "scope":
      return `the upstream wants more rights: ${trouble.scope}`;
    case "answer":
      return trouble.message;
  }
};
