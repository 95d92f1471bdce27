/** Calls: methods of values, of the host's declared classes, of types, and of `it`. */
import type { CallNode, IndexNode } from "../ast.ts";
import type { Bound } from "../bound.ts";
import { fault } from "../error.ts";
import { chooseMethod, type Method, type MethodTable, signatures } from "../function/method.ts";
import { staticsOf } from "../function/static.ts";
import { hashText, stringMethods } from "../function/string.ts";
import { dateMethods, guidMethods, spanMethods } from "../function/time.ts";
import { absent, type allMembers, methodsOf } from "../host.ts";
import { type Operation, operation } from "../operation.ts";
import { equalDynamic, keyOf, kindOf, normal, orderOf } from "../operator/compare.ts";
import { showDynamic, shower } from "../operator/text.ts";
import { print } from "../printer.ts";
import { didYouMean } from "../suggest.ts";
import { boolean, canBeNull, char, dynamic, int32, isScalar, listOf, type Type, typeName } from "../type.ts";
import { EnumValue } from "../value/enum.ts";
import { Guid } from "../value/guid.ts";
import { isRow } from "../value/row.ts";
import { Sequence } from "../value/sequence.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { checkOf } from "./check.ts";
import { type Context, problem, type Scope } from "./context.ts";
import { converted, textLiteralAs } from "./conversion.ts";
import type { NamedType } from "./names.ts";
import { equals } from "./operators.ts";
import { entriesOf, entryReader, itemsOf, itemType, memberNames, readDynamic } from "./reading.ts";
import { bindSequence, isSequenceMethod, sequenceMethodNames } from "./sequences.ts";
import { bindConversion } from "./types.ts";

/** `object.Method(…)` where the object is a value. */
export const bindCall = (
  object: Bound,
  node: CallNode,
  { scope, context }: { readonly scope: Scope; readonly context: Context },
): Bound => {
  const path = node.object === undefined ? "it" : print(node.object);
  const at = { scope, context, path };
  if (object.type.kind === "null") throw problem("null_reference", `'${path}' is always null`, node);
  const found =
    classMethod(object, node, at) ??
    universal(object, node, at) ??
    tableMethod(object, node, at) ??
    dictionaryMethod(object, node, at) ??
    enumMethod(object, node, at) ??
    (isOpenEnded(object.type, node, context) ? dynamicMethod(object, node, at) : undefined) ??
    bindSequence(node, { source: object, path }, at);
  if (found !== undefined) return found;
  throw unknownMethod(object.type, node, context);
};

/** True when the method is only known when the value is there: of undeclared data, or of a class derived from the known one. */
const isOpenEnded = (type: Type, node: CallNode, { host }: Context): boolean =>
  type.kind === "dynamic" ||
  (type.kind === "class" && host.derived(type.definition).some((each) => methodsOf(each, node.name).length > 0));

interface Here {
  readonly scope: Scope;
  readonly context: Context;
  readonly path: string;
}

const unknownMethod = (type: Type, node: CallNode, context: Context): Error => {
  const names =
    type.kind === "class"
      ? allMethods(type.definition)
      : itemType(type) !== undefined && type.kind !== "scalar"
        ? sequenceMethodNames
        : [...tableOf(type, context).values()].flatMap((methods) => methods.map(({ name }) => name));
  const isMember = memberNames(type).some((name) => name.toLowerCase() === node.name.toLowerCase());
  const hint = isMember
    ? `'${node.name}' is a member, not a method: leave the brackets out`
    : didYouMean(node.name, names);
  return problem(
    "unknown_method",
    `No applicable method '${node.name}' exists in type '${typeName(type)}'`,
    node,
    hint,
  );
};

const allMethods = (definition: Parameters<typeof allMembers>[0]): readonly string[] => {
  const names = definition.methods.map(({ name }) => name);
  return definition.base === undefined ? names : [...names, ...allMethods(definition.base)];
};

const empty: MethodTable = new Map();

const tableOf = (type: Type, context: Context): MethodTable => {
  if (type.kind !== "scalar") return empty;
  switch (type.name) {
    case "String":
      return stringMethods(context.limits);
    case "DateTime":
      return dateMethods;
    case "TimeSpan":
      return spanMethods;
    case "Guid":
      return guidMethods;
    default:
      return empty;
  }
};

const boundArguments = (node: CallNode, { scope, context }: Here): readonly Bound[] =>
  node.arguments.map((argument) => context.bind(argument, scope));

