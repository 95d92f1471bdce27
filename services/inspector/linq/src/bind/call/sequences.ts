/** Sequence methods: their types, and the work behind each name. */

import { fault } from "../../core/error.ts";
import type { Operation } from "../../core/operation.ts";
import { named, portable } from "../../core/portable.ts";
import type { HeadRun, SequenceRun } from "../../core/sequence-run.ts";
import * as head from "../../function/sequence/head.ts";
import * as keyed from "../../function/sequence/keyed.ts";
import * as work from "../../function/sequence/sequence.ts";
import { defaultValue } from "../../operator/check.ts";
import { describeKind } from "../../operator/compare.ts";
import { dynamicArithmetic } from "../../operator/dynamic.ts";
import { itemType, typedListing } from "../../operator/elements.ts";
import { arithmetic, promoted } from "../../operator/number.ts";
import type { CallNode, Node } from "../../syntax/ast.ts";
import {
  boolean,
  canBeNull,
  double,
  dynamic,
  findNumberName,
  hasOrder,
  int32,
  int64,
  isScalar,
  listType,
  scalar,
  type Type,
  toNonNullable,
  toNullable,
  typeName,
} from "../../type/type.ts";
import { Decimal } from "../../value/decimal.ts";
import { TimeSpan } from "../../value/time.ts";
import { convertImplicitly } from "../term/conversion.ts";
import { holds } from "../term/membership.ts";
import { asBoolean, joiner } from "../term/operators.ts";
import { bindTypeArgument } from "../term/types.ts";
import type { BoundLambda, BoundNode } from "../tree/bound.ts";
import { bindError, type Context, innerScope, type Scope } from "../tree/context.ts";
import { aggregating } from "./aggregate.ts";
import { laterOrdering, ordering } from "./orderings.ts";
import { pickingMethods, pickingNames } from "./picking.ts";
import { between, type Method, onlyArgument, perElement, result, type SequenceCall } from "./sequence-call.ts";

const predicate = (call: SequenceCall, argument: Node): BoundLambda => {
  const { slot, body } = perElement(call, argument);
  return { slot, body: asBoolean(body, `The test of '${call.name}'`) };
};

const optionalPredicate = (call: SequenceCall): readonly BoundLambda[] => {
  between(call, [0, 1], "[test]");
  return call.node.arguments.map((argument) => predicate(call, argument));
};

const filtered =
  (run: SequenceRun): Method =>
  (call) =>
    result(call, listType(call.item), run, { lambdas: [predicate(call, onlyArgument(call, "test"))] });

const testing: Method = (call) => {
  const lambdas = optionalPredicate(call);
  return result(call, boolean, work.any, lambdas.length > 0 ? { lambdas } : { lambdas, head: head.anyHead });
};

/** A number of elements, which is known without a test. */
const counted =
  (type: Type, run: SequenceRun, size: HeadRun): Method =>
  (call) => {
    const lambdas = optionalPredicate(call);
    return result(call, type, run, lambdas.length > 0 ? { lambdas } : { lambdas, head: size });
  };

const toSliceMethod =
  (run: SequenceRun): Method =>
  (call) => {
    const bound = call.context.bind(onlyArgument(call, "count"), call.scope);
    const count = convertImplicitly(bound, int32, call.context);
    if (count === undefined)
      throw bindError("wrong_arguments", `'${call.name}' takes a whole number, not ${typeName(bound.type)}`, bound);
    return result(call, listType(call.item), run, { values: [count] });
  };

const pickingElement =
  (which: "first" | "last" | "single", orDefault: boolean): Method =>
  (call) => {
    const missing = orDefault ? { value: defaultValue(call.item) } : undefined;
    const type = orDefault && canBeNull(call.item) ? toNullable(call.item) : call.item;
    const lambdas = optionalPredicate(call);
    const first = which === "first" && lambdas.length === 0 ? { head: head.firstHead(missing) } : {};
    return result(call, type, work.element(which, missing), { lambdas, ...first });
  };

