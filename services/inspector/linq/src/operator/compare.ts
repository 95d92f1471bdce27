/**
 * Equality and order. Strings are ordinal, null comes first, NaN before other numbers. Values of different kinds are never
 * equal, and comparing them with `<` is an error, except where a text literal can be read as the other side's type (the binder
 * sees to that).
 */
import { fault } from "../core/error.ts";
import type { HostAccess } from "../type/host.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue, enumNumber } from "../value/enum.ts";
import { isRow, quotedSource } from "../value/row.ts";
import { Group, Sequence } from "../value/sequence.ts";
import { type SimpleName, SimpleValue } from "../value/simple.ts";
import { DateTime } from "../value/time.ts";
import { parseScalar } from "./convert.ts";

/** A host value as the language has it: `undefined` is null, a `Date` is a DateTime. */
export const normalizeValue = (value: unknown, host: HostAccess): unknown => {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null) return value;
  const instant = isLanguageValue(value) ? undefined : host.instant(value);
  return instant === undefined ? value : DateTime.of(instant);
};

/** A value that the language made, which needs no look-up in the host. */
export const isLanguageValue = (value: object): boolean =>
  Sequence.is(value) || Decimal.is(value) || SimpleValue.isSimple(value) || EnumValue.is(value) || isRow(value);

type PlainValue =
  | { readonly kind: "number"; readonly value: number | bigint | Decimal }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: SimpleName; readonly value: number | string };

/** What a value is for comparing; undefined for what has no order. */
const plainValue = (value: unknown): PlainValue | undefined => {
  switch (typeof value) {
    case "number":
    case "bigint":
      return { kind: "number", value };
    case "string":
      return { kind: "string", value };
    case "boolean":
      return { kind: "boolean", value };
    default:
      if (Decimal.is(value)) return { kind: "number", value };
      if (EnumValue.is(value)) return { kind: "number", value: value.value };
      return SimpleValue.isSimple(value) ? { kind: value.type, value: value.order } : undefined;
  }
};

/** -1, 0, 1, or NaN when one side is NaN. */
const compareNumbers = (a: number | bigint | Decimal, b: number | bigint | Decimal): number => {
  if (!Decimal.is(a) && !Decimal.is(b)) return a < b ? -1 : a > b ? 1 : a <= b ? 0 : Number.NaN;
  if (typeof a === "number" && !Number.isFinite(a)) return a;
  if (typeof b === "number" && !Number.isFinite(b)) return -b;
  return exactly(a).compare(exactly(b));
};

const exactly = (value: number | bigint | Decimal): Decimal => {
  if (Decimal.is(value)) return value;
  return typeof value === "bigint" ? Decimal.of(value, 0) : Decimal.fromNumber(value);
};

const textAs = (text: string, other: unknown): unknown => {
  if (EnumValue.is(other)) return enumNumber(other.definition, text);
  return SimpleValue.isSimple(other) ? parseScalar(text, other.type) : undefined;
};

/** Order of two values that are not null; NaN when one of them is NaN. Throws `type_mismatch` for different kinds. */
export const compareDynamic = (left: unknown, right: unknown, host: HostAccess): number => {
  let a = normalizeValue(left, host);
  let b = normalizeValue(right, host);
  if (typeof a === "string" && typeof b === "object") a = textAs(a, b) ?? a;
  else if (typeof b === "string" && typeof a === "object") b = textAs(b, a) ?? b;
  const x = plainValue(a);
  const y = plainValue(b);
  if (x === undefined || y === undefined || x.kind !== y.kind)
    throw fault(
      "type_mismatch",
      `A ${describeKind(a)} and a ${describeKind(b)} have no order`,
      "convert one side, or filter by type first",
    );
  if (x.kind === "number" && y.kind === "number") return compareNumbers(x.value, y.value);
  return x.value < y.value ? -1 : x.value > y.value ? 1 : 0;
};

/** The name of a value's kind, for messages; never the value. */
export const describeKind = (value: unknown): string => {
  if (value === null || value === undefined) return "null";
  const known = plainValue(value)?.kind;
  if (known !== undefined) return known;
  return Sequence.is(value) ? "list" : typeof value;
};

