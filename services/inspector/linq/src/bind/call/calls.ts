/** Calls: methods of values, of the host's declared classes, of types, and of `it`. */

import { fault } from "../../core/error.ts";
import type { Limits } from "../../core/limits.ts";
import { type Operation, operation } from "../../core/operation.ts";
import { locateError } from "../../core/place.ts";
import { named, portable } from "../../core/portable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { formatValue } from "../../format/format.ts";
import { scalarMethods } from "../../function/members.ts";
import { findOverload } from "../../function/method.ts";
import { hashText, stringMethods } from "../../function/string.ts";
import { defaultValue } from "../../operator/check.ts";
import {
  compareDynamic,
  compareValues,
  describeKind,
  equalDynamic,
  isLanguageValue,
  normalizeValue,
  valueKey,
} from "../../operator/compare.ts";
import { textCost } from "../../operator/dynamic.ts";
import { itemType, readEntries } from "../../operator/elements.ts";
import { showDynamic, shower } from "../../operator/text.ts";
import type { CallNode } from "../../syntax/ast.ts";
import { print } from "../../syntax/printer.ts";
import { absent, type allMembers, findMethods, type HostAccess } from "../../type/host.ts";
import type { ClassDefinition } from "../../type/type.ts";
import {
  boolean,
  canBeNull,
  dynamic,
  int32,
  isScalar,
  string,
  type Type,
  toNonNullable,
  typeName,
} from "../../type/type.ts";
import { isRow } from "../../value/row.ts";
import { Sequence } from "../../value/sequence.ts";
import { equals } from "../term/comparing.ts";
import { convertImplicitly, textLiteralAs } from "../term/conversion.ts";
import { memberNames } from "../term/reading.ts";
import { bindConversion } from "../term/types.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, constant, type Scope } from "../tree/context.ts";
import { classMethod } from "./declared-method.ts";
import { dynamicMethod, unknownCall } from "./dynamic-call.ts";
import { foreignName } from "./foreign-names.ts";
import { bindArguments, type CallSite, chooseMethod, findMethodTable, noOverload } from "./overload.ts";
import { bindSequence, sequenceMethodNames } from "./sequences.ts";

/** `object.Method(…)` where the object is a value. */
export const bindCall = (
  object: BoundNode,
  node: CallNode,
  { scope, context }: { readonly scope: Scope; readonly context: Context },
): BoundNode => {
  const path = node.object === undefined ? "it" : print(node.object);
  const at = { scope, context, path };
  if (object.type.kind === "null") throw bindError("null_reference", `'${path}' is always null`, node);
  const found =
    classMethod(object, node, at) ??
    universal(object, node, at) ??
    tableMethod(object, node, at) ??
    valueOrDefault(object, node, at) ??
    dictionaryMethod(object, node, at) ??
    enumMethod(object, node, at) ??
    (isOpenEnded(object.type, node, context) ? dynamicMethod(object, node, at) : undefined) ??
    bindSequence(node, { source: object, path }, at);
  if (found !== undefined) return found;
  const { message, hint } = unknownMethod(object.type, node, context);
  if (object.type.kind === "class") refuseUndeclared(object.type.definition, node, context);
  if (object.type.kind !== "dynamic") throw bindError("unknown_method", message, node, hint);
  const operation = unknownCall({ name: node.name, message, hint }, context.host);
  return { kind: "apply", type: dynamic, operation, operands: [object, ...hostArguments(node, at)], path, at: node.at };
};

/** Arguments for a method that only the host knows, where it lets one run. */
const hostArguments = (node: CallNode, here: CallSite): readonly BoundNode[] =>
  here.context.host.callMember === undefined || node.arguments.some(({ kind }) => kind === "lambda")
    ? []
    : bindArguments(node, here);

/** `GetValueOrDefault()` of a nullable scalar or enum. */
const valueOrDefault = (object: BoundNode, node: CallNode, here: CallSite): BoundNode | undefined => {
  const { type } = object;
  const isNullable = ((type.kind === "scalar" && type.name !== "String") || type.kind === "enum") && type.nullable;
  if (!isNullable || node.name.toLowerCase() !== "getvalueordefault") return undefined;
  const plain = toNonNullable(type);
  const [given, ...more] = bindArguments(node, here);
  const right =
    given === undefined ? constant(plain, defaultValue(plain), node.at) : convertImplicitly(given, plain, here.context);
  if (right === undefined || more.length > 0)
    throw bindError("wrong_arguments", `'GetValueOrDefault' takes one ${typeName(plain)} or nothing`, node);
  return { kind: "coalesce", type: plain, left: object, right, at: node.at };
};

/** A method of the class that is not declared, for which there are better words. */
const refuseUndeclared = (definition: ClassDefinition, { name, at }: CallNode, { host }: Context): void => {
  try {
    host.refuseUndeclared?.(definition, name, "call");
  } catch (error) {
    throw locateError(error, at);
  }
};

