/**
 * Values to JSON: what `eval` and `query` give back. Only own data and declared members are looked at; objects made here have no
 * prototype, no function and nothing that JSON.stringify or `await` would call.
 *
 * `depth` is how many levels of objects are opened: at 0 an object is its text, at 1 its members are there with their own
 * objects as text. Structs are values and are shown whole. A value met again below itself is a reference by path.
 */

import {
  allMembers,
  type ClassDefinition,
  dynamic,
  type Entries,
  type HostAccess,
  LinqError,
  type Listing,
  type PauseBudget,
  type Resumable,
  runToEnd,
  type Type,
  typeName,
} from "@fairlead/linq";
import {
  Decimal,
  EnumValue,
  enumName,
  Group,
  isRow,
  linkedCheck,
  normalizeValue,
  Sequence,
  SimpleValue,
  showDynamic,
  singleText,
} from "@fairlead/linq/values";
import { functionText } from "../host/opaque.ts";
import { longestSecret, maskText, RedactedValue } from "../host/redaction.ts";
import { entryExpression, memberExpression } from "./expression.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

interface EncodeOptions {
  readonly host: HostAccess;
  /** True for types that are values, like structs; they are opened at any depth. */
  readonly isStruct?: (definition: ClassDefinition) => boolean;
  /** Most elements of a collection. */
  readonly items: number;
  /** Most bytes of the whole, as JSON; more is `result_too_large`. */
  readonly bytes: number;
  /** Longest text. */
  readonly text?: number;
  /** When to give the thread back; never when left out. */
  readonly budget?: PauseBudget | undefined;
}

/** Values between two questions to the budget. */
const askEvery = 32;

interface EncodePlace {
  readonly depth: number;
  /** The expression that leads to the value. */
  readonly path: string;
}

export class Encoder {
  readonly #options: EncodeOptions;
  readonly #open: { readonly value: object; readonly path: string }[] = [];
  #bytes = 0;
  #values = 0;
  #pauses = 0;

  constructor(options: EncodeOptions) {
    this.#options = options;
  }

  /** Bytes given out so far, near enough. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A value of a type as JSON, at once. `path` is how the value is reached, for references. */
  encode(value: unknown, type: Type, at: EncodePlace): Json {
    return runToEnd(this.encodeInSteps(value, type, at));
  }

  /** The same with pauses, for what may contain much. */
  *encodeInSteps(value: unknown, type: Type, { depth, path }: EncodePlace): Resumable<Json> {
    if (++this.#values % askEvery === 0 && this.#options.budget?.isSpent() === true) {
      this.#pauses++;
      yield;
    }
    const scalar = this.#scalar(value, type);
    if (scalar !== undefined) return this.#pay(scalar);
    const known = normalizeValue(value, this.#options.host);
    const converted = this.#scalar(known, dynamic);
    if (converted !== undefined || typeof known !== "object" || known === null) return this.#pay(converted ?? null);
    const above = this.#open.find((each) => each.value === known);
    if (RedactedValue.is(known)) return this.#redacted(RedactedValue.typeOf(known));
    if (above !== undefined) return this.#made([["$ref", this.#pay(above.path === "" ? "it" : above.path)]]);
    if (this.#open.length > 32) return this.#pay("…");
    this.#open.push({ value: known, path });
    try {
      return yield* this.#object(known, type, { depth, path });
    } finally {
      this.#open.pop();
    }
  }

  #scalar(value: unknown, type: Type): Json | undefined {
    switch (typeof value) {
      case "undefined":
        return null;
      case "boolean":
        return value;
      case "string":
        return this.#cut(value);
      case "number":
        if (type.kind === "enum") return enumName(type.definition, value);
        if (!Number.isFinite(value)) return String(value);
        return type.kind === "scalar" && type.name === "Single" ? Number(singleText(value).replace("E", "e")) : value;
      case "bigint":
        return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : String(value);
      case "symbol":
        return `Symbol(${value.description ?? ""})`;
      case "function":
        return this.#cut(functionText(value));
      case "object":
        if (value === null) return null;
        if (EnumValue.is(value)) return enumName(value.definition, value.value);
        if (Decimal.is(value)) return decimalJson(value);
        if (SimpleValue.isSimple(value)) return value.text();
        return undefined;
    }
  }

  #cut(text: string): string {
    const most = this.#options.text ?? 4_000;
    const masked = maskText(text.slice(0, most + longestSecret));
    const shown = masked.length <= most && text.length <= most ? masked : `${masked.slice(0, most - 1)}…`;
    return shown.isWellFormed() ? shown : Array.from(shown, escaped).join("");
  }

