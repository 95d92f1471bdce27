/**
 * The one error model: the envelope that crosses every wire, the class that carries it inside a process, and how a contract
 * declares errors of its own.
 *
 * Programs read `code`, `reason` and `data`. People read `message` (what failed, where) and `hint` (what to do next).
 * Not here: turning failures into envelopes (the kernel's `from`).
 */
import { type Code, isCode } from "./code.ts";
import { checkDefinition, errorShape } from "./definition-check.ts";
import type { Schema, SchemaOutput } from "./schema/schema.ts";

/** One thing wrong with an input: where it is, what was expected there, and how to fix it. Never the value that was sent. */
export interface Issue {
  /** Path of the field from the input's root, like `game.npcs[0].ac`; empty for the input itself. */
  readonly path: string;
  /** What the contract expects at that path. */
  readonly expected: string;
  /** How to fix it, as an instruction. */
  readonly fix: string;
}

/** An error as it is sent: plain JSON, the same on every transport. */
export interface WireError {
  /** Closed set; see `codes`. */
  readonly code: Code;
  /** Name of the declared error, when the contract declares it. Absent for infrastructure errors. */
  readonly reason?: string;
  /** What failed and where, for people. */
  readonly message: string;
  /** The next thing to try, for people. */
  readonly hint?: string;
  /** Data of a declared error, as its schema says. */
  readonly data?: unknown;
  /** For `invalid_argument`: at most 20 issues, at most 4 KB; the first alone for an input of more than 10,000 values. */
  readonly issues?: readonly Issue[];
  /** For `internal`: finds the line in the kernel's log. */
  readonly id?: string;
  /** True when the same request can be sent again and may succeed. */
  readonly retryable: boolean;
  /** Milliseconds to wait before trying again, when known. */
  readonly retryAfterMs?: number;
}

/** A failure inside a process, carrying its wire form. The cause stays here and is never sent. */
export class FairleadError extends Error implements WireError {
  override readonly name = "FairleadError";
  readonly code: Code;
  readonly reason?: string;
  readonly hint?: string;
  readonly data?: unknown;
  readonly issues?: readonly Issue[];
  readonly id?: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;

  constructor(wire: Omit<WireError, "retryable"> & { readonly retryable?: boolean }, options?: ErrorOptions) {
    super(wire.message, options);
    this.code = wire.code;
    this.retryable = wire.retryable ?? false;
    if (wire.reason !== undefined) this.reason = wire.reason;
    if (wire.hint !== undefined) this.hint = wire.hint;
    if (wire.data !== undefined) this.data = wire.data;
    if (wire.issues !== undefined) this.issues = wire.issues;
    if (wire.id !== undefined) this.id = wire.id;
    if (wire.retryAfterMs !== undefined) this.retryAfterMs = wire.retryAfterMs;
  }

  /** The envelope to send: fields in a fixed order, absent ones left out. */
  toJSON(): WireError {
    return {
      code: this.code,
      ...(this.reason !== undefined && { reason: this.reason }),
      message: this.message,
      ...(this.hint !== undefined && { hint: this.hint }),
      ...(this.data !== undefined && { data: this.data }),
      ...(this.issues !== undefined && { issues: this.issues }),
      ...(this.id !== undefined && { id: this.id }),
      retryable: this.retryable,
      ...(this.retryAfterMs !== undefined && { retryAfterMs: this.retryAfterMs }),
    };
  }
}

/** True for an object that has the shape of an envelope; used by clients on what they receive. */
export const isWireError = (value: unknown): value is WireError =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  isCode(value.code) &&
  "message" in value &&
  typeof value.message === "string";

/** An error that a procedure declares: when it happens, and the typed data that comes with it. */
export interface ErrorDeclaration<D extends Schema | undefined = Schema | undefined> {
  /** The infrastructure code it belongs to; gives it its status on every wire. */
  readonly code: Code;
  /** When it happens, as a sentence for the documentation. */
  readonly when: string;
  /** Schema of its data; left out when the reason says everything. */
  readonly data?: D;
  /** What the caller can do about it. */
  readonly hint?: string;
}

/** Declares an error. The name it gets in `errors` is its stable `reason`. */
export const error = <const D extends Schema | undefined = undefined>(
  declaration: ErrorDeclaration<D>,
): ErrorDeclaration<D> => checkDefinition("error", declaration, errorShape);

/** The errors that a procedure declares, by their reasons. */
export type ErrorMap = Readonly<Record<string, ErrorDeclaration>>;

/** The data of a declared error, or `undefined` when it declares none. "None" widens to any schema at all where it is inferred. */
export type ErrorData<E> = E extends ErrorDeclaration
  ? [Schema] extends [NonNullable<E["data"]>]
    ? undefined
    : [NonNullable<E["data"]>] extends [never]
      ? undefined
      : SchemaOutput<NonNullable<E["data"]>>
  : never;
