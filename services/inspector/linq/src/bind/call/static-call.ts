/** Calls of types: `Math.Max(…)`, `string.Join(…)`. */

import type { Limits } from "../../core/limits.ts";
import { operation } from "../../core/operation.ts";
import { named, portable } from "../../core/portable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { findOverload } from "../../function/method.ts";
import { findStatics } from "../../function/static.ts";
import { isLanguageValue } from "../../operator/compare.ts";
import { itemType, readItems } from "../../operator/elements.ts";
import { shower, singleText } from "../../operator/text.ts";
import type { CallNode } from "../../syntax/ast.ts";
import type { HostAccess } from "../../type/host.ts";
import { double, dynamic, isScalar, listType, type Type, toNullable } from "../../type/type.ts";
import { Sequence } from "../../value/sequence.ts";
import type { TypeReference } from "../term/names.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, type Scope } from "../tree/context.ts";
import { staticMethodOfClass } from "./declared-method.ts";
import { bindArguments, chooseMethod, noOverload } from "./overload.ts";
/** `Math.Max(…)`, `string.Join(…)`, `MonsterRarity.…(…)`. */
export const bindStaticCall = (
  type: TypeReference,
  node: CallNode,
  { scope, context }: { readonly scope: Scope; readonly context: Context },
): BoundNode => {
  if (!("predefined" in type)) {
    const { declared } = type;
    const found =
      declared.kind === "class" ? staticMethodOfClass(declared, node, { scope, context, path: "" }) : undefined;
    if (found !== undefined) return found;
    throw bindError(
      "unknown_method",
      `Type '${declared.name}' has no static method '${node.name}'`,
      node,
      "methods belong to instances: start with a root",
    );
  }
  const statics = findStatics(type.predefined, context.host, context.limits);
  const methods = statics.methods.get(node.name.toLowerCase());
  if (methods === undefined) {
    const names = [...statics.methods.values()].flatMap((overloads) => overloads.map(({ name }) => name));
    throw bindError(
      "unknown_method",
      `No applicable method '${node.name}' exists in type '${type.predefined}'`,
      node,
      didYouMean(node.name, names),
    );
  }
  const given = bindArguments(node, { scope, context, path: "" }).map((value) =>
    type.predefined === "String" || type.predefined === "Regex" ? asText(value, context) : value,
  );
  const chosen = chooseMethod(methods, given, context);
  if (chosen === undefined) throw noOverload(methods, node, given);
  const { method } = chosen;
  return {
    kind: "apply",
    type: method.returns,
    operation: staticMethod(
      { type: type.predefined, name: node.name.toLowerCase(), index: methods.indexOf(method) },
      context.host,
      context.limits,
    ),
    operands: chosen.arguments,
    at: node.at,
  };
};

/** One of the overloads of a static method. */
const staticMethod = portable(
  "staticMethod",
  (
    { type, ...which }: { readonly type: string; readonly name: string; readonly index: number },
    host: HostAccess,
    limits: Limits,
  ) => findOverload(findStatics(type, host, limits).methods, which),
);

/** A property of a type itself, like `Math.PI`. */
export const staticProperty = portable(
  "staticProperty",
  (type: string, name: string, { host, limits }: { readonly host: HostAccess; readonly limits: Limits }) =>
    operation(name, (findStatics(type, host, limits).properties.get(name)?.read ?? (() => null)) as never),
);

/** Collections become sequences of text for `string.Join`; a Single has its own digits as text. */
const asText = (value: BoundNode, { host }: Context): BoundNode => {
  if (isScalar(value.type, "Single")) {
    return { kind: "apply", type: toNullable(double), operation: singleDigits, operands: [value], at: value.at };
  }
  const item = value.type.kind === "scalar" ? undefined : itemType(value.type);
  if (item === undefined || value.type.kind === "null") return value;
  if (value.type.kind === "dynamic") {
    return { kind: "apply", type: dynamic, operation: anyTexts(host), operands: [value], at: value.at };
  }
  return { kind: "apply", type: listType(dynamic), operation: listTexts(item, host), operands: [value], at: value.at };
};

const singleDigits = named(
  "singleDigits",
  operation("digits", (single) => (typeof single === "number" ? Number(singleText(single)) : null)),
);

const anyTexts = portable("anyTexts", (host: HostAccess) =>
  operation("texts if a list", (given) => (isList(given, host) ? texts(given, dynamic, host) : given)),
);

const listTexts = portable("listTexts", (item: Type, host: HostAccess) =>
  operation("texts", (list) => (list === null ? null : texts(list, item, host))),
);

const isList = (value: unknown, host: HostAccess): boolean =>
  typeof value === "object" && value !== null && !isLanguageValue(value) && host.listing(value) !== undefined;

const texts = (list: unknown, item: Type, host: HostAccess): Sequence =>
  new Sequence(readItems(list, host).map(shower(item, host)));