  /** Counts what is given out; throws when it is too much. */
  #pay<T extends Json>(json: T): T {
    this.#bytes += typeof json === "string" ? Buffer.byteLength(json) + 3 : 8;
    if (this.#bytes <= this.#options.bytes) return json;
    throw new LinqError("result_too_large", `The result is larger than ${this.#options.bytes} bytes`, {
      position: 0,
      hint: "ask for less: a smaller depth, fewer rows, or a select",
    });
  }

  #made(entries: readonly (readonly [string, Json])[]): Json {
    const object: Record<string, Json> = Object.create(null);
    for (const [name, json] of entries) {
      this.#bytes += name.length + 4;
      Object.defineProperty(object, name, { value: json, enumerable: true, writable: true, configurable: true });
    }
    return object;
  }

  *#object(value: object, type: Type, at: EncodePlace): Resumable<Json> {
    const { host } = this.#options;
    if (isRow(value)) return yield* this.#row(value, type, at);
    if (Sequence.is(value)) return yield* this.#list(value.elements, type, at, Group.is(value) ? value : undefined);
    const definition = host.findClass(value) ?? (type.kind === "class" ? type.definition : undefined);
    const isStruct = definition !== undefined && this.#options.isStruct?.(definition) === true;
    if (definition !== undefined && (at.depth > 0 || isStruct)) return yield* this.#members(value, definition, at);
    if (definition !== undefined) return this.#pay(this.#cut(displayText(value, definition, host)));
    return yield* this.#undeclared(value, type, at);
  }

  *#undeclared(value: object, type: Type, at: EncodePlace): Resumable<Json> {
    const { host } = this.#options;
    const list = host.listing(value);
    if (list !== undefined) return yield* this.#list(list, type, at);
    const entries = host.dictionary(value);
    if (entries !== undefined) return yield* this.#dictionary(entries, type, at);
    const text = host.opaque(value);
    if (at.depth <= 0) return this.#pay(this.#cut(text ?? "(object)"));
    const names = host.fieldNames(value);
    if (names.length === 0 && text !== undefined) return this.#pay(this.#cut(text));
    const shown = names.slice(0, this.#options.items);
    const taken = new Map<string, number>();
    const parts: [string, Json][] = [];
    for (const name of shown) {
      const inside = { depth: at.depth - 1, path: memberExpression(at.path, name) };
      const label = unused(maskText(name), taken);
      const redacted = host.redactedType?.(value, name);
      parts.push([
        label,
        redacted === undefined
          ? yield* this.#read(() => host.field(value, name), dynamic, inside)
          : this.#redacted(redacted),
      ]);
    }
    if (names.length > shown.length) parts.push(["$more", names.length - shown.length]);
    return this.#made(parts);
  }

  /** What reading gives, or why not. */
  *#read(read: () => unknown, type: Type, at: EncodePlace): Resumable<Json> {
    try {
      return yield* this.encodeInSteps(read(), type, at);
    } catch (error) {
      return this.#unreadable(error);
    }
  }

  *#members(owner: object, definition: ClassDefinition, { depth, path }: EncodePlace): Resumable<Json> {
    const { host, items } = this.#options;
    const parts: [string, Json][] = [];
    for (const { name, type, read, isRedacted } of allMembers(definition).slice(0, Math.max(items, 200))) {
      const inside = { depth: depth - 1, path: memberExpression(path, name) };
      const json =
        isRedacted === true
          ? this.#redacted(typeName(type))
          : yield* this.#read(() => linkedCheck(type, host)(read(owner)), type, inside);
      parts.push([name, json]);
    }
    return this.#made(parts);
  }

  /** What stands for a value that the host keeps to itself. */
  #redacted(type: string): Json {
    return this.#made([["$redacted", this.#pay(type)]]);
  }

  /** The placeholder of a member that could not be read; a full answer is still an error. */
  #unreadable(error: unknown): Json {
    if (!(error instanceof LinqError) || error.code === "result_too_large") throw error;
    return this.#made([["$unreadable", this.#pay(maskText(error.message))]]);
  }

  *#row(row: Readonly<Record<string, unknown>>, type: Type, { depth, path }: EncodePlace): Resumable<Json> {
    const fields = type.kind === "record" ? type.fields : [];
    const parts: [string, Json][] = [];
    for (const name of Object.keys(row)) {
      const found = fields.find((field) => field.name === name)?.type ?? dynamic;
      const inside = { depth: depth - 1, path: memberExpression(path, name) };
      parts.push([name, yield* this.encodeInSteps(row[name], found, inside)]);
    }
    return this.#made(parts);
  }

  *#list(items: Listing, type: Type, { depth, path }: EncodePlace, group?: Group): Resumable<Json> {
    const item = type.kind === "list" ? type.item : dynamic;
    const head: [string, Json][] = [];
    if (group !== undefined) {
      const keyType = type.kind === "list" ? (type.key ?? dynamic) : dynamic;
      head.push(["Key", yield* this.encodeInSteps(group.key, keyType, { depth, path: `${path}.Key` })]);
    }
    head.push(["count", items.length]);
    if (depth <= 0) return this.#made(head);
    const inner: Json[] = [];
    let pauses = this.#pauses;
    while (inner.length < Math.min(items.length, this.#options.items)) {
      const index = inner.length;
      if (this.#pauses !== pauses) items.resumed?.();
      pauses = this.#pauses;
      inner.push(yield* this.#read(() => items.at(index), item, { depth: depth - 1, path: `${path}[${index}]` }));
    }
    const more = items.length - inner.length;
    return this.#made([...head, ["items", inner], ...(more > 0 ? ([["more", more]] as const) : [])]);
  }

  *#dictionary(entries: Entries, type: Type, { depth, path }: EncodePlace): Resumable<Json> {
    const [keyType, valueType] = type.kind === "dictionary" ? [type.key, type.value] : [dynamic, dynamic];
    if (depth <= 0) return this.#made([["count", entries.size]]);
    const parts: [string, Json][] = [];
    const taken = new Map<string, number>();
    for (const [key, value] of entries) {
      if (parts.length >= this.#options.items) break;
      const name = this.encode(key, keyType, { depth: 0, path });
      const text = typeof name === "string" ? name : JSON.stringify(name);
      const inside = { depth: depth - 1, path: entryExpression(path, key, { type: keyType, index: parts.length }) };
      parts.push([unused(text, taken), yield* this.encodeInSteps(value, valueType, inside)]);
    }
    const more: readonly (readonly [string, Json])[] =
      entries.size > parts.length ? [["more", entries.size - parts.length]] : [];
    return this.#made([["count", entries.size], ["entries", this.#made(parts)], ...more]);
  }
}

/** The name itself, or with a number where different keys look alike: `(object)`, `(object) #2`. */
const unused = (name: string, taken: Map<string, number>): string => {
  for (let number = taken.get(name) ?? 1; ; number++) {
    const shown = number === 1 ? name : `${name} #${number}`;
    if (number > 1 && taken.has(shown)) continue;
    taken.set(name, number + 1);
    if (number > 1) taken.set(shown, 2);
    return shown;
  }
};

/** The host's text of an instance, else the type's name in brackets. */
const displayText = (value: object, definition: ClassDefinition, host: HostAccess): string => {
  const text = host.findClass(value) === undefined ? definition.fullName : shownBy(host, value, definition.fullName);
  return text === definition.fullName ? `(${definition.name})` : text;
};

/** A text that the host fails to make is no reason to show nothing of the instance. */
const shownBy = (host: HostAccess, value: object, otherwise: string): string => {
  try {
    return showDynamic(value, host);
  } catch (error) {
    if (LinqError.is(error) && error.code === "host_failed") return otherwise;
    throw error;
  }
};

/** Half a character as the escape that makes it: no transport could carry it. A whole one as it is. */
const escaped = (character: string): string =>
  character.isWellFormed() ? character : `\\u${character.charCodeAt(0).toString(16)}`;

const decimalJson = (value: Decimal): Json => {
  const text = value.text();
  return text.length <= 15 ? Number(text) : text;
};
