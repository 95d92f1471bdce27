/** Members of values: declared ones by their type, those of undeclared data by what is there when it is read. */

import { fault } from "../../core/error.ts";
import type { Operation } from "../../core/operation.ts";
import { locateError } from "../../core/place.ts";
import { named, portable } from "../../core/portable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { findProperties } from "../../function/members.ts";
import type { ScalarProperty } from "../../function/property.ts";
import { valueCheck } from "../../operator/check.ts";
import { describeKind, normalizeValue } from "../../operator/compare.ts";
import { findListing, mapListing, readEntries, readItems } from "../../operator/elements.ts";
import {
  absent,
  allMembers,
  type Entries,
  findMember,
  findMethods,
  type HostAccess,
  readInOrder,
} from "../../type/host.ts";
import type { ClassDefinition } from "../../type/type.ts";
import {
  boolean,
  canBeNull,
  type DictionaryType,
  dynamic,
  int32,
  listType,
  sameType,
  scalar,
  string,
  type Type,
  toNonNullable,
  typeName,
} from "../../type/type.ts";
import { EnumValue } from "../../value/enum.ts";
import { blockedNames, isRow } from "../../value/row.ts";
import { Group, Sequence } from "../../value/sequence.ts";
import { SimpleValue } from "../../value/simple.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context } from "../tree/context.ts";

interface MemberAccess {
  readonly name: string;
  readonly at: number;
  /** Text of the object, for messages. */
  readonly path: string;
}

/** A member of a bound value, or undefined when its type has none of that name. */
export const memberRead = (object: BoundNode, access: MemberAccess, context: Context): BoundNode | undefined => {
  const { type } = object;
  const read: MemberReader = (memberType, reader, { name = access.name, key } = {}) => ({
    kind: "read",
    type: memberType,
    object,
    read: reader,
    name,
    key,
    path: access.path,
    at: access.at,
  });
  const nullable = nullableMember(object, access.name, read);
  if (nullable !== undefined) return nullable;
  const property = scalarProperty(type, access.name);
  if (property !== undefined)
    return read(property.type, propertyReader(toNonNullable(type), access.name), { name: property.name });
  switch (type.kind) {
    case "class":
      return classMember(type.definition, access, context, read);
    case "record": {
      const field = namedField(type.fields, access.name);
      return field === undefined ? undefined : read(field.type, fieldReader(field.name), { name: field.name });
    }
    case "list":
      return listMember(type, access.name, context, read);
    case "dictionary":
      return dictionaryMember(type, access.name, context, read);
    case "dynamic":
      refuseBlocked(access);
      return read(dynamic, dynamicReader(access.name, context.host), { key: access.name });
    default:
      return undefined;
  }
};

type MemberReader = (
  type: Type,
  read: (owner: unknown) => unknown,
  spelt?: { readonly name?: string; readonly key?: string | undefined },
) => BoundNode;

const refuseBlocked = ({ name, at }: MemberAccess): void => {
  if (blockedNames.has(name))
    throw bindError("blocked_name", `'${name}' can not be read: it belongs to JavaScript, not to the data`, { at });
};

const scalarProperty = (type: Type, name: string): ScalarProperty | undefined =>
  findProperties(type)?.get(name.toLowerCase());

/** `HasValue` and `Value` of a nullable scalar. */
const nullableMember = (object: BoundNode, name: string, read: MemberReader): BoundNode | undefined => {
  const { type } = object;
  const isNullable = (type.kind === "scalar" && type.name !== "String") || type.kind === "enum";
  if (!isNullable || !canBeNull(type)) return undefined;
  if (name.toLowerCase() === "value") return read(toNonNullable(type), itself);
  if (name.toLowerCase() !== "hasvalue") return undefined;
  return { kind: "apply", type: boolean, operation: hasValue, operands: [object], at: object.at };
};

const itself = named("itself", (value: unknown) => value);
const hasValue: Operation = named("hasValue", { name: "HasValue", run: (value: unknown) => value !== null });

const propertyReader = portable("propertyReader", (type: Type, name: string) => {
  const read = scalarProperty(type, name)?.read;
  return (value: unknown): unknown => read?.(value as never);
});

const fieldReader = portable("fieldReader", (name: string) => (row: unknown) => readField(row, name));

export const dynamicReader = portable(
  "dynamicReader",
  (name: string, host: HostAccess) => (value: unknown) => readDynamic(value, name, host),
);

const memberReader = portable("memberReader", (definition: ClassDefinition, name: string, host: HostAccess) => {
  const member = findMember(definition, name);
  const check = valueCheck(member?.type ?? dynamic, host);
  return (owner: unknown): unknown => check(member?.read(owner as object));
});