const noOverload = (name: string, methods: readonly Method[], node: CallNode, given: readonly Bound[]): Error =>
  problem(
    "wrong_arguments",
    `No applicable method '${name}' takes (${given.map(({ type }) => typeName(type)).join(", ")})`,
    node,
    signatures(methods),
  );

/** Strings, dates, spans, GUIDs. A string is also a sequence of characters, for methods it does not have itself. */
const tableMethod = (object: Bound, node: CallNode, here: Here): Bound | undefined => {
  const methods = tableOf(object.type, here.context).get(node.name.toLowerCase());
  if (methods === undefined) return undefined;
  const given = boundArguments(node, here);
  const chosen = chooseMethod(methods, given, here.context);
  if (chosen === undefined) throw noOverload(node.name, methods, node, given);
  const { method } = chosen;
  return {
    kind: "apply",
    type: method.returns,
    operation: method.operation,
    operands: [object, ...chosen.arguments],
    path: here.path,
    at: node.at,
  };
};

/** `ToString`, `Equals`, `GetHashCode`, `CompareTo`: what every value has. Hash codes are for scalars only. */
const universal = (object: Bound, node: CallNode, here: Here): Bound | undefined => {
  const { host } = here.context;
  const { type } = object;
  const one = (result: Type, what: Operation, operands: readonly Bound[]): Bound => ({
    kind: "apply",
    type: result,
    operation: what,
    operands,
    path: here.path,
    at: node.at,
  });
  switch (node.name.toLowerCase()) {
    case "tostring":
      if (node.arguments.length > 0) return undefined;
      return one({ kind: "scalar", name: "String", nullable: true }, showing(shower(type, host), type), [object]);
    case "equals": {
      const [other, ...more] = boundArguments(node, here);
      if (other === undefined || more.length > 0) return undefined;
      return equals({ left: object, right: other, at: node.at, sign: "==" }, here.context);
    }
    case "gethashcode": {
      if (node.arguments.length > 0) return undefined;
      if (type.kind !== "scalar" && type.kind !== "enum" && type.kind !== "dynamic")
        throw problem("not_allowed", `GetHashCode is for scalars, not for '${typeName(type)}'`, node);
      const hash = (value: unknown): number => {
        const key = keyOf(value, host);
        if (typeof key === "number" && Number.isInteger(key) && (key | 0) === key) return key;
        if (typeof key === "boolean") return Number(key);
        return hashText(showDynamic(value, host));
      };
      return one(int32, operation("GetHashCode", hash), [object]);
    }
    case "compareto": {
      const [other, ...more] = boundArguments(node, here);
      if (other === undefined || more.length > 0) return undefined;
      const right = converted(other, type, here.context);
      if (right === undefined)
        throw problem("wrong_arguments", `'CompareTo' takes ${typeName(type)}, not ${typeName(other.type)}`, node);
      return one(
        int32,
        operation("CompareTo", (a, b) => orderOf(a, b, host)),
        [object, right],
      );
    }
    default:
      return undefined;
  }
};

/** `ToString()`; values that are never null can be shown from generated code. */
const showing = (show: (value: unknown) => string, type: Type): Operation =>
  canBeNull(type)
    ? operation("ToString", show)
    : operation("ToString", show, (code, a = "") => `${code.link(show)}(${a})`);

const classMethod = (object: Bound, node: CallNode, here: Here): Bound | undefined => {
  if (object.type.kind !== "class") return undefined;
  const methods = methodsOf(object.type.definition, node.name);
  if (methods.length === 0) return undefined;
  const { context } = here;
  const types = node.types.map(({ name }) => name);
  const given = boundArguments(node, here);
  for (const method of methods) {
    if (method.typeParameters.length !== types.length) continue;
    const required = method.parameters.filter(({ optional }) => optional !== true).length;
    if (given.length < required || given.length > method.parameters.length) continue;
    const values = given.map((value, index) => {
      const parameter = method.parameters[index];
      return parameter === undefined ? undefined : converted(value, parameter.type, context);
    });
    const fitting = values.filter((value) => value !== undefined);
    if (fitting.length < given.length) continue;
    const returns = method.returns(types);
    if (returns === undefined) {
      const [wrong] = node.types;
      throw problem(
        "unknown_type",
        `Type '${types.join(", ")}' not found`,
        wrong ?? node,
        didYouMean(types[0] ?? "", context.host.typeNames()),
      );
    }
    const check = checkOf(returns, context.host);
    const call = operation(method.name, ((self: object, ...operands: readonly unknown[]) =>
      check(method.call(self, types, operands))) as never);
    return {
      kind: "apply",
      type: returns,
      operation: { ...call, cost: () => 16 },
      operands: [object, ...fitting],
      path: here.path,
      at: node.at,
    };
  }
  const shapes = methods.map(
    ({ name, typeParameters, parameters }) =>
      `${name}${typeParameters.length > 0 ? `<${typeParameters.join(", ")}>` : ""}(${parameters.map((parameter) => `${typeName(parameter.type)} ${parameter.name}`).join(", ")})`,
  );
  throw problem(
    "wrong_arguments",
    `No applicable method '${node.name}' exists in type '${typeName(object.type)}'`,
    node,
    shapes.join(", "),
  );
};

