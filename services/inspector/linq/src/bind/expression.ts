/** One text to its checked tree: parsed, and bound in a scope. Runs nothing. */

import type { ElapsedClock, PauseBudget } from "../core/frame.ts";
import { defaultLimits, type Limits } from "../core/limits.ts";
import { locateInText } from "../core/place.ts";
import type { Node, OrderKey } from "../syntax/ast.ts";
import { parse, parseOrdering } from "../syntax/parser.ts";
import type { HostAccess } from "../type/host.ts";
import type { Type } from "../type/type.ts";
import { bind } from "./bind.ts";
import { sortable } from "./call/orderings.ts";
import type { BoundNode } from "./tree/bound.ts";
import type { Argument, Context, Scope } from "./tree/context.ts";

export interface EvaluationSettings {
  readonly host: HostAccess;
  readonly limits?: Limits;
  /** For the deadline; the process's clock when left out. */
  readonly clock?: ElapsedClock;
  /** When to give the thread back; never when left out. */
  readonly budget?: PauseBudget | undefined;
  /** Values of `@0`, `@1` … */
  readonly args?: readonly Argument[] | undefined;
}

export const contextFor = ({ host, limits = defaultLimits, args = [] }: EvaluationSettings): Context => {
  let last = 0;
  const context: Context = {
    host,
    limits,
    parseOrdering: (text) => parseOrdering(text, limits),
    args,
    freshSlot: () => ++last,
    bind: (node, scope) => bind(node, scope, context),
  };
  return context;
};

/** The scope of roots only. */
export const rootScope: Scope = { it: undefined, names: new Map(), outer: undefined };

/** Slot of a query's row. */
export const rowSlot = 0;

/** The scope of a query's row. */
export const rowScope = (type: Type, names: readonly string[] = []): Scope => {
  const it = { type, slot: rowSlot, usable: true };
  return { it, names: new Map(names.map((name) => [name, it])), outer: undefined };
};

export interface CheckedExpression {
  readonly text: string;
  readonly type: Type;
  readonly bound: BoundNode;
}

/** Parses and checks a text in a scope. A lambda on top (`m => m.Level > 3`) names the row. */
export const check = (text: string, scope: Scope, context: Context): CheckedExpression =>
  locateInText(text, () => {
    const bound = bindTop(parse(text, context.limits), scope, context);
    return { text, type: bound.type, bound };
  });

const bindTop = (node: Node, scope: Scope, context: Context): BoundNode => {
  const [name, ...more] = node.kind === "lambda" ? node.parameters : [];
  if (node.kind !== "lambda" || name === undefined || more.length > 0 || scope.it === undefined)
    return context.bind(node, scope);
  return context.bind(node.body, { ...scope, names: new Map([...scope.names, [name, scope.it]]) });
};

export interface CheckedOrdering extends CheckedExpression {
  readonly descending: boolean;
}

/** Parses and checks an ordering. */
export const checkOrdering = (text: string, scope: Scope, context: Context): readonly CheckedOrdering[] =>
  locateInText(text, () =>
    context.parseOrdering(text).map(({ value, descending }: OrderKey) => {
      const bound = sortable(bindTop(value, scope, context));
      return { text, type: bound.type, bound, descending };
    }),
  );
