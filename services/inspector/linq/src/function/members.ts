/** Which properties and methods the values of a predefined type have. */
import type { Limits } from "../core/limits.ts";
import { int32, type ScalarName, type Type } from "../type/type.ts";
import { guidMethods, uriMethods, uriProperties } from "./address.ts";
import { dayMethods, dayProperties, timeMethods, timeProperties } from "./calendar.ts";
import type { MethodTable } from "./method.ts";
import { type PropertyTable, propertyTable } from "./property.ts";
import { stringMethods } from "./string.ts";
import { dateMethods, dateProperties, spanMethods, spanProperties } from "./time.ts";

const properties: Readonly<Partial<Record<ScalarName, PropertyTable>>> = {
  String: propertyTable([["Length", int32, (text: string) => text.length]]),
  DateTime: dateProperties,
  DateOnly: dayProperties,
  TimeOnly: timeProperties,
  TimeSpan: spanProperties,
  Uri: uriProperties,
};

const methods: Readonly<Partial<Record<ScalarName, MethodTable>>> = {
  DateTime: dateMethods,
  DateOnly: dayMethods,
  TimeOnly: timeMethods,
  TimeSpan: spanMethods,
  Guid: guidMethods,
  Uri: uriMethods,
};

export const findProperties = (type: Type): PropertyTable | undefined =>
  type.kind === "scalar" ? properties[type.name] : undefined;

export const scalarMethods = (type: Type, limits: Limits): MethodTable => {
  if (type.kind !== "scalar") return none;
  return type.name === "String" ? stringMethods(limits) : (methods[type.name] ?? none);
};

/** Names of all methods that values of predefined types have, in lower case. */
export const scalarMethodNames = (limits: Limits): ReadonlySet<string> =>
  new Set([stringMethods(limits), ...Object.values(methods)].flatMap((table) => [...table.keys()]));

const none: MethodTable = new Map();
