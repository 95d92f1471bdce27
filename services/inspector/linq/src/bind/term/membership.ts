/** `in` and `Contains`: true when an element equals the value, as `==` compares the two. */

import { any } from "../../function/sequence/sequence.ts";
import { itemType } from "../../operator/elements.ts";
import { newArray } from "../../operator/new-array.ts";
import { boolean, canBeNull, listType, type Type, toNullable, typeName } from "../../type/type.ts";
import { Sequence } from "../../value/sequence.ts";
import type { BoundNode, BoundValue } from "../tree/bound.ts";
import { bindError, type Context, constant } from "../tree/context.ts";
import { equals, type Pair, readLiteral } from "./comparing.ts";
import { convertImplicitly } from "./conversion.ts";

interface MembershipTest {
  readonly source: BoundNode;
  readonly value: BoundNode;
  readonly path: string;
  readonly at: number;
}

/** A value to be compared with many: read once, unless it is a literal, which adapts to each. */
export const comparedWith = (value: BoundNode, context: Context, test: (held: BoundNode) => BoundNode): BoundNode => {
  if (value.kind === "value") return test(value);
  const slot = context.freshSlot();
  const rest = test({ kind: "slot", type: value.type, slot, at: value.at });
  return { kind: "let", type: rest.type, object: value, slot, rest, lifted: false, at: value.at };
};

export const holds = ({ source: given, value, path, at }: MembershipTest, context: Context): BoundNode => {
  const source = fitted(given, value, context);
  const item = itemType(source.type);
  if (item === undefined)
    throw bindError("wrong_operands", `'in' needs a list or a collection, not ${typeName(source.type)}`, source);
  return comparedWith(value, context, (held) => {
    const slot = context.freshSlot();
    const element: BoundNode = { kind: "slot", type: item, slot, at: value.at };
    const body = equals({ left: element, right: held, at, sign: "==" }, context);
    const lambdas = [{ slot, body }];
    return {
      kind: "sequence",
      type: boolean,
      name: "Contains",
      source,
      lambdas,
      values: [],
      run: any,
      path,
      at,
    };
  });
};

/** A list of literals converted to the type of the tested value, if each of them can be. */
const fitted = (source: BoundNode, value: BoundNode, context: Context): BoundNode => {
  const literals = findLiterals(source);
  if (literals === undefined || value.type.kind === "dynamic" || value.type.kind === "null") return source;
  const item: Type = literals.some(({ type }) => canBeNull(type)) ? toNullable(value.type) : value.type;
  const values: unknown[] = [];
  for (const literal of literals) {
    const pair: Pair = { left: value, right: literal, at: literal.at, sign: "==" };
    const fitting = readLiteral(literal, value, pair) ?? convertImplicitly(literal, item, context);
    if (fitting?.kind !== "value") return source;
    values.push(fitting.value);
  }
  return constant(listType(item), new Sequence(values), source.at);
};

const findLiterals = (source: BoundNode): readonly BoundValue[] | undefined => {
  if (source.kind === "value") return source.literals;
  if (source.kind !== "apply" || source.operation !== newArray) return undefined;
  const values = source.operands.filter((operand) => operand.kind === "value");
  return values.length === source.operands.length ? values : undefined;
};
