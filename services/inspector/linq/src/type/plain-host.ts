/**
 * A host over plain data: objects, arrays, maps, sets and dates, with no declared types. Own data properties are all that is read: getters and
 * proxies are refused, so no code of the data runs. A host with declared types or faster rows implements `HostAccess` itself.
 */
import { types } from "node:util";
import { fault } from "../core/error.ts";
import { defaultLimits, type Limits } from "../core/limits.ts";
import { absent, type Entries, type HostAccess, readInOrder } from "./host.ts";
import { dynamic } from "./type.ts";

/** The roots and types of a host over plain values. */
export interface PlainHostOptions {
  /** Milliseconds since the epoch, for `DateTime.Now`; the system's clock when left out. */
  readonly now?: () => number;
  readonly limits?: Limits;
}

/** What expressions can name: `plainHost({ orders })` makes `orders` a root. */
export const plainHost = (
  roots: Readonly<Record<string, unknown>>,
  { now = Date.now, limits = defaultLimits }: PlainHostOptions = {},
): HostAccess => {
  const list = (value: object): readonly unknown[] | undefined => readElements(value, limits.items);
  return {
    now,
    roots: Object.entries(roots).map(([name, value]) => ({ name, type: dynamic, read: () => value })),
    type: () => undefined,
    typeNames: () => [],
    derived: () => [],
    declaresMethod: () => false,
    constructs: () => false,
    findClass: () => undefined,
    plainField: (owner, name) => (types.isProxy(owner) ? absent : (descriptor(owner, name)?.value ?? absent)),
    field: readField,
    refuseInherited: () => undefined,
    fieldNames: (owner) => (types.isProxy(owner) || Array.isArray(owner) ? [] : Object.getOwnPropertyNames(owner)),
    opaque: (value) => (types.isProxy(value) ? "(Proxy)" : undefined),
    list,
    listing: (value) => {
      if (types.isProxy(value)) return undefined;
      if (types.isSet(value))
        return { length: Number(setSize?.call(value)), at: readInOrder(() => setValues.call(value)) };
      return Array.isArray(value) ? { length: value.length, at: (index) => readElement(value, index) } : undefined;
    },
    dictionary: (value) => (types.isMap(value) ? readEntries(value) : undefined),
    entry: (value, key) => {
      if (types.isMap(value)) return mapHas.call(value, key) ? mapGet.call(value, key) : absent;
      return typeof key === "string" ? readField(value, key) : absent;
    },
    instant: (value) => (types.isDate(value) ? dateTime.call(value) : undefined),
  };
};

const { entries: mapEntries, keys: mapKeys, values: mapValues, get: mapGet, has: mapHas } = Map.prototype;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")?.get;
const { values: setValues } = Set.prototype;
const setForEach = Set.prototype.forEach;
const dateTime = Date.prototype.getTime;
const descriptor = Object.getOwnPropertyDescriptor;

const refuse = (name: string, what: string): never => {
  throw fault("not_readable", `'${name}' ${what}, which would run code`, "pass plain data");
};

const readField = (owner: object, name: string): unknown => {
  if (types.isProxy(owner)) return refuse(name, "belongs to a proxy");
  const found = descriptor(owner, name);
  if (found === undefined) return absent;
  return "value" in found ? found.value : refuse(name, "is a getter");
};

const readEntries = (map: Map<unknown, unknown>): Entries => ({
  size: Number(mapSize?.call(map)),
  keys: () => mapKeys.call(map),
  values: () => mapValues.call(map),
  [Symbol.iterator]: () => mapEntries.call(map),
});

const copySet = (set: Set<unknown>): readonly unknown[] => {
  const copy: unknown[] = [];
  setForEach.call(set, (value) => void copy.push(value));
  return copy;
};

const readElements = (value: object, most: number): readonly unknown[] | undefined => {
  if (types.isProxy(value)) return undefined;
  const elements = Array.isArray(value) ? value : types.isSet(value) ? copySet(value) : undefined;
  if (elements === undefined) return undefined;
  if (elements.length > most) throw fault("too_many_items", `The list has more than ${most} elements`);
  return Array.from({ length: elements.length }, (_, index) => readElement(elements, index));
};

const readElement = (elements: object, index: number): unknown => {
  const element = readField(elements, String(index));
  return element === absent ? undefined : element;
};