const dictionaryMethod = (object: Bound, node: CallNode, here: Here): Bound | undefined => {
  if (object.type.kind !== "dictionary") return undefined;
  const { host } = here.context;
  const lower = node.name.toLowerCase();
  if (lower !== "containskey" && lower !== "containsvalue") return undefined;
  const [given, ...more] = boundArguments(node, here);
  const wanted = lower === "containskey" ? object.type.key : object.type.value;
  const value = given === undefined || more.length > 0 ? undefined : converted(given, wanted, here.context);
  if (value === undefined) throw problem("wrong_arguments", `'${node.name}' takes one ${typeName(wanted)}`, node);
  const run =
    lower === "containskey"
      ? (owner: unknown, key: unknown) =>
          typeof owner === "object" && owner !== null && host.entry(owner, key) !== absent
      : (owner: unknown, item: unknown) =>
          [...entriesOf(owner, host).values()].some((each) => equalDynamic(each, item, host));
  return {
    kind: "apply",
    type: boolean,
    operation: operation(node.name, run),
    operands: [object, value],
    path: here.path,
    at: node.at,
  };
};

const enumMethod = (object: Bound, node: CallNode, here: Here): Bound | undefined => {
  if (object.type.kind !== "enum" || node.name.toLowerCase() !== "hasflag") return undefined;
  const [given, ...more] = boundArguments(node, here);
  const flag = given === undefined || more.length > 0 ? undefined : (textLiteralAs(given, object.type)?.read ?? given);
  if (flag === undefined) throw problem("wrong_arguments", "'HasFlag' takes one flag", node);
  const same =
    flag.type.kind === "enum" ? flag.type.definition === object.type.definition : isScalar(flag.type, "Int32");
  if (!same)
    throw problem(
      "wrong_arguments",
      `'HasFlag' takes ${object.type.definition.name}, not ${typeName(flag.type)}`,
      node,
    );
  return {
    kind: "apply",
    type: boolean,
    operation: operation("HasFlag", (value: number, part: number) => (value & part) === part),
    operands: [object, flag],
    path: here.path,
    at: node.at,
  };
};

/** A method of a value whose type is only known when it is there: a text's, a date's, a declared class's, or a sequence's. */
const dynamicMethod = (object: Bound, node: CallNode, here: Here): Bound | undefined => {
  const lower = node.name.toLowerCase();
  const isText = stringMethods(here.context.limits).has(lower);
  const isSequence = isSequenceMethod(lower);
  if (isSequence && !isText) return undefined;
  const given = boundArguments(node, here).map((value) => converted(value, dynamic, here.context) ?? value);
  const types = node.types.map(({ name }) => name);
  const call = (self: unknown, ...operands: readonly unknown[]): unknown =>
    callDynamic(normal(self, here.context.host), { name: node.name, operands, types }, here.context);
  return {
    kind: "apply",
    type: dynamic,
    operation: { ...operation(node.name, call as never), cost: () => 16 },
    operands: [object, ...given],
    path: here.path,
    at: node.at,
  };
};

interface DynamicCall {
  readonly name: string;
  readonly operands: readonly unknown[];
  readonly types: readonly string[];
}