/** A member that derived classes have, all of one type; for any other value the error names the member that is missing. */
const derivedReader = portable("derivedReader", (type: Type, name: string, host: HostAccess) => {
  const check = valueCheck(type, host);
  return (owner: unknown): unknown => {
    const definition = typeof owner === "object" && owner !== null ? host.findClass(owner) : undefined;
    const member = definition === undefined ? undefined : findMember(definition, name);
    return check(member === undefined ? readDynamic(owner, name, host) : member.read(owner as object));
  };
});

const classMember = (
  definition: ClassDefinition,
  access: MemberAccess,
  context: Context,
  read: MemberReader,
): BoundNode | undefined => {
  const { host } = context;
  const member = findMember(definition, access.name);
  if (member !== undefined) {
    const reader = memberReader(definition, access.name, host);
    return read(member.type, reader, { name: member.name, key: member.key });
  }
  const [derived, ...others] = host.derived(definition).flatMap((each) => findMember(each, access.name) ?? []);
  if (derived !== undefined && others.every(({ type }) => sameType(type, derived.type)))
    return read(derived.type, derivedReader(derived.type, access.name, host));
  if (derived !== undefined) return read(dynamic, dynamicReader(access.name, host));
  if (!definition.open || findMethods(definition, access.name).length > 0) return undefined;
  refuseBlocked(access);
  return read(dynamic, dynamicReader(access.name, host), { key: access.name });
};

const namedField = <F extends { readonly name: string }>(fields: readonly F[], name: string): F | undefined =>
  fields.find((field) => field.name === name) ??
  fields.find((field) => field.name.toLowerCase() === name.toLowerCase());

const readField = (row: unknown, name: string): unknown =>
  typeof row === "object" && row !== null && isRow(row) ? row[name] : null;

const listMember = (
  type: Type & { kind: "list" },
  name: string,
  context: Context,
  read: MemberReader,
): BoundNode | undefined => {
  const lower = name.toLowerCase();
  if (lower === "count" || lower === "length") return read(int32, lengthReader(context.host), { name: "Count" });
  if (lower === "key" && type.key !== undefined) return read(type.key, groupKey, { name: "Key" });
  return undefined;
};

const lengthReader = portable("lengthReader", (host: HostAccess) => (list: unknown): number => {
  return findListing(list, host)?.length ?? readItems(list, host).length;
});

const groupKey = named("groupKey", (group: unknown) => (Group.is(group) ? group.key : null));

const dictionaryMember = (
  type: Type & { kind: "dictionary" },
  name: string,
  { host }: Context,
  read: MemberReader,
): BoundNode | undefined => {
  switch (name.toLowerCase()) {
    case "count":
      return read(int32, sizeReader(host));
    case "keys":
      return read(listType(type.key), partReader("keys", type.key, host));
    case "values":
      return read(listType(type.value), partReader("values", type.value, host));
    default:
      return type.key.kind === "scalar" && type.key.name === "String"
        ? read(type.value, namedEntryReader(type, name, host))
        : undefined;
  }
};

const sizeReader = portable("sizeReader", (host: HostAccess) => (value: unknown) => readEntries(value, host).size);

const partReader = portable("partReader", (part: "keys" | "values", type: Type, host: HostAccess) => {
  const check = valueCheck(type, host);
  return (value: unknown) => partSequence(readEntries(value, host), part, check);
});

/** The keys or values of a map, where they are. */
const partSequence = (entries: Entries, part: "keys" | "values", check?: (value: unknown) => unknown): Sequence =>
  new Sequence(() => {
    const listing = { length: entries.size, at: readInOrder(() => entries[part]()[Symbol.iterator]()) };
    return check === undefined ? listing : mapListing(listing, check);
  });

const namedEntryReader = portable("namedEntryReader", (type: DictionaryType, name: string, host: HostAccess) => {
  const readEntry = entryReader(type, host);
  return (value: unknown) => readEntry(value, name);
});

/** Reads one value of a dictionary; a missing key is an error. */
export const entryReader = portable("entryReader", (type: DictionaryType, host: HostAccess) => {
  const check = valueCheck(type.value, host);
  return (owner: unknown, key: unknown): unknown => {
    const found = typeof owner === "object" && owner !== null ? host.entry(owner, key) : absent;
    if (found !== absent) return check(found);
    const known = typeof key === "string" ? similarKeys(owner, host) : [];
    throw fault(
      "key_not_found",
      "The given key was not present in the dictionary",
      (typeof key === "string" ? didYouMean(key, known) : undefined) ?? "test ContainsKey(…) first",
    );
  };
});

/** Keys among which a misspelt one may be meant. */
const mostSimilar = 1_000;