/** The values that Sum and its kin fold: the elements, or what a selector makes of them. */
const folded = (call: SequenceCall): { readonly lambdas: readonly BoundLambda[]; readonly type: Type } => {
  between(call, [0, 1], "[selector]");
  const lambdas = call.node.arguments.map((argument) => perElement(call, argument));
  return { lambdas, type: lambdas[0]?.body.type ?? call.item };
};

const notNumbers = (call: SequenceCall, type: Type): Error =>
  bindError(
    "wrong_arguments",
    `'${call.name}' needs numbers, not ${typeName(type)}`,
    call.node,
    `${call.name}(x => x.SomeNumber)`,
  );

/** Addition in a type; dynamic values are added as they come. */
const adding = (call: SequenceCall, type: Type): { readonly plus: Plus; readonly type: Type } => {
  if (type.kind === "dynamic") {
    const { host, limits } = call.context;
    return { plus: addingNumbers(call.name, dynamicArithmetic("+", host, joiner(limits))), type: dynamic };
  }
  if (isScalar(type, "TimeSpan")) return { plus: addingSpans, type: toNonNullable(type) };
  const number = findNumberName(type);
  const target = number === undefined ? undefined : promoted(number, number);
  if (target === undefined) throw notNumbers(call, type);
  return { plus: operationRun(arithmetic("+", target)), type: scalar(target) };
};

type Plus = (a: unknown, b: unknown) => unknown;

const operationRun = portable("operationRun", ({ run }: Operation): Plus => run);

const addingSpans = named("addingSpans", (a: unknown, b: unknown) =>
  TimeSpan.is(a) && TimeSpan.is(b) ? TimeSpan.of(a.ms + b.ms) : a,
);

/** Of values that a declared whole type checked. */
const addingReals = named("addingReals", (a: unknown, b: unknown) => Number(a) + Number(b));

/** Undeclared values are added as they come, but no texts are joined. */
const addingNumbers = portable("addingNumbers", (name: string, { run }: Operation): Plus => {
  const numbers = (value: unknown): unknown => {
    if (typeof value === "string") throw fault("type_mismatch", `'${name}' needs numbers, not text`);
    return value;
  };
  return (a, b) => run(numbers(a), numbers(b));
});

const sum: Method = (call) => {
  const { lambdas, type } = folded(call);
  const add = adding(call, type);
  const zero = add.type.kind === "dynamic" ? 0 : defaultValue(add.type);
  return result(call, add.type, work.sum(zero, add.plus), { lambdas });
};

/** The total may be a single value that nothing was added to, whatever it is. */
const dividing = named("dividing", (total: unknown, count: number): unknown => {
  if (typeof total === "number" || typeof total === "bigint") return Number(total) / count;
  if (Decimal.is(total)) return total.over(Decimal.of(BigInt(count), 0));
  if (TimeSpan.is(total)) return TimeSpan.of(total.ms / count);
  throw fault("type_mismatch", `'Average' needs numbers, not a ${describeKind(total)}`);
});

const dividingSingles = named("dividingSingles", (total: unknown, count: number): unknown =>
  Math.fround(Number(total) / count),
);

const average: Method = (call) => {
  const { lambdas, type } = folded(call);
  const number = findNumberName(type);
  const whole = number !== undefined && number !== "Decimal" && number !== "Single";
  const plus = whole ? addingReals : adding(call, type).plus;
  const given = whole ? double : type.kind === "dynamic" ? dynamic : toNonNullable(type);
  const nullable = canBeNull(type) && type.kind !== "dynamic";
  const over = number === "Single" ? dividingSingles : dividing;
  return result(call, nullable ? toNullable(given) : given, work.average(plus, over, nullable ? "null" : "throw"), {
    lambdas,
  });
};

const extreme =
  (sign: 1 | -1): Method =>
  (call) => {
    const { lambdas, type } = folded(call);
    if (!hasOrder(type))
      throw bindError("wrong_arguments", `'${call.name}' needs values with an order, not ${typeName(type)}`, call.node);
    const empty = canBeNull(type) && type.kind !== "dynamic" ? "null" : "throw";
    return result(call, type, work.extreme(sign, empty, call.context.host), { lambdas });
  };