const callDynamic = (self: unknown, call: DynamicCall, context: Context): unknown => {
  const { host } = context;
  const lower = call.name.toLowerCase();
  const table = tableOf(typeOfValue(self), context);
  const methods = table.get(lower);
  if (methods !== undefined) return runFitting(self, methods, call, context);
  if (EnumValue.is(self) && lower === "hasflag") {
    const [flag] = call.operands;
    const part = EnumValue.is(flag) ? flag.value : typeof flag === "string" ? self.definition.values.get(flag) : flag;
    if (typeof part === "number") return (self.value & part) === part;
  }
  if (typeof self === "object" && self !== null && !Sequence.is(self) && !isRow(self)) {
    const definition = host.classOf(self);
    const method = definition === undefined ? undefined : methodsOf(definition, call.name)[0];
    if (method !== undefined) {
      const returns = method.returns(call.types);
      const value = method.call(self, call.types, call.operands);
      return returns === undefined ? null : checkOf(returns, host)(value);
    }
    if (lower === "containskey") return host.entry(self, call.operands[0]) !== absent;
  }
  if (lower === "contains") {
    const [wanted] = call.operands;
    return itemsOf(self, host).some((item) => equalDynamic(item, wanted, host));
  }
  throw fault(
    "unknown_method",
    `No applicable method '${call.name}' exists for a ${kindOf(self)}`,
    "methods of the host must be declared to be called",
  );
};

const typeOfValue = (value: unknown): Type => {
  if (typeof value === "string") return { kind: "scalar", name: "String", nullable: true };
  if (DateTime.is(value)) return { kind: "scalar", name: "DateTime", nullable: false };
  if (TimeSpan.is(value)) return { kind: "scalar", name: "TimeSpan", nullable: false };
  if (Guid.is(value)) return { kind: "scalar", name: "Guid", nullable: false };
  return dynamic;
};

const runFitting = (self: unknown, methods: readonly Method[], call: DynamicCall, _context: Context): unknown => {
  for (const method of methods) {
    if (call.operands.length < method.required || call.operands.length > method.parameters.length) continue;
    const operands = call.operands.map((value, index) => {
      const type = method.parameters[index] ?? dynamic;
      return type.kind === "scalar" && type.name === "Int32" && typeof value === "number" ? Math.trunc(value) : value;
    });
    if (!operands.every((value, index) => fits(value, method.parameters[index] ?? dynamic))) continue;
    return method.operation.run(self, ...operands);
  }
  throw fault(
    "wrong_arguments",
    `No applicable method '${call.name}' takes (${call.operands.map(kindOf).join(", ")})`,
    signatures(methods),
  );
};

const fits = (value: unknown, type: Type): boolean => {
  if (type.kind !== "scalar") return true;
  if (value === null) return type.nullable;
  if (type.name === "String") return typeof value === "string";
  if (type.name === "Char") return typeof value === "string" && value.length === 1;
  if (type.name === "Int32" || type.name === "Double") return typeof value === "number";
  return typeof value === "object";
};

/** `Math.Max(…)`, `string.Join(…)`, `MonsterRarity.…(…)`. */
export const bindStaticCall = (
  type: NamedType,
  node: CallNode,
  { scope, context }: { readonly scope: Scope; readonly context: Context },
): Bound => {
  if (!("predefined" in type))
    throw problem(
      "unknown_method",
      `Type '${type.declared.name}' has no static method '${node.name}'`,
      node,
      "methods belong to instances: start with a root",
    );
  const statics = staticsOf(type.predefined, context.host, context.limits);
  const methods = statics.methods.get(node.name.toLowerCase());
  if (methods === undefined) {
    const names = [...statics.methods.values()].flatMap((overloads) => overloads.map(({ name }) => name));
    throw problem(
      "unknown_method",
      `No applicable method '${node.name}' exists in type '${type.predefined}'`,
      node,
      didYouMean(node.name, names),
    );
  }
  const given = boundArguments(node, { scope, context, path: "" }).map((value) =>
    type.predefined === "String" ? asSequence(value, context) : value,
  );
  const chosen = chooseMethod(methods, given, context);
  if (chosen === undefined) throw noOverload(node.name, methods, node, given);
  const { method } = chosen;
  return { kind: "apply", type: method.returns, operation: method.operation, operands: chosen.arguments, at: node.at };
};

/** Collections become sequences of text for `string.Join`. */
const asSequence = (value: Bound, { host }: Context): Bound => {
  const item = value.type.kind === "scalar" ? undefined : itemType(value.type);
  if (item === undefined || value.type.kind === "null") return value;
  const show = shower(item, host);
  const shown = operation("texts", (list) => (list === null ? null : new Sequence(itemsOf(list, host).map(show))));
  return { kind: "apply", type: listOf(dynamic), operation: shown, operands: [value], at: value.at };
};