const similarKeys = (owner: unknown, host: HostAccess): readonly string[] => {
  const names: string[] = [];
  for (const key of readEntries(owner, host).keys()) {
    if (names.length >= mostSimilar) break;
    if (typeof key === "string") names.push(key);
  }
  return names;
};

const wrap = (definition: ClassDefinition, name: string, owner: object, host: HostAccess): unknown => {
  const member = findMember(definition, name);
  if (member === undefined) return undefined;
  const value = valueCheck(member.type, host)(member.read(owner));
  return member.type.kind === "enum" && typeof value === "number"
    ? new EnumValue(member.type.definition, value)
    : (value ?? null);
};

/** A member of a value of undeclared type; null when plain data has none of that name. */
export const readDynamic = (given: unknown, name: string, host: HostAccess): unknown => {
  if (typeof given === "object" && given !== null) {
    const quick = host.plainField(given, name);
    if (quick !== absent) return quick ?? null;
  }
  const value = normalizeValue(given, host);
  if (typeof value === "string") return readProperty(string, name, value);
  if (SimpleValue.isSimple(value)) return readProperty(scalar(value.type), name, value);
  if (typeof value !== "object" || value === null) throw noMember(name, value);
  if (Sequence.is(value)) return readList(value, name);
  if (isRow(value)) {
    const field = namedField(
      Object.keys(value).map((known) => ({ name: known })),
      name,
    );
    return field === undefined ? null : value[field.name];
  }
  const definition = host.findClass(value);
  if (definition !== undefined) {
    const found = wrap(definition, name, value, host);
    if (found !== undefined) return found;
    if (!definition.open)
      throw fault(
        "unknown_member",
        `No property or field '${name}' exists in type '${definition.name}'`,
        suggestion(definition, name),
      );
  }
  return readPlain(value, name, host);
};

const readProperty = (of: Type, name: string, value: unknown): unknown => {
  const property = scalarProperty(of, name);
  if (property === undefined) throw noMember(name, value);
  const found = property.read(value as never);
  const { type } = property;
  return type.kind === "enum" && typeof found === "number" ? new EnumValue(type.definition, found) : found;
};

const noMember = (name: string, value: unknown): Error =>
  fault("unknown_member", `No property or field '${name}' exists in a ${describeKind(value)}`);

const readList = (value: Sequence, name: string): unknown => {
  const lower = name.toLowerCase();
  if (lower === "count" || lower === "length") return value.elements.length;
  if (lower === "key" && Group.is(value)) return value.key;
  throw noMember(name, value);
};

const readPlain = (value: object, name: string, host: HostAccess): unknown => {
  const own = host.field(value, name);
  if (own !== absent) return own ?? null;
  const entry = host.entry(value, name);
  if (entry !== absent) return entry ?? null;
  const lower = name.toLowerCase();
  if (lower === "count" || lower === "length" || lower === "keys" || lower === "values") {
    const entries = host.dictionary(value);
    if (entries !== undefined && (lower === "keys" || lower === "values")) return partSequence(entries, lower);
    if (lower === "count" || lower === "length") {
      const size = entries?.size ?? host.listing(value)?.length;
      if (size !== undefined) return size;
    }
  }
  const spelt = host.fieldNames(value).find((known) => known.toLowerCase() === lower);
  if (spelt !== undefined) return host.field(value, spelt) ?? null;
  host.refuseInherited(value, name);
  return null;
};

const suggestion = (definition: ClassDefinition, name: string): string | undefined => {
  const [method] = findMethods(definition, name);
  if (method !== undefined) return `it is a method: write ${method.name}()`;
  return didYouMean(
    name,
    allMembers(definition).map((member) => member.name),
  );
};

/** Names a type has, for suggestions. */
export const memberNames = (type: Type): readonly string[] => {
  switch (type.kind) {
    case "class":
      return allMembers(type.definition).map(({ name }) => name);
    case "record":
      return type.fields.map(({ name }) => name);
    case "list":
      return type.key === undefined ? ["Count"] : ["Key", "Count"];
    case "dictionary":
      return ["Count", "Keys", "Values"];
    case "scalar":
      return [...(findProperties(type)?.values() ?? [])].map(({ name }) => name);
    default:
      return [];
  }
};

/** "No property or field 'X' exists in type 'T'", with what is near. */
export const unknownMember = (type: Type, access: MemberAccess, { host }: Context): Error => {
  const { name, at } = access;
  try {
    if (type.kind === "class") host.refuseUndeclared?.(type.definition, name, "read");
  } catch (error) {
    throw locateError(error, at);
  }
  const hint = type.kind === "class" ? suggestion(type.definition, name) : didYouMean(name, memberNames(type));
  return bindError("unknown_member", `No property or field '${name}' exists in type '${typeName(type)}'`, access, hint);
};
