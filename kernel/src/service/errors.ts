/**
 * The errors that an Effect handler may fail with, as types: those its procedure declares, made from the contract, and the closed
 * table of infrastructure codes. Anything else is a defect and has no place in an Effect's error channel.
 *
 * Not here: how a failure becomes a wire error (dispatch).
 */
import {
  type Code,
  type DeclaredErrors,
  type ErrorDeclaration,
  FairleadError,
  type Procedure,
  type WireError,
} from "@fairlead/contracts";
import * as Effect from "effect/Effect";

/** What goes with a declared error in addition to its data. */
export interface FailureText {
  /** What failed and where, for people. */
  readonly message: string;
  /** The next command or change to try. Default: the declaration's hint. */
  readonly hint?: string;
  /** True when nothing has happened yet, so that the same call may be sent again whatever its procedure does. Default false. */
  readonly retryable?: boolean;
}

/** What goes with an infrastructure error in addition to its code. */
export interface InfrastructureText extends FailureText {
  /** Milliseconds to wait before the same call is sent again. Default: not known. */
  readonly retryAfterMs?: number;
}

type FailingIterator<E> = Effect.EffectIterator<Effect.Effect<never, E>>;

/** An error that a procedure declares. `throw` it in a plain handler, `yield*` it in an Effect; `Effect.catchTag` finds it by its reason. */
export class DeclaredError<Reason extends string = string, Data = unknown> extends FairleadError {
  readonly _tag: Reason;
  declare readonly reason: Reason;
  declare readonly data: Data;

  constructor(wire: Omit<WireError, "retryable"> & { readonly reason: Reason; readonly retryable?: boolean }) {
    super(wire);
    this._tag = wire.reason;
  }

  [Symbol.iterator](): FailingIterator<this> {
    return Effect.fail(this)[Symbol.iterator]();
  }
}

/** Which procedure of a peer an error came from. */
const peers = new WeakMap<FairleadError, string>();

/** Notes that a peer's procedure, by its full name, answered with this error. */
export const markPeerError = <E extends FairleadError>(error: E, procedure: string): E => {
  peers.set(error, procedure);
  return error;
};

/** The peer's procedure that this error came from, if it came from one. */
export const findPeer = (error: FairleadError): string | undefined => peers.get(error);

/** An error with a code of the closed table and nothing that a contract would have to declare. */
export class InfrastructureError extends FairleadError {
  readonly _tag = "InfrastructureError";
  declare readonly reason?: never;

  /** `code`: one of the sixteen of `@fairlead/contracts`. */
  constructor(code: Code, text: InfrastructureText, options?: ErrorOptions) {
    super({ code, ...text }, options);
  }

  [Symbol.iterator](): FailingIterator<this> {
    return Effect.fail(this)[Symbol.iterator]();
  }
}

/** The declared errors of procedure `P`, as a union of tagged errors. */
export type DeclaredErrorUnion<P> = {
  readonly [Reason in keyof DeclaredErrors<P> & string]: DeclaredError<Reason, DeclaredErrors<P>[Reason]>;
}[keyof DeclaredErrors<P> & string];

/** All that an Effect handler of procedure `P` may fail with. */
export type ProcedureError<P> = DeclaredErrorUnion<P> | InfrastructureError;

/** The data of a declared error as an argument: there when the declaration has a schema, and only then. */
export type ErrorDataArgument<Data> = Data extends undefined ? [] : [data: Data];

/** One function for every declared error of procedure `P`: it makes the error. */
export type ErrorConstructors<P> = {
  readonly [Reason in keyof DeclaredErrors<P> & string]: (
    text: FailureText,
    ...data: ErrorDataArgument<DeclaredErrors<P>[Reason]>
  ) => DeclaredError<Reason, DeclaredErrors<P>[Reason]>;
};

/**
 * The declared errors of a procedure, by reason, each a function that makes it.
 *
 * ```ts
 * const { sold_out } = declaredErrors(shop.procedures.find);
 * return yield* sold_out({ message: "no lamp is left" }, { until: 5 });
 * ```
 */
export const declaredErrors = <P extends Procedure>({ errors }: P): ErrorConstructors<P> =>
  // The contract's mapped type cannot be built from entries without this one step out of the type system.
  Object.fromEntries(
    Object.entries(errors ?? {}).map(([reason, declaration]) => [
      reason,
      (text: FailureText, data?: unknown) => makeDeclaredError(reason, declaration, { text, data }),
    ]),
  ) as unknown as ErrorConstructors<P>;

/** The error `reason` as its declaration has it. */
export const makeDeclaredError = (
  reason: string,
  { code, hint: declaredHint }: ErrorDeclaration,
  { text, data }: { readonly text: FailureText; readonly data: unknown },
): DeclaredError => {
  const hint = text.hint ?? declaredHint;
  return new DeclaredError({
    ...text,
    code,
    reason,
    ...(hint !== undefined && { hint }),
    ...(data !== undefined && { data }),
  });
};

/** Nothing was saved: another has saved since, or owns the key. What this node has in memory of the session is old: forget it. */
export class StaleSession extends FairleadError {
  /** `owner`: this node does not own the key; `version`: another call has saved since. */
  readonly because: "owner" | "version";

  constructor(key: string, because: "owner" | "version") {
    super({
      code: "aborted",
      message:
        because === "owner"
          ? `the session ${JSON.stringify(key.slice(0, 80))} belongs to another node, and nothing of this one was saved`
          : `the session ${JSON.stringify(key.slice(0, 80))} was saved by another call since, and nothing of this one was saved`,
      hint: "send the call again: it begins with what was saved last",
      retryable: true,
    });
    this.because = because;
  }
}
