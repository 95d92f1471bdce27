/** `Enum.Parse<T>(…)` and its kin. The enum is a type argument or, as types are elsewhere, a text: `Enum.GetNames("DayOfWeek")`. */

import { fault } from "../../core/error.ts";
import type { Operation } from "../../core/operation.ts";
import { portable } from "../../core/portable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { formatValue } from "../../format/format.ts";
import type { CallNode, TypeNode } from "../../syntax/ast.ts";
import { boolean, dynamic, type EnumType, listType, string, type Type, toNullable } from "../../type/type.ts";
import { type EnumDefinition, EnumValue, enumName, enumNumber } from "../../value/enum.ts";
import { Sequence } from "../../value/sequence.ts";
import { convertImplicitly } from "../term/conversion.ts";
import { resolveType } from "../term/types.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, type Scope } from "../tree/context.ts";

interface EnumMethod {
  readonly name: string;
  /** Parameters after the enum. */
  readonly parameters: (type: EnumType) => readonly Type[];
  readonly required: number;
  readonly returns: (type: EnumType) => Type;
  readonly run: (definition: EnumDefinition, ...given: readonly unknown[]) => unknown;
}

/** A name exactly, in any case if `ignoreCase` is set, or a number; flags may be several. */
const parsed = (definition: EnumDefinition, text: unknown, ignoring: unknown): number => {
  if (typeof text !== "string")
    throw fault("null_reference", "The text is null", "give a text, or test for null first");
  const names = text.split(",").map((name) => name.trim());
  const isKnown = names.every((name) => definition.values.has(name));
  const number = isKnown || ignoring === true ? enumNumber(definition, text.trim()) : undefined;
  if (number !== undefined) return number;
  if (isKnown) return names.reduce((sum, name) => sum | (definition.values.get(name) ?? 0), 0);
  if (/^\s*[+-]?\d{1,10}\s*$/.test(text)) return Number(text) | 0;
  throw fault(
    "bad_format",
    `The text is not a value of ${definition.name}`,
    didYouMean(text, definition.values.keys()),
  );
};

/** A value of the enum as its number; names and values of it count, others do not. */
const numberIn = (definition: EnumDefinition, value: unknown): number | undefined => {
  if (EnumValue.is(value)) return value.value;
  if (typeof value === "number") return value;
  return typeof value === "string" ? definition.values.get(value) : undefined;
};

const sorted = ({ values }: EnumDefinition): readonly (readonly [string, number])[] =>
  [...values].sort(([, a], [, b]) => (a >>> 0) - (b >>> 0));

const methods: readonly EnumMethod[] = [
  {
    name: "Parse",
    parameters: () => [string, boolean],
    required: 1,
    returns: (type) => type,
    run: parsed,
  },
  {
    name: "IsDefined",
    parameters: () => [dynamic],
    required: 1,
    returns: () => boolean,
    run: (definition, value) => {
      const number = numberIn(definition, value);
      return number !== undefined && [...definition.values.values()].includes(number);
    },
  },
  {
    name: "GetName",
    parameters: () => [dynamic],
    required: 1,
    returns: () => toNullable(string),
    run: (definition, value) => {
      const number = numberIn(definition, value);
      return [...definition.values].find(([, known]) => known === number)?.[0] ?? null;
    },
  },
  {
    name: "GetNames",
    parameters: () => [],
    required: 0,
    returns: () => listType(string),
    run: (definition) => new Sequence(sorted(definition).map(([name]) => name)),
  },
  {
    name: "GetValues",
    parameters: () => [],
    required: 0,
    returns: (type) => listType(type),
    run: (definition) => new Sequence(sorted(definition).map(([, value]) => value)),
  },
  {
    name: "Format",
    parameters: () => [dynamic, string],
    required: 2,
    returns: () => string,
    run: (definition, value, format) => {
      const number = numberIn(definition, value) ?? 0;
      const plain = enumName(definition, number);
      return formatValue(new EnumValue(definition, number), typeof format === "string" ? format : "G", plain) ?? plain;
    },
  },
  {
    name: "ToObject",
    parameters: () => [dynamic],
    required: 1,
    returns: (type) => type,
    run: (definition, value) => numberIn(definition, value) ?? 0,
  },
];

const enumOperation = portable("enumOperation", (wanted: string, definition: EnumDefinition): Operation => {
  const method = methods.find(({ name }) => name === wanted);
  return { name: wanted, run: (...given) => method?.run(definition, ...given) };
});

/** Binds `Enum.Method<T>(…)`. */
export const bindEnumCall = (
  node: CallNode,
  { scope, context }: { readonly scope: Scope; readonly context: Context },
): BoundNode => {
  const method = methods.find(({ name }) => name.toLowerCase() === node.name.toLowerCase());
  if (method === undefined)
    throw bindError(
      "unknown_method",
      `No applicable method '${node.name}' exists in type 'Enum'`,
      node,
      didYouMean(
        node.name,
        methods.map(({ name }) => name),
      ),
    );
  const { type, rest } = bindEnumType(node, method, context);
  const parameters = method.parameters(type);
  const given = rest.map((argument) => context.bind(argument, scope));
  const fitting = given.flatMap((value, index) => {
    const to = parameters[index];
    const fits = to === undefined ? undefined : convertImplicitly(value, to, context);
    return fits === undefined ? [] : [fits];
  });
  if (given.length < method.required || fitting.length < given.length) throw wrongArguments(method, node);
  return {
    kind: "apply",
    type: method.returns(type),
    operation: enumOperation(method.name, type.definition),
    operands: fitting,
    at: node.at,
  };
};

/** The enum that is meant, and the arguments that are left. */
const bindEnumType = (node: CallNode, method: EnumMethod, context: Context) => {
  const [generic] = node.types;
  const [first, ...others] = node.arguments;
  const named: TypeNode | undefined =
    generic ?? (first?.kind === "string" ? { name: first.value, nullable: false, at: first.at } : undefined);
  if (named === undefined) throw wrongArguments(method, node);
  const type = resolveType(named, context);
  if (type.kind !== "enum") throw bindError("wrong_arguments", `'${named.name}' is not an enum`, named);
  return { type, rest: generic === undefined ? others : node.arguments };
};

const wrongArguments = ({ name }: EnumMethod, node: CallNode): Error =>
  bindError(
    "wrong_arguments",
    `'Enum.${name}' does not take these arguments`,
    node,
    `Enum.${name}<DayOfWeek>(…) or Enum.${name}("DayOfWeek", …)`,
  );
