/**
 * `Join` and `GroupJoin`: the other collection is grouped by its key once, and each element looks its group up. Join is then a SelectMany
 * over the pairs, so that both pause and are charged as their parts are.
 */
import { groupBy } from "../../function/sequence/keyed.ts";
import { match } from "../../function/sequence/match.ts";
import { select, selectMany } from "../../function/sequence/sequence.ts";
import { itemType, typedListing } from "../../operator/elements.ts";
import { promoted } from "../../operator/number.ts";
import type { Node } from "../../syntax/ast.ts";
import {
  dynamic,
  findNumberName,
  listType,
  type RecordType,
  scalar,
  type Type,
  toNullable,
  typeName,
} from "../../type/type.ts";
import { convertImplicitly } from "../term/conversion.ts";
import { memberRead } from "../term/reading.ts";
import type { BoundLambda, BoundNode } from "../tree/bound.ts";
import { bindError } from "../tree/context.ts";
import { bindPair, type PairSide } from "./pair-lambda.ts";
import { between, type Method, perElement, result, type SequenceCall } from "./sequence-call.ts";

const usage = "other, x => x.Key, y => y.Key, (x, y) => …";

/** The names of both sides where the result is no lambda, as in the library. */
const plainNames = ["outer", "inner"] as const;

interface PairResult {
  readonly body: Node;
  readonly at: number;
  readonly names: readonly [string, string];
}

const readPairResult = (call: SequenceCall, argument: Node): PairResult => {
  if (argument.kind !== "lambda") return { body: argument, at: argument.at, names: plainNames };
  const [outer, inner] = argument.parameters;
  if (outer !== undefined && inner !== undefined && argument.parameters.length === 2)
    return { body: argument.body, at: argument.at, names: [outer, inner] };
  throw bindError(
    "wrong_arguments",
    "A lambda here takes two parameters: an element of each side",
    argument,
    `${call.name}(${usage})`,
  );
};

/** The number that both are: Int64 for Int32 and UInt32. */
const wider = (types: readonly Type[]): readonly Type[] => {
  const [first, second] = types.map(findNumberName);
  const number = first === undefined || second === undefined ? undefined : promoted(first, second);
  return number === undefined ? [] : [scalar(number)];
};

/** Both keys in one type, so that equal ones have one place in a table. */
const inOneType = (call: SequenceCall, keys: readonly BoundLambda[]): readonly BoundLambda[] => {
  const types = keys.map(({ body }) => body.type);
  const targets = types.some(({ kind }) => kind === "dynamic")
    ? [dynamic]
    : [...types, ...wider(types)].flatMap((type) => [type, toNullable(type)]);
  for (const target of targets) {
    const fitted = keys.flatMap(({ slot, body }) => {
      const converted = convertImplicitly(body, target, call.context);
      return converted === undefined ? [] : [{ slot, body: converted }];
    });
    if (fitted.length === keys.length) return fitted;
  }
  throw bindError(
    "no_common_type",
    `The keys of '${call.name}' are ${types.map((type) => typeName(type)).join(" and ")}`,
    keys[1]?.body ?? call.node,
    "convert one of them: `y => string(y.Key)`",
  );
};

interface JoinParts {
  /** Pairs of an element and all elements of the other side with its key. */
  readonly pairs: BoundNode;
  readonly pair: RecordType;
  readonly inner: Type;
  readonly shape: PairResult;
}

const matched = (call: SequenceCall): JoinParts => {
  between(call, [4, 4], usage);
  const { context, scope, item } = call;
  const [given = call.node, outerKey = call.node, innerKey = call.node, shape = call.node] = call.node.arguments;
  const other = context.bind(given, { ...scope, it: undefined, outer: scope });
  const inner = itemType(other.type);
  if (inner === undefined)
    throw bindError("wrong_arguments", `'${call.name}' needs a collection, not ${typeName(other.type)}`, other);
  const otherCall: SequenceCall = { ...call, source: other, item: inner };
  const keys = inOneType(call, [perElement(call, outerKey), perElement(otherCall, innerKey)]);
  const groupType = listType({ kind: "list", item: inner, key: keys[1]?.body.type ?? dynamic });
  const groups = result({ ...otherCall, name: "GroupBy" }, groupType, groupBy(context.host), {
    lambdas: keys.slice(1),
  });
  const pair: RecordType = {
    kind: "record",
    fields: [
      { name: "outer", type: item },
      { name: "inner", type: listType(inner) },
    ],
  };
  const pairs = result(call, listType(pair), match(context.host), { lambdas: keys.slice(0, 1), values: [groups] });
  return { pairs, pair, inner, shape: readPairResult(call, shape) };
};

const sides = (call: SequenceCall, { shape }: JoinParts, inner: Type): readonly [PairSide, PairSide] => [
  { field: "outer", name: shape.names[0], type: call.item },
  { field: "inner", name: shape.names[1], type: inner },
];

/** An element with all of the other side that have its key, which may be none. */
export const groupJoin: Method = (call) => {
  const found = matched(call);
  const { body, lambda } = bindPair(call, found.shape, sides(call, found, listType(found.inner)));
  return result({ ...call, source: found.pairs }, listType(body.type), select, { lambdas: [lambda(body)] });
};

/** An element with each of the other side that has its key, in the order of both. */
export const join: Method = (call) => {
  const found = matched(call);
  const { context, path } = call;
  const { at } = found.shape;
  const [pairSlot, innerSlot] = [context.freshSlot(), context.freshSlot()];
  const pair: BoundNode = { kind: "slot", type: found.pair, slot: pairSlot, at };
  const read = (name: string): BoundNode => memberRead(pair, { name, at, path }, context) ?? pair;
  const both: BoundNode = {
    kind: "new",
    type: {
      kind: "record",
      fields: [
        { name: "outer", type: call.item },
        { name: "inner", type: found.inner },
      ],
    },
    names: ["outer", "inner"],
    values: [read("outer"), { kind: "slot", type: found.inner, slot: innerSlot, at }],
    at,
  };
  const list = read("inner");
  const perPair = result({ ...call, source: list }, listType(both.type), select, {
    lambdas: [{ slot: innerSlot, body: both }],
  });
  const flat = result(
    { ...call, source: found.pairs },
    listType(both.type),
    selectMany(typedListing(perPair.type, context.host)),
    { lambdas: [{ slot: pairSlot, body: perPair }] },
  );
  const { body, lambda } = bindPair(call, found.shape, sides(call, found, found.inner));
  return result({ ...call, source: flat }, listType(body.type), select, { lambdas: [lambda(body)] });
};