const grouping: Method = (call) => {
  between(call, [1, 2], "key[, element]");
  const lambdas = call.node.arguments.map((argument) => perElement(call, argument));
  const [key, shape] = lambdas;
  const type: Type = { kind: "list", item: shape?.body.type ?? call.item, key: key?.body.type ?? dynamic };
  return result(call, listType(type), keyed.groupBy(call.context.host), { lambdas });
};

const flattening: Method = (call) => {
  const lambda = perElement(call, onlyArgument(call, "selector"));
  const inner = itemType(lambda.body.type);
  if (inner === undefined)
    throw bindError(
      "wrong_arguments",
      `'SelectMany' needs a collection, not ${typeName(lambda.body.type)}`,
      lambda.body,
    );
  const { host } = call.context;
  return result(call, listType(inner), work.selectMany(typedListing(lambda.body.type, host)), {
    lambdas: [lambda],
  });
};

const selecting: Method = (call) => {
  const lambda = perElement(call, onlyArgument(call, "selector"));
  return result(call, listType(lambda.body.type), work.select, { lambdas: [lambda] });
};

/** The argument is read once, outside the element's scope. */
const containing: Method = (call) => {
  const value = call.context.bind(onlyArgument(call, "value"), call.scope);
  return holds({ source: call.source, value, path: call.path, at: call.node.at }, call.context);
};

/** Arguments of these are bound inside, as the library does: bare names mean the element's members, which have no value here. */
const combining =
  (how: "Union" | "Concat" | "Intersect" | "Except" | "SequenceEqual"): Method =>
  (call) => {
    const argument = onlyArgument(call, "other");
    const inner = innerScope(call.scope, { type: call.item, slot: call.context.freshSlot(), usable: false }, []);
    const other = call.context.bind(argument, inner);
    const otherItem = itemType(other.type);
    if (otherItem === undefined)
      throw bindError("wrong_arguments", `'${call.name}' needs a collection, not ${typeName(other.type)}`, other);
    const { host } = call.context;
    const [first, second] = inOneType(call, { list: other, item: otherItem });
    const [united, values] = [{ ...call, source: first }, { values: [second] }];
    const items = typedListing(second.type, host);
    if (how === "SequenceEqual") return result(united, boolean, keyed.sequenceEqual(items, host), values);
    return result(united, first.type, keyed.combine(how, items, host), values);
  };

interface Items {
  readonly list: BoundNode;
  readonly item: Type;
}

/** Two lists with elements of one type, as far as the elements of one convert to those of the other. */
const inOneType = (call: SequenceCall, other: Items): readonly [BoundNode, BoundNode] => {
  const own = { list: call.source, item: call.item };
  const isUndeclared = own.item.kind === "dynamic" || other.item.kind === "dynamic";
  const targets = isUndeclared ? [dynamic] : [own.item, toNullable(own.item), other.item, toNullable(other.item)];
  for (const item of targets) {
    const pair = [elementsAs(own, item, call), elementsAs(other, item, call)] as const;
    if (pair[0] !== undefined && pair[1] !== undefined) return [pair[0], pair[1]];
  }
  throw bindError(
    "wrong_arguments",
    `'${call.name}' needs elements of one type, not ${typeName(own.item)} and ${typeName(other.item)}`,
    other.list,
    "convert one side first: `.Select(x => double(x))`",
  );
};

/** The list with each element converted; undefined where that is not implicit. */
const elementsAs = ({ list, item }: Items, to: Type, { context, path }: SequenceCall): BoundNode | undefined => {
  const slot = context.freshSlot();
  const element: BoundNode = { kind: "slot", type: item, slot, at: list.at };
  const body = convertImplicitly(element, to, context);
  if (body === undefined) return undefined;
  const type = listType(to);
  if (body.kind === "slot") return list.type.kind === "list" ? { ...list, type } : list;
  const lambdas = [{ slot, body }];
  return {
    kind: "sequence",
    type,
    name: "Select",
    source: list,
    lambdas,
    values: [],
    run: work.select,
    path,
    at: list.at,
  };
};

const plain =
  (run: (call: SequenceCall) => SequenceRun): Method =>
  (call) => {
    between(call, [0, 0], "");
    return result(call, listType(call.item), run(call));
  };

