/** Sequence methods that pick elements by place or key, pair them, or number them for their lambda. */
import * as picking from "../../function/sequence/picking.ts";
import { select, where } from "../../function/sequence/sequence.ts";
import { defaultValue } from "../../operator/check.ts";
import { itemType, typedListing } from "../../operator/elements.ts";
import type { LambdaNode, Node } from "../../syntax/ast.ts";
import { canBeNull, int32, listType, type RecordType, type Type, toNullable, typeName } from "../../type/type.ts";
import { convertImplicitly } from "../term/conversion.ts";
import { asBoolean } from "../term/operators.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError } from "../tree/context.ts";
import { groupJoin, join } from "./join.ts";
import { sortable } from "./orderings.ts";
import { bindPair } from "./pair-lambda.ts";
import { between, type Method, onlyArgument, perElement, result, type SequenceCall } from "./sequence-call.ts";

const wholeNumber = (call: SequenceCall, name: string): BoundNode => {
  const bound = call.context.bind(onlyArgument(call, name), call.scope);
  const number = convertImplicitly(bound, int32, call.context);
  if (number !== undefined) return number;
  throw bindError("wrong_arguments", `'${call.name}' takes a whole number, not ${typeName(bound.type)}`, bound);
};

const atPlace =
  (orDefault: boolean): Method =>
  (call) => {
    const missing = orDefault ? { value: defaultValue(call.item) } : undefined;
    const type = orDefault && canBeNull(call.item) ? toNullable(call.item) : call.item;
    return result(call, type, picking.elementAt(missing), { values: [wholeNumber(call, "index")] });
  };

const ofTail =
  (how: "take" | "skip"): Method =>
  (call) =>
    result(call, listType(call.item), picking.tail(how), { values: [wholeNumber(call, "count")] });

const extremeBy =
  (sign: 1 | -1): Method =>
  (call) => {
    const key = perElement(call, onlyArgument(call, "key"));
    sortable(key.body);
    const empty = canBeNull(call.item) ? "null" : "throw";
    return result(call, call.item, picking.extremeBy(sign, empty, call.context.host), { lambdas: [key] });
  };

const distinctBy: Method = (call) =>
  result(call, listType(call.item), picking.distinctBy(call.context.host), {
    lambdas: [perElement(call, onlyArgument(call, "key"))],
  });

const zipped: Method = (call) => {
  const other = call.context.bind(onlyArgument(call, "other"), { ...call.scope, it: undefined, outer: call.scope });
  const second = itemType(other.type);
  if (second === undefined)
    throw bindError("wrong_arguments", `'${call.name}' needs a collection, not ${typeName(other.type)}`, other);
  const pair: RecordType = {
    kind: "record",
    fields: [
      { name: "First", type: call.item },
      { name: "Second", type: second },
    ],
  };
  const elements = typedListing(other.type, call.context.host);
  return result(call, listType(pair), picking.zip(elements), { values: [other] });
};

const toDictionary: Method = (call) => {
  between(call, [1, 2], "key[, element]");
  const lambdas = call.node.arguments.map((argument) => perElement(call, argument));
  const [key, element] = lambdas;
  const type: Type = {
    kind: "dictionary",
    key: key?.body.type ?? call.item,
    value: element?.body.type ?? call.item,
  };
  return result(call, type, picking.toDictionary(call.context.host), { lambdas });
};

/** A lambda of two parameters: the element, and its index. */
const isNumbered = (argument: Node | undefined): argument is LambdaNode =>
  argument?.kind === "lambda" && argument.parameters.length === 2;

/** `Select((x, i) => …)` and `Where((x, i) => …)`; the method itself where its lambda takes no index. */
const orNumbered =
  (how: "select" | "where", otherwise: Method): Method =>
  (call) => {
    const [argument] = call.node.arguments;
    if (!isNumbered(argument)) return otherwise(call);
    const [element = "", index = ""] = argument.parameters;
    const { body, lambda } = bindPair(call, argument, [
      { field: "element", name: element, type: call.item, isIt: true },
      { field: "index", name: index, type: int32 },
    ]);
    if (how === "select")
      return result(call, listType(body.type), picking.numbered(select), { lambdas: [lambda(body)] });
    const test = asBoolean(body, `The test of '${call.name}'`);
    return result(call, listType(call.item), picking.numbered(where), { lambdas: [lambda(test)] });
  };

/** The methods by their names in lower case; `plain` are the forms of Select and Where without an index. */
export const pickingMethods = (plain: { readonly select: Method; readonly where: Method }) => ({
  select: orNumbered("select", plain.select),
  where: orNumbered("where", plain.where),
  elementat: atPlace(false),
  elementatordefault: atPlace(true),
  takelast: ofTail("take"),
  skiplast: ofTail("skip"),
  minby: extremeBy(-1),
  maxby: extremeBy(1),
  distinctby: distinctBy,
  zip: zipped,
  todictionary: toDictionary,
  join,
  groupjoin: groupJoin,
});

export const pickingNames =
  "ElementAt ElementAtOrDefault TakeLast SkipLast MinBy MaxBy DistinctBy Zip ToDictionary Join GroupJoin";
