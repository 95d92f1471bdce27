/** Methods of values whose type is only known when they are there. */

import { fault } from "../../core/error.ts";
import type { Limits } from "../../core/limits.ts";
import { type Operation, operation } from "../../core/operation.ts";
import { portable } from "../../core/portable.ts";
import { scalarMethodNames, scalarMethods } from "../../function/members.ts";
import { type Method, signatures } from "../../function/method.ts";
import { stringMethods } from "../../function/string.ts";
import { valueCheck } from "../../operator/check.ts";
import { describeKind, equalDynamic, isLanguageValue, normalizeValue } from "../../operator/compare.ts";
import { findListing, readItems } from "../../operator/elements.ts";
import type { CallNode } from "../../syntax/ast.ts";
import { absent, findMethods, type HostAccess } from "../../type/host.ts";
import { dynamic, type MethodDefinition, type Type } from "../../type/type.ts";
import { Decimal } from "../../value/decimal.ts";
import { EnumValue } from "../../value/enum.ts";
import { isRow } from "../../value/row.ts";
import { Sequence } from "../../value/sequence.ts";
import { SimpleValue } from "../../value/simple.ts";
import { convertImplicitly, copied, expectation } from "../term/conversion.ts";
import { type BoundNode, childNodes } from "../tree/bound.ts";
import type { Context } from "../tree/context.ts";
import { bindArguments, type CallSite } from "./overload.ts";
import { isSequenceMethod } from "./sequences.ts";

const ofAnyValue: ReadonlySet<string> = new Set(["hasflag", "containskey"]);

/** True when there are values with a method of that name. */
const isSomewhere = (lower: string, { host, limits }: Context): boolean =>
  ofAnyValue.has(lower) || scalarMethodNames(limits).has(lower) || host.declaresMethod(lower);

/** A method of a value whose type is only known when it is there: a text's, a date's, a declared class's, or a sequence's. */
export const dynamicMethod = (object: BoundNode, node: CallNode, here: CallSite): BoundNode | undefined => {
  const lower = node.name.toLowerCase();
  const isText = stringMethods(here.context.limits).has(lower);
  if (isSequenceMethod(lower) ? !isText : !isSomewhere(lower, here.context)) return undefined;
  const given = bindArguments(node, here).map((value) => convertImplicitly(value, dynamic, here.context) ?? value);
  const types = node.types.map(({ name }) => name);
  const { host, limits } = here.context;
  return {
    kind: "apply",
    type: dynamic,
    operation:
      lower === "contains" && !readsRow(object)
        ? longContains({ name: node.name, types }, host, limits)
        : dynamicCall({ name: node.name, types }, host, limits),
    operands: [object, ...given],
    path: here.path,
    at: node.at,
  };
};

/** True for what may be another value in each row. */
const readsRow = (bound: BoundNode): boolean => bound.kind === "slot" || childNodes(bound).some(readsRow);

interface MethodName {
  readonly name: string;
  readonly types: readonly string[];
}

interface DynamicCall extends MethodName {
  readonly operands: readonly unknown[];
}

const dynamicCall = portable("dynamicCall", (called: MethodName, host: HostAccess, limits: Limits): Operation => {
  const run = (given: unknown, ...values: readonly unknown[]): unknown => {
    const self = normalizeValue(given, host);
    const operands = values.map((value) => normalizeValue(value, host));
    const methods = scalarMethods(typeOfValue(self), limits).get(called.name.toLowerCase());
    return methods === undefined
      ? callDynamic(self, { ...called, operands }, host)
      : runFitting(self, methods, { ...called, operands, host });
  };
  return { ...operation(called.name, run as never), cost: dynamicCost(called, host) };
});

/** `Contains` of what may be a long list: it pauses. Of a row it does not, so that a query for texts need not. */
const longContains = portable("longContains", (called: MethodName, host: HostAccess, limits: Limits): Operation => {
  const atOnce = dynamicCall(called, host, limits);
  return {
    ...atOnce,
    *inSteps(frame, self, wanted, ...more) {
      const listing = typeof self === "object" && self !== null ? findListing(self, host) : undefined;
      const known = listing === undefined ? undefined : host.holds?.(Object(self), wanted);
      if (listing === undefined || known !== undefined) return atOnce.run(self, wanted, ...more);
      frame.admitList(listing.length);
      for (let index = 0; index < listing.length; index++) {
        const item = listing.at(index);
        if (item === absent) break;
        if (equalDynamic(item, wanted, host)) return true;
        if (!frame.isDue()) continue;
        yield;
        listing.resumed?.();
      }
      return false;
    },
  };
});

/** Elements that `Contains` looks at without a pause. */
const mostAtOnce = 50_000;

const listContains = (self: unknown, wanted: unknown, host: HostAccess): boolean => {
  const length = findListing(self, host)?.length ?? 0;
  if (length > mostAtOnce)
    throw fault(
      "too_many_items",
      `'Contains' of a row's list looks at ${mostAtOnce} elements at most; this one has ${length}`,
      "use Any(x => x == value), which can pause",
    );
  return readItems(self, host).some((item) => equalDynamic(item, wanted, host));
};

/** Looking through the elements of a list is paid for by their number. */
const dynamicCost =
  ({ name }: MethodName, host: HostAccess): NonNullable<Operation["cost"]> =>
  (self, item) => {
    if (name.toLowerCase() !== "contains" || typeof self !== "object" || self === null || isLanguageValue(self))
      return 16;
    return 16 + (host.holds?.(self, item) === undefined ? (host.listing(self)?.length ?? 0) : 0);
  };

interface UnknownCall {
  readonly name: string;
  readonly message: string;
  readonly hint: string | undefined;
}

