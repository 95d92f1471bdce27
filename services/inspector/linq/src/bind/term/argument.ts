/** `@0`, `@1` …: values passed beside the text. They count as literals, so that a text can be read as a date or an enum's name. */
import type { NameNode } from "../../syntax/ast.ts";
import { boolean, double, dynamic, int32, int64, listType, nullType, string, type Type } from "../../type/type.ts";
import { Sequence } from "../../value/sequence.ts";
import type { BoundNode, BoundValue } from "../tree/bound.ts";
import { type Argument, bindError, type Context, constant, type Scalar } from "../tree/context.ts";

/** The argument that a name like `@0` means; undefined for other names. */
export const bindArgument = (node: NameNode, { args }: Context): BoundNode | undefined => {
  if (!node.escaped || !/^\d+$/.test(node.name)) return undefined;
  const given = args[Number(node.name)];
  if (given !== undefined) return isList(given) ? listed(given, node.at) : literal(given, node.at);
  const known = args.length === 0 ? "no `args` were given" : `there are @0 to @${args.length - 1}`;
  throw bindError("unknown_name", `There is no argument @${node.name}`, node, known);
};

const isList = (given: Argument): given is readonly Scalar[] => Array.isArray(given);

const literal = (value: Scalar, at: number): BoundValue => {
  if (value === null) return constant(nullType, null, at);
  if (typeof value === "string") return { ...constant(string, value, at), literal: true };
  if (typeof value === "boolean") return constant(boolean, value, at);
  if ((value | 0) === value) return { ...constant(int32, value, at), literal: true };
  if (Number.isSafeInteger(value)) return { ...constant(int64, BigInt(value), at), literal: true };
  return { ...constant(double, value, at), literal: true, digits: String(value) };
};

const listed = (values: readonly Scalar[], at: number): BoundValue => ({
  ...constant(listType(findItemType(values)), new Sequence(values), at),
  literals: values.map((value) => literal(value, at)),
});

/** What all elements are; undeclared when they differ. */
const findItemType = (values: readonly Scalar[]): Type => {
  if (values.every((value) => typeof value === "string")) return string;
  if (values.every((value) => typeof value === "boolean")) return boolean;
  if (values.every((value) => typeof value === "number" && (value | 0) === value)) return int32;
  return values.every((value) => typeof value === "number") ? double : dynamic;
};
