/** The language's view of a host: its registry, its roots, and careful reading of everything else. */
import { types } from "node:util";
import { absent, createListing, type Entries, type HostAccess, type RootDefinition } from "@fairlead/linq";
import { defaultLimits, type Limits } from "@fairlead/linq/limits";
import { type CheckedCalls, withCheckedCalls } from "./checked-calls.ts";
import { directRows } from "./direct-rows.ts";
import { refuseInherited, refuseUndeclared } from "./inherited.ts";
import { NameReader } from "./names.ts";
import { opaqueText } from "./opaque.ts";
import {
  copyElements,
  mapEntries,
  mapEntry,
  ownData,
  plainData,
  readInstant,
  readListing,
  rowsInPlace,
  setHolds,
} from "./reading.ts";
import { describeType, RedactedValue, type Redaction, redactedError } from "./redaction.ts";
import type { Registry } from "./registry.ts";

interface HostOptions {
  readonly registry: Registry;
  readonly roots: readonly RootDefinition[];
  readonly now: () => number;
  readonly limits?: Limits;
  /** Nothing is redacted when left out. */
  readonly redaction?: Redaction | undefined;
  /** Without leave for what stops the program when left out. */
  readonly names?: NameReader | undefined;
  /** Runs getters and methods without a declaration; they are refused when left out. */
  readonly calls?: CheckedCalls | undefined;
}

export const hostAccess = ({ redaction, calls, ...options }: HostOptions): HostAccess => {
  const careful = openAccess(options, redaction);
  const host = calls === undefined ? careful : { ...careful, ...withCheckedCalls(careful, calls) };
  return redaction === undefined ? host : { ...host, ...withoutSecrets(host, redaction) };
};

const openAccess = (
  { registry, roots, now, limits = defaultLimits, names = new NameReader() }: Omit<HostOptions, "redaction" | "calls">,
  redaction: Redaction | undefined,
): HostAccess => {
  const host: HostAccess = {
    now,
    roots,
    type: (name) => registry.find(name)?.definition,
    typeNames: function* () {
      for (const { definition } of registry.all()) yield definition.name;
    },
    derived: (definition) => registry.derived(definition),
    declaresMethod: (lower) => registry.declaresMethod(lower),
    constructs: (definition) => registry.constructs(definition),
    findClass: (value) => {
      const found = registry.of(value)?.definition;
      return found?.kind === "class" ? found : undefined;
    },
    plainField: plainData,
    field: ownData,
    refuseInherited: (owner, name, use) => refuseInherited(owner, { name, use }, names),
    refuseUndeclared: ({ fullName }, name, use) => {
      const declaration = registry.find(fullName)?.declaration;
      if (declaration === undefined || declaration.kind === "enum" || declaration.constructs === undefined) return;
      refuseUndeclared(declaration.constructs.prototype, { name, use }, names);
    },
    fieldNames: names.read,
    opaque: opaqueText,
    list: (value) => (isTrusted(value) ? value : copyElements(value, limits.items)),
    listing: (value) => (isTrusted(value) ? createListing(value) : readListing(value)),
    dictionary: (value) => mapEntries(value),
    holds: setHolds,
    entry: mapEntry,
    instant: readInstant,
    rowsInPlace: (value) => {
      const rows = isTrusted(value) ? value : rowsInPlace(value);
      return rows !== undefined && rows.length <= limits.items ? rows : undefined;
    },
    direct: (rows, type) => directRows(rows, type, { ...host, hides: (name) => redaction?.hides(name) === true }),
  };
  return host;
};

/** Of which the text of an error is made. */
const errorMembers = ["name", "message"];

type NamedReads = Pick<
  HostAccess,
  "opaque" | "plainField" | "field" | "callMember" | "entry" | "dictionary" | "redactedType" | "refuseRedacted"
>;

/** The reads that go by a name, each of which refuses a redacted one. */
const withoutSecrets = (host: HostAccess, { hides, hidesMember }: Redaction): NamedReads => ({
  // The text of an error is of its members.
  opaque: (value) => (errorMembers.some(hides) && types.isNativeError(value) ? "(Error)" : host.opaque(value)),
  plainField: (owner, name) => (hidesMember(owner, name) ? absent : host.plainField(owner, name)),
  field: (owner, name) => {
    const found = host.field(owner, name);
    if (found !== absent && hidesMember(owner, name)) throw redactedError(name);
    return found;
  },
  entry: (value, key) => {
    const found = host.entry(value, key);
    if (typeof key === "string" && found !== absent && hides(key)) throw redactedError(key);
    return found;
  },
  dictionary: (value) => {
    const entries = host.dictionary(value);
    return entries === undefined ? undefined : redactEntries(entries, hides);
  },
  ...(host.callMember === undefined ? {} : { callMember: refuseHidden(host.callMember, hidesMember) }),
  refuseRedacted: (value) => {
    if (RedactedValue.is(value)) RedactedValue.refuse(value);
  },
  redactedType: (owner, name) => {
    if (!hidesMember(owner, name)) return undefined;
    try {
      return describeType(host.field(owner, name));
    } catch {
      // A getter, which is refused when it is read.
      return undefined;
    }
  },
});

/** A method whose name says that it gives a secret is not called. */
const refuseHidden =
  (call: NonNullable<HostAccess["callMember"]>, hidesMember: Redaction["hidesMember"]): typeof call =>
  (owner, name, values) => {
    if (hidesMember(owner, name)) throw redactedError(name);
    return call(owner, name, values);
  };

const redactEntries = (entries: Entries, hides: Redaction["hides"]): Entries => {
  const pairs = function* (): Generator<readonly [unknown, unknown]> {
    for (const [key, value] of entries)
      yield typeof key === "string" && hides(key) ? [key, new RedactedValue(key, value)] : [key, value];
  };
  return {
    size: entries.size,
    keys: () => entries.keys(),
    *values() {
      for (const [, value] of pairs()) yield value;
    },
    [Symbol.iterator]: pairs,
  };
};

const trusted = new WeakSet<object>();

/** Marks an array of the service's own making, whose elements are plain data properties: it is read without copying. */
export const trust = <T extends unknown[]>(array: T): T => {
  trusted.add(array);
  return array;
};

const isTrusted = (value: object): value is readonly unknown[] => trusted.has(value);
