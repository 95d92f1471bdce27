/** Tables of methods: parameters, result and what runs, by name in lower case. */
import { type Operation, operation } from "../core/operation.ts";
import { type Type, typeName } from "../type/type.ts";

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

interface MethodOptions {
  readonly required?: number;
  readonly cost?: Operation["cost"];
  readonly emit?: Operation["emit"];
}

type MethodRun = Parameters<typeof operation<never, never, never, never>>[1];

/** `[name, parameters, returns, run, options]`. */
export type MethodRow = readonly [string, readonly Type[], Type, MethodRun, MethodOptions?];

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
export const findOverload = (
  table: MethodTable,
  { name, index }: { readonly name: string; readonly index: number },
) => {
  const found = table.get(name)?.[index];
  if (found === undefined) throw new Error(`There is no overload ${index} of ${name}`);
  return found.operation;
};

/** Overloads named in a hint; methods that take any number of values have many. */
const hintedOverloads = 6;

/** `Substring(Int32), Substring(Int32, Int32)`. */
export const signatures = (methods: readonly Method[]): string => {
  const shown = methods
    .slice(0, hintedOverloads)
    .map(({ name, parameters }) => `${name}(${parameters.map(typeName).join(", ")})`);
  return [...shown, ...(methods.length > hintedOverloads ? ["…"] : [])].join(", ");
};
