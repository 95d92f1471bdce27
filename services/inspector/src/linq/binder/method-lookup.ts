/** What the kinds of call share: the place of a call, the tables of methods, the error of a missing overload. */
import type { CallNode } from "../ast.ts";
import type { Bound } from "../bound.ts";
import { methodsOfScalar } from "../function/members.ts";
import { type Method, type MethodTable, signatures } from "../function/method.ts";

import { type Type, typeName } from "../type.ts";
import { type Context, problem, type Scope } from "./context.ts";

export interface Here {
  readonly scope: Scope;
  readonly context: Context;
  readonly path: string;
}

export const tableOf = (type: Type, context: Context): MethodTable => methodsOfScalar(type, context.limits);

export const boundArguments = (node: CallNode, { scope, context }: Here): readonly Bound[] =>
  node.arguments.map((argument) => context.bind(argument, scope));

export const noOverload = (methods: readonly Method[], node: CallNode, given: readonly Bound[]): Error =>
  problem(
    "wrong_arguments",
    `No applicable method '${node.name}' takes (${given.map(({ type }) => typeName(type)).join(", ")})`,
    node,
    signatures(methods),
  );