/** True when the method is only known when the value is there: of undeclared data, or of a class derived from the known one. */
const isOpenEnded = (type: Type, node: CallNode, { host }: Context): boolean =>
  type.kind === "dynamic" ||
  (type.kind === "class" && host.derived(type.definition).some((each) => findMethods(each, node.name).length > 0));

interface UnknownMethod {
  readonly message: string;
  readonly hint: string | undefined;
}

const unknownMethod = (type: Type, node: CallNode, context: Context): UnknownMethod => {
  const names =
    type.kind === "class"
      ? allMethods(type.definition)
      : itemType(type) !== undefined && type.kind !== "scalar"
        ? [...sequenceMethodNames, ...(type.kind === "dynamic" ? textMethodNames(context) : [])]
        : [...findMethodTable(type, context).values()].flatMap((methods) => methods.map(({ name }) => name));
  const foreign = itemType(type) === undefined || isScalar(type, "String") ? undefined : foreignName(node.name);
  const isMember = memberNames(type).some((name) => name.toLowerCase() === node.name.toLowerCase());
  const hint = isMember
    ? `'${node.name}' is a member, not a method: leave the brackets out`
    : (foreign ?? didYouMean(node.name, names));
  return { message: `No applicable method '${node.name}' exists in type '${typeName(type)}'`, hint };
};

const textMethodNames = ({ limits }: Context): readonly string[] =>
  [...stringMethods(limits).values()].flatMap((methods) => methods.map(({ name }) => name));

const allMethods = (definition: Parameters<typeof allMembers>[0]): readonly string[] => {
  const names = definition.methods.map(({ name }) => name);
  return definition.base === undefined ? names : [...names, ...allMethods(definition.base)];
};

/** Strings, dates, spans, GUIDs. A string is also a sequence of characters, for methods it does not have itself. */
const tableMethod = (object: BoundNode, node: CallNode, here: CallSite): BoundNode | undefined => {
  const methods = findMethodTable(object.type, here.context).get(node.name.toLowerCase());
  if (methods === undefined) return undefined;
  const given = bindArguments(node, here);
  const chosen = chooseMethod(methods, given, here.context);
  if (chosen === undefined) throw noOverload(methods, node, given);
  const { method } = chosen;
  return {
    kind: "apply",
    type: method.returns,
    operation: scalarMethod(
      object.type,
      { name: node.name.toLowerCase(), index: methods.indexOf(method) },
      here.context.limits,
    ),
    operands: [object, ...chosen.arguments],
    path: here.path,
    at: node.at,
  };
};

const scalarMethod = portable(
  "scalarMethod",
  (type: Type, which: { readonly name: string; readonly index: number }, limits: Limits) =>
    findOverload(scalarMethods(type, limits), which),
);

/** `ToString`, `Equals`, `GetHashCode`, `CompareTo`: what every value has. Hash codes are for scalars only. */
const universal = (object: BoundNode, node: CallNode, here: CallSite): BoundNode | undefined => {
  const { host } = here.context;
  const { type } = object;
  const one = (result: Type, what: Operation, operands: readonly BoundNode[]): BoundNode => ({
    kind: "apply",
    type: result,
    operation: what,
    operands,
    path: here.path,
    at: node.at,
  });
  switch (node.name.toLowerCase()) {
    case "tostring":
      if (node.arguments.length === 0) return one(string, showing(type, host), [object]);
      return withFormat(object, node, here);
    case "equals": {
      const [other, ...more] = bindArguments(node, here);
      if (other === undefined || more.length > 0) return undefined;
      return equals({ left: object, right: other, at: node.at, sign: "==" }, here.context);
    }
    case "gethashcode": {
      if (node.arguments.length > 0) return undefined;
      if (type.kind !== "scalar" && type.kind !== "enum" && type.kind !== "dynamic")
        throw bindError("not_allowed", `GetHashCode is for scalars, not for '${typeName(type)}'`, node);
      return one(int32, hashing(host), [object]);
    }
    case "compareto": {
      const [other, ...more] = bindArguments(node, here);
      if (other === undefined || more.length > 0) return undefined;
      const right = convertImplicitly(other, type, here.context);
      if (right === undefined)
        throw bindError("wrong_arguments", `'CompareTo' takes ${typeName(type)}, not ${typeName(other.type)}`, node);
      return one(int32, ordering(host), [object, right]);
    }
    default:
      return undefined;
  }
};

const hashing = portable("hashing", (host: HostAccess) => ({
  ...operation("GetHashCode", (value) => {
    const known = normalizeValue(value, host);
    if (typeof known === "object" && known !== null && (!isLanguageValue(known) || Sequence.is(known) || isRow(known)))
      throw fault("not_allowed", "GetHashCode is for scalars, not for objects");
    const key = valueKey(value, host);
    if (typeof key === "number" && Number.isInteger(key) && (key | 0) === key) return key;
    if (typeof key === "boolean") return Number(key);
    return hashText(showDynamic(value, host));
  }),
  cost: textCost,
}));