/** A call without an object: a conversion, or a method of `it`. */
export const bindBareCall = (node: CallNode, scope: Scope, context: Context): Bound => {
  const conversion = bindConversion(node, scope, context);
  if (conversion !== undefined) return conversion;
  if (scope.it === undefined)
    throw problem(
      "unknown_method",
      `There is no function '${node.name}'`,
      node,
      didYouMean(node.name, ["np", "iif", "isnull", "is", "as", "cast"]),
    );
  const it = context.bind({ kind: "scope", at: node.at, word: "it" }, scope);
  return bindCall(it, node, { scope, context });
};

const outOfRange = (index: number, length: number): never => {
  throw fault(
    "out_of_range",
    `Index ${index} is outside the list of ${length}`,
    length === 0 ? "the list is empty" : `use 0 to ${length - 1}`,
  );
};

/** `list[0]`, `text[0]`, `dictionary["key"]`, and what a declared class indexes. */
export const bindIndex = (
  object: Bound,
  node: IndexNode,
  { scope, context }: { readonly scope: Scope; readonly context: Context },
): Bound => {
  const [argument, ...more] = node.arguments;
  if (argument === undefined || more.length > 0) throw problem("wrong_arguments", "An index is one value", node);
  const index = context.bind(argument, scope);
  const path = print(node.object);
  const { host } = context;
  const made = (type: Type, run: (owner: never, key: never) => unknown, key: Bound): Bound => ({
    kind: "apply",
    type,
    operation: operation("[]", run),
    operands: [object, key],
    path,
    at: node.at,
  });
  const needed = (type: Type, what: string): Bound => {
    const key = converted(index, type, context);
    if (key !== undefined) return key;
    throw problem("wrong_arguments", what, index, `it is ${typeName(index.type)}`);
  };
  const { type } = object;
  switch (type.kind) {
    case "list": {
      const check = checkOf(type.item, host);
      return made(
        type.item,
        (list: unknown, at: number) => check(elementAt(itemsOf(list, host), at)),
        needed(int32, "Array index must be an integer expression"),
      );
    }
    case "dictionary":
      return made(type.value, entryReader(type, host), needed(type.key, `The key must be ${typeName(type.key)}`));
    case "dynamic":
      return made(
        dynamic,
        (owner: unknown, key: unknown) => indexDynamic(owner, key, context),
        converted(index, dynamic, context) ?? index,
      );
    case "class": {
      const { definition } = type;
      if (definition.indexer !== undefined) {
        const { key, type: given, read } = definition.indexer;
        const check = checkOf(given, host);
        return made(
          given,
          (owner: object, at: unknown) => check(read(owner, at)),
          needed(key, `The index must be ${typeName(key)}`),
        );
      }
      if (definition.open)
        return made(
          dynamic,
          (owner: unknown, key: unknown) => indexDynamic(owner, key, context),
          converted(index, dynamic, context) ?? index,
        );
      break;
    }
    case "scalar":
      if (type.name === "String")
        return made(
          char,
          (text: string, at: number) => (at < 0 || at >= text.length ? outOfRange(at, text.length) : text.charAt(at)),
          needed(int32, "Array index must be an integer expression"),
        );
      break;
    default:
      break;
  }
  throw problem("wrong_operands", `No applicable indexer exists in type '${typeName(type)}'`, node);
};

const elementAt = (items: readonly unknown[], index: number): unknown =>
  index < 0 || index >= items.length ? outOfRange(index, items.length) : items[index];

const indexDynamic = (given: unknown, key: unknown, { host }: Context): unknown => {
  const owner = normal(given, host);
  if (typeof key === "number") {
    if (typeof owner === "string")
      return key < 0 || key >= owner.length ? outOfRange(key, owner.length) : owner.charAt(key);
    const items = Sequence.is(owner)
      ? owner.items
      : typeof owner === "object" && owner !== null
        ? host.list(owner)
        : undefined;
    if (items !== undefined) return normal(elementAt(items, key), host);
  }
  if (typeof owner === "object" && owner !== null && !Sequence.is(owner) && !isRow(owner)) {
    const definition = host.classOf(owner);
    if (definition?.indexer !== undefined) return definition.indexer.read(owner, key);
    const entry = host.entry(owner, key);
    if (entry !== absent) return normal(entry, host);
  }
  if (typeof key === "string") return readDynamic(owner, key, host);
  throw fault("wrong_operands", `A ${kindOf(owner)} can not be indexed by a ${kindOf(key)}`);
};
