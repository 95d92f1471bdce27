/**
 * One expression on its own: `eval`. Text in, value and type out. Bare names are roots of the host; there is no `it`.
 */
import type { Node, OrderKey } from "./ast.ts";
import { bind } from "./binder/bind.ts";
import type { Argument, Context, Scope } from "./binder/context.ts";
import { sortable } from "./binder/orderings.ts";
import type { Bound } from "./bound.ts";
import { compile } from "./compile.ts";
import { LinqError } from "./error.ts";
import { type Clock, Frame } from "./frame.ts";
import type { HostAccess } from "./host.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { parse, parseOrdering } from "./parser.ts";
import { located } from "./step.ts";
import type { Type } from "./type.ts";

export interface Settings {
  readonly host: HostAccess;
  readonly limits?: Limits;
  /** For the deadline; the process's clock when left out. */
  readonly clock?: Clock;
  /** Values of `@0`, `@1` … */
  readonly args?: readonly Argument[] | undefined;
}

const processClock: Clock = { elapsed: () => performance.now() };

export const frameFor = ({ limits = defaultLimits, clock = processClock }: Settings): Frame => new Frame(limits, clock);

export const contextFor = ({ host, limits = defaultLimits, args = [] }: Settings): Context => {
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

export interface Checked {
  readonly text: string;
  readonly type: Type;
  readonly bound: Bound;
}

/** Parses and checks a text in a scope. A lambda on top (`m => m.Level > 3`) names the row. */
export const check = (text: string, scope: Scope, context: Context): Checked =>
  inText(text, () => {
    const bound = bindTop(parse(text, context.limits), scope, context);
    return { text, type: bound.type, bound };
  });

const bindTop = (node: Node, scope: Scope, context: Context): Bound => {
  const [name, ...more] = node.kind === "lambda" ? node.parameters : [];
  if (node.kind !== "lambda" || name === undefined || more.length > 0 || scope.it === undefined)
    return context.bind(node, scope);
  return context.bind(node.body, { ...scope, names: new Map([...scope.names, [name, scope.it]]) });
};

export interface CheckedKey extends Checked {
  readonly descending: boolean;
}

/** Parses and checks an ordering. */
export const checkOrdering = (text: string, scope: Scope, context: Context): readonly CheckedKey[] =>
  inText(text, () =>
    context.parseOrdering(text).map(({ value, descending }: OrderKey) => {
      const bound = sortable(bindTop(value, scope, context));
      return { text, type: bound.type, bound, descending };
    }),
  );

/** Runs something that may fail at a place in a text. */
export const inText = <T>(text: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    const ours = located(error, 0);
    throw ours instanceof LinqError ? ours.within(text) : ours;
  }
};

export interface Evaluated {
  readonly value: unknown;
  readonly type: Type;
}

/** Evaluates a text. Throws `LinqError`. */
export const evaluate = (text: string, settings: Settings): Evaluated => {
  const context = contextFor(settings);
  const { bound, type } = check(text, rootScope, context);
  return { value: inText(text, () => compile(bound, settings.host)(frameFor(settings))), type };
};
