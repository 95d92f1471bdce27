/** Tables of methods, and choosing the overload that fits the arguments best. */

import type { Context } from "../binder/context.ts";
import { argumentAs } from "../binder/conversion.ts";
import type { Bound } from "../bound.ts";
import { type Operation, operation } from "../operation.ts";
import { nullableOf, sameType, type Type, typeName } from "../type.ts";

export interface Method {
  readonly name: string;
  readonly parameters: readonly Type[];
  /** Fewer arguments than this are refused; the rest may be left out. */
  readonly required: number;
  readonly returns: Type;
  /** The first operand is the instance, for methods of one. */
  readonly operation: Operation;
}

export type MethodTable = ReadonlyMap<string, readonly Method[]>;

interface Options {
  readonly required?: number;
  readonly cost?: Operation["cost"];
  readonly emit?: Operation["emit"];
}

type Run = Parameters<typeof operation<never, never, never, never>>[1];

/** `[name, parameters, returns, run, options]`. */
export type MethodRow = readonly [string, readonly Type[], Type, Run, Options?];

export const methodTable = (rows: readonly MethodRow[]): MethodTable => {
  const table = new Map<string, Method[]>();
  for (const [name, parameters, returns, run, options = {}] of rows) {
    const made: Method = {
      name,
      parameters,
      required: options.required ?? parameters.length,
      returns,
      operation: {
        ...operation(name, run, options.emit),
        ...(options.cost === undefined ? {} : { cost: options.cost }),
      },
    };
    const key = name.toLowerCase();
    table.set(key, [...(table.get(key) ?? []), made]);
  }
  return table;
};

/** One overload of a table, where it is known to be there. */
export const overloadOf = (table: MethodTable, { name, index }: { readonly name: string; readonly index: number }) => {
  const found = table.get(name)?.[index];
  if (found === undefined) throw new Error(`There is no overload ${index} of ${name}`);
  return found.operation;
};

export interface Chosen {
  readonly method: Method;
  readonly arguments: readonly Bound[];
}

/** The overload whose parameters the arguments fit with the fewest conversions; the first of equals. */
export const chooseMethod = (
  methods: readonly Method[],
  given: readonly Bound[],
  context: Context,
): Chosen | undefined => {
  let best: Chosen | undefined;
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
  if (sameType(nullableOf(from), nullableOf(to))) return 4;
  if (from.kind === "dynamic" && to.kind === "scalar" && to.name === "Double") return 2;
  return 0;
};

/** Overloads named in a hint; methods that take any number of values have many. */
const named = 6;

/** `Substring(Int32), Substring(Int32, Int32)`. */
export const signatures = (methods: readonly Method[]): string => {
  const shown = methods
    .slice(0, named)
    .map(({ name, parameters }) => `${name}(${parameters.map(typeName).join(", ")})`);
  return [...shown, ...(methods.length > named ? ["…"] : [])].join(", ");
};
