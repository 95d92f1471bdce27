/**
 * The one error a caller sees. It carries what the kernel sent (code, reason, data, issues, hint) or, when no kernel answered,
 * what this client found out itself, in the same words.
 *
 * Not here: reading errors off a wire (`problem.ts`) and deciding about repeats (`retry.ts`).
 */

/** The sixteen codes that every transport uses. */
export const codes = [
  "canceled",
  "unknown",
  "invalid_argument",
  "deadline_exceeded",
  "not_found",
  "already_exists",
  "permission_denied",
  "resource_exhausted",
  "failed_precondition",
  "aborted",
  "out_of_range",
  "unimplemented",
  "internal",
  "unavailable",
  "data_loss",
  "unauthenticated",
] as const;

/** A code of the closed table; its meaning is the same on every transport. */
export type Code = (typeof codes)[number];

/** One problem of an input: where, what was expected there, how to fix it. */
export interface Issue {
  /** Path from the input's root, like `game.npcs[0].ac`; empty for the input itself. */
  readonly path: string;
  /** What the contract takes there, like `a whole number from 1 to 20`. */
  readonly expected: string;
  /** What to do about it. */
  readonly fix: string;
}

/** An error as it is sent; the same on every transport. */
export interface WireError {
  readonly code: Code;
  /** Name of the declared error, when the contract declares it. */
  readonly reason?: string;
  /** What failed and where, for people. */
  readonly message: string;
  /** The next thing to try, for people. */
  readonly hint?: string;
  /** Data of a declared error. */
  readonly data?: unknown;
  /** For `invalid_argument`: what is wrong with the input, at most 20. */
  readonly issues?: readonly Issue[];
  /** For `internal`: finds the line in the kernel's log. */
  readonly id?: string;
  /** True when the same request can be sent again and may succeed. */
  readonly retryable: boolean;
  /** Milliseconds to wait before trying again, when known. */
  readonly retryAfterMs?: number;
}

/**
 * What a call rejects with. Programs read `code`, or `reason` and `data` of a declared error (`isReason`); people read `message` and `hint`.
 * `unavailable` with `retryable: true` means that a repeat is safe and may succeed.
 */
export class ClientError extends Error implements WireError {
  override readonly name = "ClientError";
  readonly code: Code;
  readonly reason?: string;
  readonly hint?: string;
  readonly data?: unknown;
  readonly issues?: readonly Issue[];
  readonly id?: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** Full name of the procedure that was called. */
  readonly procedure: string;

  constructor(wire: WireError, procedure: string, options?: ErrorOptions) {
    super(wire.message, options);
    this.code = wire.code;
    this.retryable = wire.retryable;
    this.procedure = procedure;
    if (wire.reason !== undefined) this.reason = wire.reason;
    if (wire.hint !== undefined) this.hint = wire.hint;
    if (wire.data !== undefined) this.data = wire.data;
    if (wire.issues !== undefined) this.issues = wire.issues;
    if (wire.id !== undefined) this.id = wire.id;
    if (wire.retryAfterMs !== undefined) this.retryAfterMs = wire.retryAfterMs;
  }
}

/** A value of a typed client that knows its procedure and, in its type, the errors that procedure declares. */
export interface DeclaresErrors<E> {
  readonly procedure: { readonly name: string };
  /** In the type only. */
  readonly errors?: E;
}

/** A `ClientError` known to be one declared error, with its data typed. */
export type ReasonError<R extends string, D> = ClientError & { readonly reason: R; readonly data: D };

/**
 * Whether it is a declared error of a method, by its reason; types its data:
 * `if (isReason(error, rules.resolveAttack, "unknown_target")) error.data.name`.
 */
export const isReason = <E, R extends keyof E & string>(
  error: unknown,
  method: DeclaresErrors<E>,
  reason: R,
): error is ReasonError<R, E[R]> =>
  error instanceof ClientError && error.reason === reason && error.procedure === method.procedure.name;
