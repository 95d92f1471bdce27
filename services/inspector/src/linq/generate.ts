/**
 * The checked tree to source text, for rows that may be read as plain properties. Only names and literals of the user's text
 * get into the source, and both are quoted; everything else is written here or linked by reference.
 *
 * What has no source form (sequences, methods) is linked as a closure, so every expression can be generated in part.
 */

import { checkOf } from "./binder/check.ts";
import type { Bound, BoundApply, BoundRead } from "./bound.ts";
import { type Code, compile, located, nullReference } from "./compile.ts";
import type { HostAccess } from "./host.ts";
import type { Emitter } from "./operation.ts";
import type { Type } from "./type.ts";
import { quotedSource, rowClass } from "./value/row.ts";

/** Local names in the source: the row, the frame. */
export const rowName = "r";
export const frameName = "f";

type Maker = (...links: readonly unknown[]) => unknown;

const makers = new Map<string, Maker>();
const kept = 256;

/** What V8 learnt about a source while it ran stays with it: a query asked again starts fast. */
const maker = (names: readonly string[], source: string): Maker => {
  const key = `${names.length} ${source}`;
  const known = makers.get(key);
  if (known !== undefined) return known;
  const fresh = new Function(...names, source) as Maker;
  if (makers.size >= kept) makers.clear();
  makers.set(key, fresh);
  return fresh;
};

export class SourceWriter implements Emitter {
  readonly #host: HostAccess;
  readonly #keys: readonly string[];
  readonly #links: unknown[] = [];
  readonly #locals = new Map<number, string>();
  readonly #reads = new Set<string>();
  #temporaries = 0;

  constructor(host: HostAccess, keys: readonly string[]) {
    this.#host = host;
    this.#keys = keys;
  }