const defaulting: Method = (call) => {
  between(call, [0, 1], "[value]");
  const values = call.node.arguments.map((argument) => {
    const bound = call.context.bind(argument, call.scope);
    const value = convertImplicitly(bound, call.item, call.context);
    if (value === undefined)
      throw bindError(
        "wrong_arguments",
        `The default must be ${typeName(call.item)}, not ${typeName(bound.type)}`,
        bound,
      );
    return value;
  });
  return result(call, listType(call.item), work.defaultIfEmpty(defaultValue(call.item)), { values });
};

const typed =
  (keepsOthers: boolean): Method =>
  (call) => {
    const { name, type, test } = bindTypeArgument(call.node, call.context);
    const isInstance = test(call.item);
    return result(call, listType(type), work.keepIf(keepsOthers ? elementMustBe(isInstance, name) : isInstance));
  };

const elementMustBe = portable(
  "elementMustBe",
  (test: (item: unknown) => boolean, name: string) =>
    (item: unknown): boolean => {
      if (item === null || item === undefined || test(item)) return true;
      throw fault("type_mismatch", `An element is not of type ${name}`, "use OfType to leave it out");
    },
);

const createMethods = (): Readonly<Record<string, Method>> => ({
  ...pickingMethods({ where: filtered(work.where), select: selecting }),
  selectmany: flattening,
  any: testing,
  all: (call) =>
    result(call, boolean, work.all, {
      lambdas: [predicate(call, onlyArgument(call, "test"))],
    }),
  count: counted(int32, work.count, head.sizeHead),
  longcount: counted(int64, work.longCount, head.longSizeHead),
  sum,
  aggregate: aggregating,
  average,
  min: extreme(-1),
  max: extreme(1),
  first: pickingElement("first", false),
  firstordefault: pickingElement("first", true),
  last: pickingElement("last", false),
  lastordefault: pickingElement("last", true),
  single: pickingElement("single", false),
  singleordefault: pickingElement("single", true),
  orderby: ordering(1),
  orderbydescending: ordering(-1),
  thenby: laterOrdering(1),
  thenbydescending: laterOrdering(-1),
  groupby: grouping,
  distinct: plain(({ context }) => keyed.distinct(context.host)),
  reverse: plain(() => work.reverse),
  tolist: plain(() => work.asIs),
  toarray: plain(() => work.asIs),
  skip: toSliceMethod(work.skip),
  take: toSliceMethod(work.take),
  skipwhile: filtered(work.skipWhile),
  takewhile: filtered(work.takeWhile),
  contains: containing,
  union: combining("Union"),
  concat: combining("Concat"),
  intersect: combining("Intersect"),
  except: combining("Except"),
  sequenceequal: combining("SequenceEqual"),
  defaultifempty: defaulting,
  oftype: typed(false),
  cast: typed(true),
});

// Marked, so that the library that is sent to other processes, which binds nothing, goes without them.
const methods = /* @__PURE__ */ createMethods();

export const isSequenceMethod = (name: string): boolean => Object.hasOwn(methods, name.toLowerCase());

export const sequenceMethodNames: readonly string[] = (
  "Where Select SelectMany Any All Count LongCount Sum Aggregate Average Min Max First FirstOrDefault Last LastOrDefault Single " +
  "SingleOrDefault OrderBy OrderByDescending ThenBy ThenByDescending GroupBy Distinct Reverse ToList ToArray Skip Take " +
  `SkipWhile TakeWhile Contains Union Concat Intersect Except SequenceEqual DefaultIfEmpty OfType Cast ${pickingNames}`
).split(" ");

/** Binds `source.Method(…)`; undefined when there is no sequence method of that name. */
export const bindSequence = (
  node: CallNode,
  { source, path }: { readonly source: BoundNode; readonly path: string },
  { scope, context }: { readonly scope: Scope; readonly context: Context },
): BoundNode | undefined => {
  const item = itemType(source.type);
  const lower = node.name.toLowerCase();
  const method = Object.hasOwn(methods, lower) ? methods[lower] : undefined;
  if (method === undefined || item === undefined) return undefined;
  const name = sequenceMethodNames.find((known) => known.toLowerCase() === lower) ?? node.name;
  return method({ node, name, source, item, path, scope, context });
};