/** Null comes first; kinds that have no order are refused. */
const compared = (a: unknown, b: unknown, host: HostAccess): number => {
  if (a !== null && b !== null) compareDynamic(a, b, host);
  return Math.sign(compareValues(a, b, host));
};

const ordering = portable("ordering", (host: HostAccess) =>
  operation("CompareTo", (a, b) => compared(normalizeValue(a, host), normalizeValue(b, host), host)),
);

/** `ToString("F2")`: numbers, dates, spans, enums and GUIDs. */
const withFormat = (object: BoundNode, node: CallNode, here: CallSite): BoundNode | undefined => {
  const { context, path } = here;
  const { type } = object;
  const [given, ...more] = bindArguments(node, here);
  const format = given === undefined || more.length > 0 ? undefined : convertImplicitly(given, string, context);
  const value = convertImplicitly(object, dynamic, context);
  if (format === undefined || value === undefined || isScalar(type, "String") || isScalar(type, "Boolean"))
    return undefined;
  const what = formatting(type.kind === "enum" ? dynamic : type, context.host);
  return { kind: "apply", type: string, operation: what, operands: [value, format], path, at: node.at };
};

const formatting = portable("formatting", (type: Type, host: HostAccess) => {
  const show = shower(type, host);
  return operation("ToString", (self, wanted: string | null) => {
    const shown = show(self);
    if (wanted === null || wanted === "") return shown;
    const text = formatValue(normalizeValue(self, host), wanted, shown);
    if (text !== undefined) return text;
    throw fault(
      "wrong_arguments",
      `A ${describeKind(self)} has no formats`,
      "numbers, dates, spans, enums and GUIDs have",
    );
  });
});

/** `ToString()`; values that are never null can be shown from generated code. */
const showing = portable("showing", (type: Type, host: HostAccess) => {
  const show = shower(type, host);
  return canBeNull(type)
    ? operation("ToString", show)
    : operation("ToString", show, (code, a = "") => `${code.run}(${a})`);
});

const dictionaryMethod = (object: BoundNode, node: CallNode, here: CallSite): BoundNode | undefined => {
  if (object.type.kind !== "dictionary") return undefined;
  const { host } = here.context;
  const lower = node.name.toLowerCase();
  if (lower !== "containskey" && lower !== "containsvalue") return undefined;
  const [given, ...more] = bindArguments(node, here);
  const wanted = lower === "containskey" ? object.type.key : object.type.value;
  const value = given === undefined || more.length > 0 ? undefined : convertImplicitly(given, wanted, here.context);
  if (value === undefined) throw bindError("wrong_arguments", `'${node.name}' takes one ${typeName(wanted)}`, node);
  return {
    kind: "apply",
    type: boolean,
    operation: lower === "containskey" ? hasKey(host) : holdsValue(host),
    operands: [object, value],
    path: here.path,
    at: node.at,
  };
};

const hasKey = portable("hasKey", (host: HostAccess) =>
  operation(
    "ContainsKey",
    (owner, key) => typeof owner === "object" && owner !== null && host.entry(owner, key) !== absent,
  ),
);

const holdsValue = portable("holdsValue", (host: HostAccess) => ({
  ...operation("ContainsValue", (owner, item) => {
    for (const each of readEntries(owner, host).values()) if (equalDynamic(each, item, host)) return true;
    return false;
  }),
  cost: (owner: unknown) => readEntries(owner, host).size,
}));

const enumMethod = (object: BoundNode, node: CallNode, here: CallSite): BoundNode | undefined => {
  if (object.type.kind !== "enum" || node.name.toLowerCase() !== "hasflag") return undefined;
  const [given, ...more] = bindArguments(node, here);
  const flag = given === undefined || more.length > 0 ? undefined : (textLiteralAs(given, object.type)?.read ?? given);
  if (flag === undefined) throw bindError("wrong_arguments", "'HasFlag' takes one flag", node);
  const same =
    flag.type.kind === "enum" ? flag.type.definition === object.type.definition : isScalar(flag.type, "Int32");
  if (!same)
    throw bindError(
      "wrong_arguments",
      `'HasFlag' takes ${object.type.definition.name}, not ${typeName(flag.type)}`,
      node,
    );
  return {
    kind: "apply",
    type: boolean,
    operation: hasFlag,
    operands: [object, flag],
    path: here.path,
    at: node.at,
  };
};

const hasFlag = named(
  "hasFlag",
  operation("HasFlag", (value: number, part: number) => (value & part) === part),
);

/** A call without an object: a conversion, or a method of `it`. */
export const bindBareCall = (node: CallNode, scope: Scope, context: Context): BoundNode => {
  const conversion = bindConversion(node, scope, context);
  if (conversion !== undefined) return conversion;
  if (scope.it === undefined)
    throw bindError(
      "unknown_method",
      `There is no function '${node.name}'`,
      node,
      didYouMean(node.name, ["np", "iif", "isnull", "is", "as", "cast"]),
    );
  const it = context.bind({ kind: "scope", at: node.at, word: "it" }, scope);
  return bindCall(it, node, { scope, context });
};
