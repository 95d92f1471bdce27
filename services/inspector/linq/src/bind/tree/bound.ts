/**
 * The checked tree: names resolved, types known, conversions explicit. Two compilers read it (closures and source); nothing in
 * it is text of the user's but quoted names and literals.
 */
import type { Operation } from "../../core/operation.ts";
import type { HeadRun, SequenceRun } from "../../core/sequence-run.ts";
import type { Type } from "../../type/type.ts";

interface BoundBase {
  readonly type: Type;
  /** Where in the text; run-time errors point here. */
  readonly at: number;
}

/** A constant. `literal` marks text and numbers that were written as such, which may still change type. */
export interface BoundValue extends BoundBase {
  readonly kind: "value";
  readonly value: unknown;
  readonly literal?: boolean;
  /** A real literal's digits, for reading it again as a decimal. */
  readonly digits?: string;
  /** Of a list passed as an argument: its elements, which may still change type like literals that were written. */
  readonly literals?: readonly BoundValue[];
}
/** `it` or a lambda parameter. */
interface BoundSlot extends BoundBase {
  readonly kind: "slot";
  readonly slot: number;
}
/** A member. `read` is called with a value that is not null. */
export interface BoundRead extends BoundBase {
  readonly kind: "read";
  readonly object: BoundNode;
  readonly read: (owner: unknown) => unknown;
  /** In its declared spelling, where there is one. */
  readonly name: string;
  /** Own data property to read when the row is known to be direct. */
  readonly key: string | undefined;
  /** Text of the object and of the whole, for "x is null, so x.y has no value". */
  readonly path: string;
}
/** All operands are evaluated, then the operation runs. */
export interface BoundApply extends BoundBase {
  readonly kind: "apply";
  readonly operation: Operation;
  readonly operands: readonly BoundNode[];
  /** Set when the first operand must not be null; its text. */
  readonly path?: string;
}
export interface BoundLogic extends BoundBase {
  readonly kind: "logic";
  readonly operator: "&&" | "||";
  readonly items: readonly BoundNode[];
}
interface BoundChoose extends BoundBase {
  readonly kind: "choose";
  readonly test: BoundNode;
  readonly whenTrue: BoundNode;
  readonly whenFalse: BoundNode;
}
/** `left ?? right`. */
interface BoundCoalesce extends BoundBase {
  readonly kind: "coalesce";
  readonly left: BoundNode;
  readonly right: BoundNode;
}
/** Stores a value in `slot` for `rest`. When `lifted` (`?.`), the whole is null if the value is. */
export interface BoundLet extends BoundBase {
  readonly kind: "let";
  readonly object: BoundNode;
  readonly slot: number;
  readonly rest: BoundNode;
  readonly lifted: boolean;
}
/** A sequence method: `lambdas` run once per element with it in their slot, `values` once. */
export interface BoundSequence extends BoundBase {
  readonly kind: "sequence";
  readonly name: string;
  readonly source: BoundNode;
  readonly lambdas: readonly BoundLambda[];
  readonly values: readonly BoundNode[];
  readonly run: SequenceRun;
  /** Does the same on a collection that is not copied, for methods that may end before its end. */
  readonly head?: HeadRun | undefined;
  readonly path: string;
}
export interface BoundLambda {
  readonly slot: number;
  readonly body: BoundNode;
}
/** A row of a projection. */
export interface BoundNew extends BoundBase {
  readonly kind: "new";
  readonly names: readonly string[];
  readonly values: readonly BoundNode[];
}

export type BoundNode =
  | BoundValue
  | BoundSlot
  | BoundRead
  | BoundApply
  | BoundLogic
  | BoundChoose
  | BoundCoalesce
  | BoundLet
  | BoundSequence
  | BoundNew;

/** The nodes directly below one. */
export const childNodes = (bound: BoundNode): readonly BoundNode[] => {
  switch (bound.kind) {
    case "value":
    case "slot":
      return [];
    case "read":
      return [bound.object];
    case "apply":
      return bound.operands;
    case "logic":
      return bound.items;
    case "choose":
      return [bound.test, bound.whenTrue, bound.whenFalse];
    case "coalesce":
      return [bound.left, bound.right];
    case "let":
      return [bound.object, bound.rest];
    case "sequence":
      return [bound.source, ...bound.lambdas.map(({ body }) => body), ...bound.values];
    case "new":
      return bound.values;
  }
};