/** A call of what no declared value has: refused with better words where the value has it from its class. */
export const unknownCall = portable(
  "unknownCall",
  ({ name, message, hint }: UnknownCall, host: HostAccess): Operation => ({
    name,
    run: (self, ...values) => {
      const given = callHost(self, name, { values, host });
      if (given !== absent) return given;
      throw fault("unknown_method", message, hint);
    },
  }),
);

interface HostCall {
  readonly values: readonly unknown[];
  readonly host: HostAccess;
}

/** What a method of the host gives, where it lets it run; `absent` where there is none. Throws where it does not. */
const callHost = (self: unknown, name: string, { values, host }: HostCall): unknown => {
  if (typeof self !== "object" || self === null || isLanguageValue(self)) return absent;
  // What collections have by JavaScript is called otherwise here, which the hint says.
  if (host.listing(self) !== undefined || host.dictionary(self) !== undefined) return absent;
  const given = host.callMember?.(self, name, values) ?? absent;
  if (given !== absent) return given;
  host.refuseInherited(self, name, "call");
  const own = host.field(self, name);
  if (typeof own === "function")
    throw fault("not_readable", `'${name}' can be listed but not called`, "declare the class and mark it `pure`");
  return absent;
};

const callDynamic = (self: unknown, call: DynamicCall, host: HostAccess): unknown => {
  const lower = call.name.toLowerCase();
  if (EnumValue.is(self) && lower === "hasflag") {
    const [flag] = call.operands;
    const part = EnumValue.is(flag) ? flag.value : typeof flag === "string" ? self.definition.values.get(flag) : flag;
    if (typeof part === "number") return (self.value & part) === part;
  }
  if (typeof self === "object" && self !== null && !Sequence.is(self) && !isRow(self)) {
    const definition = host.findClass(self);
    const declared = definition === undefined ? [] : findMethods(definition, call.name);
    if (declared.length > 0) return callDeclared(self, declared, { ...call, host });
    if (lower === "containskey") return host.entry(self, call.operands[0]) !== absent;
  }
  if (lower === "contains") {
    const [wanted] = call.operands;
    const known = typeof self === "object" && self !== null ? host.holds?.(self, wanted) : undefined;
    return known ?? listContains(self, wanted, host);
  }
  const given = callHost(self, call.name, { values: call.operands, host });
  if (given !== absent) return given;
  throw fault(
    "unknown_method",
    `No applicable method '${call.name}' exists for a ${describeKind(self)}`,
    "methods of the host must be declared to be called",
  );
};

/** A method that the host declared: the first that takes so many arguments, each checked against its type. */
const callDeclared = (
  self: object,
  methods: readonly MethodDefinition[],
  { name, types, operands, host }: DynamicCall & { readonly host: HostAccess },
): unknown => {
  const method = methods.find(({ typeParameters, parameters }) => {
    const required = parameters.filter(({ optional }) => optional !== true).length;
    return (
      typeParameters.length === types.length && operands.length >= required && operands.length <= parameters.length
    );
  });
  if (method === undefined)
    throw fault("wrong_arguments", `No applicable method '${name}' takes (${operands.map(describeKind).join(", ")})`);
  const values = operands.map((each, index) => expectation(method.parameters[index]?.type ?? dynamic, host).run(each));
  const returns = method.returns(types);
  const value = method.call(self, types, values);
  return returns === undefined ? null : valueCheck(returns, host)(value);
};

const typeOfValue = (value: unknown): Type => {
  if (typeof value === "string") return { kind: "scalar", name: "String", nullable: true };
  return SimpleValue.isSimple(value) ? { kind: "scalar", name: value.type, nullable: false } : dynamic;
};

const runFitting = (
  self: unknown,
  methods: readonly Method[],
  call: DynamicCall & { readonly host: HostAccess },
): unknown => {
  for (const method of methods) {
    if (call.operands.length < method.required || call.operands.length > method.parameters.length) continue;
    if (!call.operands.every((value, index) => fits(value, method.parameters[index] ?? dynamic))) continue;
    const operands = call.operands.map((value, index) =>
      prepareOperand(value, method.parameters[index] ?? dynamic, call.host),
    );
    return method.operation.run(self, ...operands);
  }
  throw fault(
    "wrong_arguments",
    `No applicable method '${call.name}' takes (${call.operands.map(describeKind).join(", ")})`,
    signatures(methods),
  );
};

/** A value in the form that methods take it. */
const prepareOperand = (value: unknown, type: Type, host: HostAccess): unknown => {
  if (type.kind === "list") return copied(value, type.item, host);
  if (EnumValue.is(value)) return value.value;
  if (type.kind === "scalar" && type.name === "Int64" && typeof value === "number") return BigInt(value);
  return type.kind === "scalar" && type.name === "Int32" && typeof value === "number" ? Math.trunc(value) : value;
};

const fits = (value: unknown, type: Type): boolean => {
  if (type.kind === "enum") return EnumValue.is(value) && value.definition === type.definition;
  if (type.kind === "list") return typeof value === "object" && value !== null;
  if (type.kind !== "scalar") return true;
  if (value === null) return type.nullable;
  if (type.name === "String") return typeof value === "string";
  if (type.name === "Char") return typeof value === "string" && value.length === 1;
  if (type.name === "Boolean") return typeof value === "boolean";
  if (type.name === "Int32" || type.name === "Double") return typeof value === "number";
  if (type.name === "Int64") return typeof value === "bigint" || Number.isSafeInteger(value);
  if (type.name === "Decimal") return Decimal.is(value);
  return SimpleValue.isSimple(value) && value.type === type.name;
};
