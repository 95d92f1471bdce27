/** The binder's context: the host, the scopes, and the errors it throws. */

import { type ErrorCode, LinqError } from "../../core/error.ts";
import type { Limits } from "../../core/limits.ts";
import type { Node, OrderKey } from "../../syntax/ast.ts";
import type { HostAccess } from "../../type/host.ts";
import type { Type } from "../../type/type.ts";
import type { BoundNode, BoundValue } from "./bound.ts";

export type Scalar = string | number | boolean | null;

/** A value passed beside the text: a scalar, or a list of them. */
export type Argument = Scalar | readonly Scalar[];

/** `it` of a scope, or a lambda's parameter. */
export interface Variable {
  readonly type: Type;
  readonly slot: number;
  /** False where the name has a type but no value, as in the arguments of Concat. */
  readonly usable: boolean;
}

export interface Scope {
  readonly it: Variable | undefined;
  readonly names: ReadonlyMap<string, Variable>;
  readonly outer: Scope | undefined;
}

export interface Context {
  readonly host: HostAccess;
  readonly limits: Limits;
  /** The parser, for orderings written as text. */
  readonly parseOrdering: (text: string) => readonly OrderKey[];
  /** Values of `@0`, `@1` … */
  readonly args: readonly Argument[];
  /** A slot that nothing else uses. */
  readonly freshSlot: () => number;
  /** The binder itself; here because grammar is circular and imports are not. */
  readonly bind: (node: Node, scope: Scope) => BoundNode;
}

/** An error at a node; a name is pointed at in its whole length. */
export const bindError = (
  code: ErrorCode,
  message: string,
  place: { readonly at: number; readonly name?: string | undefined },
  hint?: string,
): LinqError => new LinqError(code, message, { position: place.at, length: place.name?.length ?? 1, hint });

export const constant = (type: Type, value: unknown, at: number): BoundValue => ({ kind: "value", type, value, at });

/** The scope of a lambda: its element is `it`, and has these names as well. */
export const innerScope = (outer: Scope, it: Variable, names: readonly string[]): Scope => ({
  it,
  names: new Map(names.map((name) => [name, it])),
  outer,
});

/** A parameter by name, innermost scope first; exact spelling before any case. */
export const findParameter = (name: string, scope: Scope): Variable | undefined => {
  const lower = name.toLowerCase();
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const exact = at.names.get(name);
    if (exact !== undefined) return exact;
    for (const [known, variable] of at.names) if (known.toLowerCase() === lower) return variable;
  }
  return undefined;
};
