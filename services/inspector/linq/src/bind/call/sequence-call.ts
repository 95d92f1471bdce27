/** A call of a sequence method while it is bound: its arguments' number and scopes, and the node it becomes. */

import type { SequenceRun } from "../../core/sequence-run.ts";
import type { CallNode, LambdaNode, Node } from "../../syntax/ast.ts";
import type { Type } from "../../type/type.ts";
import type { BoundLambda, BoundNode, BoundSequence } from "../tree/bound.ts";
import { bindError, type Context, innerScope, type Scope } from "../tree/context.ts";

export interface SequenceCall {
  readonly node: CallNode;
  readonly name: string;
  readonly source: BoundNode;
  readonly item: Type;
  readonly path: string;
  readonly scope: Scope;
  readonly context: Context;
}

export type Method = (call: SequenceCall) => BoundNode;

const wrongCount = ({ node, name }: SequenceCall, wanted: string): Error =>
  bindError(
    "wrong_arguments",
    `No applicable method '${name}' exists with ${node.arguments.length} arguments`,
    node,
    `${name}(${wanted})`,
  );

/** Refuses a number of arguments outside the range. */
export const between = (call: SequenceCall, [low, high]: readonly [number, number], wanted: string): void => {
  const { length } = call.node.arguments;
  if (length < low || length > high) throw wrongCount(call, wanted);
};

export const result = (
  call: SequenceCall,
  type: Type,
  run: SequenceRun,
  more: Partial<Pick<BoundSequence, "lambdas" | "values" | "head">> = {},
): BoundNode => ({
  kind: "sequence",
  type,
  name: call.name,
  source: call.source,
  lambdas: more.lambdas ?? [],
  values: more.values ?? [],
  run,
  ...(more.head === undefined ? {} : { head: more.head }),
  path: call.path,
  at: call.node.at,
});

/** Binds an argument once per element: `it`, and a lambda's own name, are the element. */
export const perElement = (call: SequenceCall, argument: Node): BoundLambda => {
  const slot = call.context.freshSlot();
  const names = argument.kind === "lambda" ? lambdaNames(argument) : [];
  const inner = innerScope(call.scope, { type: call.item, slot, usable: true }, names);
  return { slot, body: call.context.bind(argument.kind === "lambda" ? argument.body : argument, inner) };
};

const lambdaNames = (node: LambdaNode): readonly string[] => {
  if (node.parameters.length === 1) return node.parameters;
  throw bindError("wrong_arguments", "A lambda here takes one parameter", node, "x => …");
};

export const onlyArgument = (call: SequenceCall, wanted: string): Node => {
  const [argument] = call.node.arguments;
  if (argument === undefined || call.node.arguments.length !== 1) throw wrongCount(call, wanted);
  return argument;
};
