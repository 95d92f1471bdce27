/** What the binder carries along: the host, the scopes, and the ways to refuse. */
import type { Node, OrderKey } from "../ast.ts";
import type { Bound, BoundValue } from "../bound.ts";
import { type ErrorCode, LinqError } from "../error.ts";
import { systemEnum } from "../function/system-enum.ts";
import type { HostAccess, TypeDefinition } from "../host.ts";
import type { Limits } from "../limits.ts";
import type { Type } from "../type.ts";
import type { Argument } from "./argument.ts";

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

/** Text to trees: the parser, or trees that were made from these texts elsewhere. */
export interface Syntax {
  readonly parse: (text: string) => Node;
  readonly parseOrdering: (text: string) => readonly OrderKey[];
}

export interface Context {
  readonly host: HostAccess;
  readonly limits: Limits;
  readonly syntax: Syntax;
  /** Values of `@0`, `@1` … */
  readonly args: readonly Argument[];
  /** A slot that nothing else uses. */
  readonly freshSlot: () => number;
  /** The binder itself; here because grammar is circular and imports are not. */
  readonly bind: (node: Node, scope: Scope) => Bound;
}

/** An error at a node; a name is pointed at in its whole length. */
export const problem = (
  code: ErrorCode,
  message: string,
  place: { readonly at: number; readonly name?: string | undefined },
  hint?: string,
): LinqError => new LinqError(code, message, { position: place.at, length: place.name?.length ?? 1, hint });

export const constant = (type: Type, value: unknown, at: number): BoundValue => ({ kind: "value", type, value, at });

/** The scope of a lambda: its element is `it`, and also has the names given. */
export const innerScope = (outer: Scope, it: Variable, names: readonly string[]): Scope => ({
  it,
  names: new Map(names.map((name) => [name, it])),
  outer,
});

/** A parameter by name, innermost scope first; exact spelling before any case. */
export const parameterOf = (name: string, scope: Scope): Variable | undefined => {
  const lower = name.toLowerCase();
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const exact = at.names.get(name);
    if (exact !== undefined) return exact;
    for (const [known, variable] of at.names) if (known.toLowerCase() === lower) return variable;
  }
  return undefined;
};

/** A type that is no predefined scalar: the host's, else an enum of .NET's. */
export const definitionOf = (name: string, host: HostAccess): TypeDefinition | undefined =>
  host.type(name) ?? systemEnum(name);