/** Equality of any two values; different kinds are unequal. Objects of the host are equal when they are the same one. */
export const equalDynamic = (left: unknown, right: unknown, host: HostAccess): boolean => {
  if (left === right) return true;
  const a = normalizeValue(left, host);
  const b = normalizeValue(right, host);
  if (a === null || b === null) return a === b;
  if (typeof a === "string" && typeof b === "string") return false;
  if (typeof a === "string" && typeof b === "object") return equalText(a, b);
  if (typeof b === "string" && typeof a === "object") return equalText(b, a);
  const x = plainValue(a);
  const y = plainValue(b);
  if (x !== undefined && y !== undefined) {
    if (x.kind !== y.kind) return false;
    return x.kind === "number" && y.kind === "number" ? compareNumbers(x.value, y.value) === 0 : x.value === y.value;
  }
  return a === b || (isStructural(a) && isStructural(b) && valueKey(a, host) === valueKey(b, host));
};

const equalText = (text: string, other: object): boolean => {
  const read = textAs(text, other);
  if (EnumValue.is(other)) return read === other.value;
  return SimpleValue.isSimple(other) && SimpleValue.isSimple(read) && read.order === other.order;
};

const isStructural = (value: unknown): boolean => typeof value === "object" && value !== null && isLanguageValue(value);

const ranks = {
  null: 0,
  boolean: 1,
  number: 2,
  string: 3,
  DateTime: 4,
  DateOnly: 5,
  TimeOnly: 6,
  TimeSpan: 7,
  Guid: 8,
  Uri: 9,
  other: 10,
} as const;

/** A total order for sorting: null, then booleans, numbers (NaN first), strings, dates, spans; the rest stays as it was. */
export const compareValues = (left: unknown, right: unknown, host: HostAccess): number => {
  if (typeof left === "number" && typeof right === "number")
    return left < right ? -1 : left > right ? 1 : left === right ? 0 : nanFirst(left, right);
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  const a = normalizeValue(left, host);
  const b = normalizeValue(right, host);
  const x = plainValue(a);
  const y = plainValue(b);
  const rankX = a === null ? ranks.null : ranks[x?.kind ?? "other"];
  const rankY = b === null ? ranks.null : ranks[y?.kind ?? "other"];
  if (rankX !== rankY || x === undefined || y === undefined) return rankX - rankY;
  if (x.kind === "number" && y.kind === "number") {
    const order = compareNumbers(x.value, y.value);
    return Number.isNaN(order) ? nanFirst(Number(x.value), Number(y.value)) : order;
  }
  return x.value < y.value ? -1 : x.value > y.value ? 1 : 0;
};

const nanFirst = (a: number, b: number): number => Number(Number.isNaN(b)) - Number(Number.isNaN(a));

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/** A key for maps: equal values have equal keys. Records and lists go by what is in them, host objects by identity. */
export const valueKey = (value: unknown, host: HostAccess): unknown => {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return value === 0 ? 0 : value;
  const key = deepKey(value, host);
  return typeof key === "string" ? `\u0000${key}` : key;
};

const deepKey = (value: unknown, host: HostAccess): unknown => {
  const known = normalizeValue(value, host);
  if (known === null) return null;
  if (typeof known === "bigint") return BigInt(Number(known)) === known ? Number(known) : `m:${known}`;
  if (typeof known !== "object") return typeof known === "symbol" ? known : `f:${typeof known}`;
  if (Decimal.is(known)) return decimalKey(known);
  if (EnumValue.is(known)) return known.value;
  if (SimpleValue.isSimple(known)) return `${known.type}:${known.order}`;
  if (Group.is(known)) return `k:${part(known.key, host)}:${known.items.map((item) => part(item, host)).join(",")}`;
  if (Sequence.is(known)) return `l:${known.items.map((item) => part(item, host)).join(",")}`;
  if (isRow(known)) {
    const row = known;
    return `r:${Object.keys(row)
      .map((name) => `${name}=${part(row[name], host)}`)
      .join(",")}`;
  }
  const identity = identities.get(known) ?? ++lastIdentity;
  identities.set(known, identity);
  return `o:${identity}`;
};

/** That of the equal double, where there is one. */
const decimalKey = (value: Decimal): unknown => {
  const number = value.toNumber();
  return Decimal.fromNumber(number).compare(value) === 0 ? number : `m:${value.shortest()}`;
};

const part = (value: unknown, host: HostAccess): string => {
  const key = valueKey(value, host);
  return typeof key === "string" ? quotedSource(key) : String(key);
};
