/** What the kinds of call share: the place of a call, the tables of methods, the error of a missing overload. */

import { scalarMethods } from "../../function/members.ts";
import { type Method, type MethodTable, signatures } from "../../function/method.ts";
import type { CallNode } from "../../syntax/ast.ts";
import { sameType, type Type, toNullable, typeName } from "../../type/type.ts";
import { argumentAs } from "../term/conversion.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, type Scope } from "../tree/context.ts";

export interface CallSite {
  readonly scope: Scope;
  readonly context: Context;
  readonly path: string;
}

export const findMethodTable = (type: Type, context: Context): MethodTable => scalarMethods(type, context.limits);

export const bindArguments = (node: CallNode, { scope, context }: CallSite): readonly BoundNode[] =>
  node.arguments.map((argument) => context.bind(argument, scope));

export const noOverload = (methods: readonly Method[], node: CallNode, given: readonly BoundNode[]): Error =>
  bindError(
    "wrong_arguments",
    `No applicable method '${node.name}' takes (${given.map(({ type }) => typeName(type)).join(", ")})`,
    node,
    signatures(methods),
  );

interface ChosenMethod {
  readonly method: Method;
  readonly arguments: readonly BoundNode[];
}

/** The overload whose parameters the arguments fit with the fewest conversions; the first of equals. */
export const chooseMethod = (
  methods: readonly Method[],
  given: readonly BoundNode[],
  context: Context,
): ChosenMethod | undefined => {
  let best: ChosenMethod | undefined;
  let bestScore = -1;
  for (const method of methods) {
    if (given.length < method.required || given.length > method.parameters.length) continue;
    const values = given.map((value, index) => {
      const type = method.parameters[index];
      return type === undefined ? undefined : argumentAs(value, type, context);
    });
    const fitting = values.filter((value) => value !== undefined);
    if (fitting.length < given.length) continue;
    const score = given.reduce((sum, value, index) => sum + exactness(value.type, method.parameters[index]), 0);
    if (score > bestScore) {
      best = { method, arguments: fitting };
      bestScore = score;
    }
  }
  return best;
};

const exactness = (from: Type, to: Type | undefined): number => {
  if (to === undefined) return 0;
  if (sameType(toNullable(from), toNullable(to))) return 4;
  if (from.kind === "dynamic" && to.kind === "scalar" && to.name === "Double") return 2;
  return 0;
};
