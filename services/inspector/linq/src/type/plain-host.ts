/**
 * A host over plain data: objects, arrays, maps, sets and dates, with no declared types. Own data properties are all that is read: getters and
 * proxies are refused, so no code of the data runs. A host with declared types or faster rows implements `HostAccess` itself.
 */
import { types } from "node:util";
import { fault } from "../core/error.ts";
import { defaultLimits, type Limits } from "../core/limits.ts";
import { absent, createListing, type HostAccess } from "./host.ts";
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
      const items = list(value);
      return items === undefined ? undefined : createListing(items);
    },
    dictionary: (value) => (types.isMap(value) ? copyMap(value) : undefined),
    entry: (value, key) => {
      if (types.isMap(value)) return mapHas.call(value, key) ? mapGet.call(value, key) : absent;
      return typeof key === "string" ? readField(value, key) : absent;
    },
    instant: (value) => (types.isDate(value) ? dateTime.call(value) : undefined),
  };
};

const { forEach: mapForEach, get: mapGet, has: mapHas } = Map.prototype;
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

const copyMap = (map: Map<unknown, unknown>): ReadonlyMap<unknown, unknown> => {
  const copy = new Map<unknown, unknown>();
  mapForEach.call(map, (value, key) => void copy.set(key, value));
  return copy;
};

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
  return Array.from({ length: elements.length }, (_, index) => {
    const element = readField(elements, String(index));
    return element === absent ? undefined : element;
  });
};