  /** Names that the source reads of rows as plain properties. */
  get reads(): readonly string[] {
    return [...this.#reads];
  }

  temporary(): string {
    return `t${this.#temporaries++}`;
  }

  link(value: unknown): string {
    const known = this.#links.indexOf(value);
    if (known >= 0) return `l${known}`;
    this.#links.push(value);
    return `l${this.#links.length - 1}`;
  }

  /** The function of a body that uses what was written and linked; `parameters` are its own. */
  finish<F>(parameters: readonly string[], body: string): F {
    const names = this.#links.map((_, index) => `l${index}`);
    const locals = Array.from({ length: this.#temporaries }, (_, index) => `t${index}`);
    const declared = locals.length === 0 ? "" : `let ${locals.join(", ")};\n`;
    const source = `"use strict"; return function (${parameters.join(", ")}) {\n${declared}${body}\n}`;
    return maker(names, source)(...this.#links) as F;
  }

  /** The source of an expression over the row. */
  write(bound: Bound): string {
    switch (bound.kind) {
      case "value":
        return this.#value(bound.value);
      case "slot":
        return bound.slot === 0 ? rowName : (this.#locals.get(bound.slot) ?? this.#closure(bound));
      case "read":
        return this.#read(bound);
      case "apply":
        return this.#apply(bound);
      case "logic":
        return `(${bound.items.map((item) => this.write(item)).join(` ${bound.operator} `)})`;
      case "choose":
        return `(${this.write(bound.test)} ? ${this.write(bound.whenTrue)} : ${this.write(bound.whenFalse)})`;
      case "coalesce":
        return `(${this.write(bound.left)} ?? ${this.write(bound.right)})`;
      case "let": {
        if (reachesSlot(bound.rest, bound.slot)) return this.#closure(bound);
        const held = this.temporary();
        this.#locals.set(bound.slot, held);
        const value = `${held} = ${this.write(bound.object)}`;
        return bound.lifted
          ? `((${value}) == null ? null : ${this.write(bound.rest)})`
          : `(${value}, ${this.write(bound.rest)})`;
      }
      case "new":
        return `new ${this.link(rowClass(bound.names))}(${bound.values.map((value) => this.write(value)).join(", ")})`;
      case "sequence":
        return this.#closure(bound);
    }
  }

  #value(value: unknown): string {
    if (typeof value === "string") return quotedSource(value);
    if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0))
      return value < 0 ? `(${value})` : String(value);
    if (typeof value === "boolean" || value === null) return String(value);
    return this.link(value);
  }

  /** A linked closure, run on the row. */
  #closure(bound: Bound): string {
    const code: Code = compile(bound, this.#host);
    return `(${frameName}.slots[0] = ${rowName}, ${frameName}.row(), ${this.link(code)}(${frameName}))`;
  }

  #read(bound: BoundRead): string {
    const { object, key } = bound;
    if (object.kind === "slot" && object.slot === 0 && key !== undefined) {
      const spelt = this.#spelling(key, bound.type);
      if (spelt !== undefined) {
        this.#reads.add(spelt);
        return this.#checked(`${rowName}[${quotedSource(spelt)}]`, bound.type);
      }
    }
    const { read, path, at } = bound;
    const reader = (owner: unknown): unknown => {
      if (owner === null || owner === undefined) throw nullReference(path, at);
      try {
        return read(owner);
      } catch (error) {
        throw located(error, at);
      }
    };
    return `${this.link(reader)}(${this.write(object)})`;
  }

  /** How rows spell a key; undefined for one that a prototype could answer. */
  #spelling(key: string, type: Type): string | undefined {
    const exact = this.#keys.includes(key);
    const spelt =
      exact || type.kind !== "dynamic"
        ? key
        : (this.#keys.find((known) => known.toLowerCase() === key.toLowerCase()) ?? key);
    return spelt in Object.prototype ? undefined : spelt;
  }

  /** A property with the check of its declared type around it, the common case inline. */
  #checked(source: string, type: Type): string {
    if (type.kind === "dynamic") return source;
    const check = this.link(checkOf(type, this.#host));
    const expected = primitive(type);
    if (expected === undefined) return `${check}(${source})`;
    const value = this.temporary();
    return `(typeof (${value} = ${source}) === "${expected}" ? ${value} : ${check}(${value}))`;
  }

  #apply(bound: BoundApply): string {
    const { operation } = bound;
    if (operation.emit !== undefined)
      return operation.emit(this, ...bound.operands.map((operand) => this.write(operand)));
    if (operation.cost !== undefined || bound.path !== undefined) {
      if (bound.operands.some((operand) => usesLocals(operand, this.#locals))) return this.#linked(bound);
      return this.#closure(bound);
    }
    return this.#linked(bound);
  }

  #linked(bound: BoundApply): string {
    const { operation, path, at } = bound;
    const operands = bound.operands.map((operand) => this.write(operand)).join(", ");
    const call = (...values: readonly unknown[]): unknown => {
      if (path !== undefined && (values[0] === null || values[0] === undefined)) throw nullReference(path, at);
      return operation.run(...values);
    };
    return `${this.link(path === undefined ? operation.run : call)}(${operands})`;
  }
}

/** What `typeof` says of a type's values, where it says enough. */
const primitive = (type: Type): string | undefined => {
  if (type.kind === "enum") return "number";
  if (type.kind !== "scalar") return undefined;
  switch (type.name) {
    case "Boolean":
      return "boolean";
    case "String":
      return "string";
    case "Int64":
    case "UInt64":
      return "bigint";
    case "Decimal":
    case "DateTime":
    case "DateOnly":
    case "TimeOnly":
    case "TimeSpan":
    case "Guid":
    case "Uri":
    case "Char":
      return undefined;
    default:
      return "number";
  }
};

/** True when something that is linked as a closure would look for a slot that only a local holds. */
const reachesSlot = (bound: Bound, slot: number): boolean =>
  bound.kind === "sequence" ||
  (bound.kind === "apply" && (bound.operation.cost !== undefined || bound.path !== undefined))
    ? mentions(bound, (each) => each === slot)
    : below(bound).some((child) => reachesSlot(child, slot));

const usesLocals = (bound: Bound, locals: ReadonlyMap<number, string>): boolean =>
  mentions(bound, (slot) => locals.has(slot));

const mentions = (bound: Bound, test: (slot: number) => boolean): boolean =>
  bound.kind === "slot" ? test(bound.slot) : below(bound).some((child) => mentions(child, test));

/** The nodes directly below one. */
export const below = (bound: Bound): readonly Bound[] => {
  switch (bound.kind) {
    case "value":
    case "slot":
      return [];
    case "read":
      return [bound.object];
    case "apply":
      return bound.operands;
    case "logic":
      return bound.items;
    case "choose":
      return [bound.test, bound.whenTrue, bound.whenFalse];
    case "coalesce":
      return [bound.left, bound.right];
    case "let":
      return [bound.object, bound.rest];
    case "sequence":
      return [bound.source, ...bound.lambdas.map(({ body }) => body), ...bound.values];
    case "new":
      return bound.values;
  }
};
