/** `OrderBy` and `ThenBy` inside an expression, with a key or with the text of an ordering. */

import { LinqError } from "../../core/error.ts";
import { orderBy } from "../../function/sequence/keyed.ts";
import type { Node, OrderKey, StringNode } from "../../syntax/ast.ts";
import { hasOrder, listType, type Type, typeName } from "../../type/type.ts";
import type { BoundLambda, BoundNode } from "../tree/bound.ts";
import { bindError, type Context } from "../tree/context.ts";
import { type Method, onlyArgument, perElement, result, type SequenceCall } from "./sequence-call.ts";

interface Ordering {
  readonly lambdas: readonly BoundLambda[];
  readonly signs: readonly (1 | -1)[];
}

/** A key that rows can be sorted by; a record of several values is refused with the advice to write several keys. */
export const sortable = <T extends { readonly type: Type; readonly at: number }>(key: T): T => {
  if (hasOrder(key.type)) return key;
  const hint = "order by a member of it; several keys are separated by commas: `Level desc, Name`";
  throw bindError("wrong_arguments", `A key to order by has an order; ${typeName(key.type)} has none`, key, hint);
};

const sortingKey = (call: SequenceCall, argument: Node): BoundLambda => {
  const lambda = perElement(call, argument);
  sortable(lambda.body);
  return lambda;
};

/** The keys of an ordering: an expression, or text as the library has it, `"Level desc, Name"`. */
const readOrdering = (call: SequenceCall, sign: 1 | -1): Ordering => {
  const argument = onlyArgument(call, 'key, or "Key desc, Other"');
  if (argument.kind !== "string") return { lambdas: [sortingKey(call, argument)], signs: [sign] };
  if (sign < 0)
    throw bindError(
      "wrong_arguments",
      `'${call.name}' takes a key, not the text of an ordering`,
      argument,
      `${call.name.replace("Descending", "")}("Key desc"), or ${call.name}(Key)`,
    );
  const keys = parsedInPlace(argument, call.context);
  return {
    lambdas: keys.map(({ value }) => sortingKey(call, value)),
    signs: keys.map(({ descending }) => (descending ? -1 : 1)),
  };
};

/** The text is read behind as many spaces as there are characters before it, so that places in it are places in the whole. */
const parsedInPlace = ({ at, value }: StringNode, { parseOrdering }: Context): readonly OrderKey[] => {
  try {
    return parseOrdering(" ".repeat(at + 1) + value);
  } catch (error) {
    if (!(error instanceof LinqError)) throw error;
    const { code, message, position, length, hint } = error;
    throw new LinqError(code, message, { position, length, hint });
  }
};

export const ordering =
  (sign: 1 | -1): Method =>
  (call) => {
    const { lambdas, signs } = readOrdering(call, sign);
    const made = result(call, listType(call.item), orderBy(signs, call.context.host), { lambdas });
    orders.set(made, signs);
    return made;
  };

/** The directions of an ordering, so that ThenBy can add to it. */
const orders = new WeakMap<BoundNode, readonly (1 | -1)[]>();

export const laterOrdering =
  (sign: 1 | -1): Method =>
  (call) => {
    const before = call.source;
    const first = orders.get(before);
    if (first === undefined || before.kind !== "sequence")
      throw bindError("unknown_method", `'${call.name}' goes directly after OrderBy or OrderByDescending`, call.node);
    const later = readOrdering(call, sign);
    const signs = [...first, ...later.signs];
    const lambdas = [...before.lambdas, ...later.lambdas];
    const made: BoundNode = { ...before, lambdas, run: orderBy(signs, call.context.host), at: call.node.at };
    orders.set(made, signs);
    return made;
  };
