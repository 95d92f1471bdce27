/**
 * An operation: what an operator or method does once its operands are there. The compilers know two forms of it: a function,
 * and, where speed pays, source text.
 */
import type { Frame } from "./frame.ts";
import { portable } from "./portable.ts";
import type { Resumable } from "./resumable.ts";

/** What an operation may use while it writes its source. */
export interface SourceEmitter {
  /** A fresh local variable. */
  temporary(): string;
  /** The operation itself as a function, for operands that the source does not treat. */
  readonly run: string;
}

/** On operands of this JavaScript type the operation is this operator of JavaScript, or the one operand itself. */
export interface NativeOperator {
  readonly of: "boolean" | "number" | "bigint" | "string";
  readonly sign?: string;
}

export interface Operation {
  readonly name: string;
  readonly run: (...operands: readonly unknown[]) => unknown;
  /** Source with the operands' sources put in; each is used once, in order. */
  readonly emit?: (code: SourceEmitter, ...operands: readonly string[]) => string;
  /** What it is on plain operands, where that is JavaScript's own. */
  readonly native?: NativeOperator;
  /** Steps beyond the first, for operations whose work grows with their operands. */
  readonly cost?: (...operands: readonly unknown[]) => number;
  /** The same with pauses, for operations that look at every element of an operand. */
  readonly inSteps?: (frame: Frame, ...operands: readonly unknown[]) => Resumable<unknown>;
}

/**
 * The named boundary between static types and values: the binder has checked that operands are of the types that `run` is
 * written for, which TypeScript can not see.
 */
export const operation = <A, B = unknown, C = unknown, D = unknown>(
  name: string,
  run: (a: A, b: B, c: C, d: D) => unknown,
  emit?: Operation["emit"],
): Operation => {
  const made = { name, run: run as Operation["run"] };
  return emit === undefined ? made : { ...made, emit };
};

const anyNull = (operands: readonly unknown[]): boolean => operands.some((operand) => operand === null);

/** Null when an operand is: how C# lifts arithmetic. */
export const liftToNull = portable(
  "liftToNull",
  ({ name, run, cost }: Operation): Operation => ({
    name: `${name}?`,
    run: (...operands) => (anyNull(operands) ? null : run(...operands)),
    ...(cost === undefined ? {} : { cost: (...operands) => (anyNull(operands) ? 0 : cost(...operands)) }),
  }),
);

/** False when an operand is null: how C# lifts `<` and its kin. */
export const liftToFalse = portable(
  "liftToFalse",
  ({ name, run, native }: Operation): Operation => ({
    name: `${name}?`,
    run: (a, b) => a !== null && b !== null && run(a, b),
    ...(native === undefined ? {} : { native }),
  }),
);
