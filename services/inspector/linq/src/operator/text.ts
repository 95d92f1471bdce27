/** How values read as text in concatenation and `ToString()`, as .NET's invariant culture writes them. */

import { portable } from "../core/portable.ts";
import type { HostAccess } from "../type/host.ts";
import type { ClassDefinition } from "../type/type.ts";
import { type Type, typeName } from "../type/type.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue, enumName } from "../value/enum.ts";
import { isRow } from "../value/row.ts";
import { Group, Sequence } from "../value/sequence.ts";
import { SimpleValue } from "../value/simple.ts";
import { DateTime } from "../value/time.ts";

/** A double as .NET Core writes it: shortest digits, `E+15` and up, `E-05` and down. */
const doubleText = (value: number): string => scientific(value, String(Math.abs(value)), 15);

/** A Single: the shortest digits that give the same 32 bits. */
export const singleText = (value: number): string => {
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Math.abs(value).toPrecision(digits);
    if (Math.fround(Number(shorter)) === Math.abs(value)) return scientific(value, String(Number(shorter)), 7);
  }
  return scientific(value, String(Number(Math.abs(value).toPrecision(9))), 7);
};

const scientific = (value: number, shortest: string, from: number): string => {
  if (!Number.isFinite(value)) return String(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "0", power = "0"] = Number(shortest).toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= from) return `${sign}${mantissa}E+${String(exponent).padStart(2, "0")}`;
  if (exponent <= -5) return `${sign}${mantissa}E-${String(-exponent).padStart(2, "0")}`;
  if (exponent < 0) return `${sign}${Number(shortest).toFixed(mantissa.replace(".", "").length - 1 - exponent)}`;
  return sign + shortest;
};

/** The function that writes values of a static type. */
export const shower = portable("shower", (type: Type, host: HostAccess) => writer(type, host));

const writer = (type: Type, host: HostAccess): ((value: unknown) => string) => {
  if (type.kind === "enum") {
    const { definition } = type;
    return (value) => (typeof value === "number" ? enumName(definition, value) : "");
  }
  if (type.kind === "scalar" && type.name === "Single")
    return (value) => (typeof value === "number" ? singleText(value) : "");
  if (type.kind === "record")
    return (value) => {
      if (typeof value !== "object" || value === null || !isRow(value)) return "";
      return `{ ${type.fields.map((field) => `${field.name} = ${writer(field.type, host)(value[field.name])}`).join(", ")} }`;
    };
  if (type.kind === "list" || type.kind === "dictionary") {
    const name = typeName(type);
    return (value) => (value === null ? "" : name);
  }
  if (type.kind === "class")
    return (value) => {
      const isUndeclared = typeof value === "object" && value !== null && host.findClass(value) === undefined;
      return isUndeclared ? displayText(type.definition, value) : showDynamic(value, host);
    };
  return (value) => showDynamic(value, host);
};

/** Writes a value by what it is. Host objects give their declared text or their type's name; their own code never runs. */
export const showDynamic = (value: unknown, host: HostAccess): string => {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return doubleText(value);
    case "boolean":
      return value ? "True" : "False";
    case "bigint":
      return String(value);
    case "undefined":
      return "";
    case "function":
      return "Function";
    case "symbol":
      return "Symbol";
    case "object":
      return value === null ? "" : showObject(value, host);
  }
};

const showObject = (value: object, host: HostAccess): string => {
  if (EnumValue.is(value)) return enumName(value.definition, value.value);
  if (SimpleValue.isSimple(value) || Decimal.is(value)) return value.text();
  if (Group.is(value)) return "Group";
  if (Sequence.is(value)) return "List";
  if (isRow(value)) return "Row";
  const instant = host.instant(value);
  if (instant !== undefined) return DateTime.of(instant).text();
  const definition = host.findClass(value);
  return definition === undefined ? "object" : displayText(definition, value);
};

const displayText = (definition: ClassDefinition, value: object): string => {
  for (let at: ClassDefinition | undefined = definition; at !== undefined; at = at.base)
    if (at.display !== undefined) return at.display(value);
  return definition.fullName;
};
