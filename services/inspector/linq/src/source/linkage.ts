/**
 * The two linkages by which generated source reaches functions of ours. By reference: they are parameters of the source, which runs
 * here. By recipe: each is made again by the source itself, which can run anywhere that the language's declarations are.
 */

import type { Limits } from "../core/limits.ts";
import { findRecipe } from "../core/portable.ts";
import { findDefinition } from "../type/definition.ts";
import type { HostAccess } from "../type/host.ts";
import type { TypeDefinition } from "../type/type.ts";
import { Decimal } from "../value/decimal.ts";
import { quotedSource } from "../value/row.ts";
import { Sequence } from "../value/sequence.ts";
import { SimpleValue } from "../value/simple.ts";
import type { Linkage } from "./generate.ts";

type SourceFunction = (...links: readonly unknown[]) => unknown;

const compiledSources = new Map<string, SourceFunction>();
const kept = 256;

/** V8 keeps what it optimised with the compiled source: a query that runs again starts fast. */
const compileSource = (names: readonly string[], source: string): SourceFunction => {
  const key = `${names.length} ${source}`;
  const known = compiledSources.get(key);
  if (known !== undefined) return known;
  const fresh = new Function(...names, source) as SourceFunction;
  if (compiledSources.size >= kept) compiledSources.clear();
  compiledSources.set(key, fresh);
  return fresh;
};

export class ReferenceLinkage implements Linkage {
  readonly #keys: readonly string[];
  readonly #links: unknown[] = [];
  readonly #reads = new Set<string>();

  /** @param keys keys of the rows as spelt */
  constructor(keys: readonly string[] = []) {
    this.#keys = keys;
  }

  /** Keys that the source reads of rows. */
  get reads(): readonly string[] {
    return [...this.#reads];
  }

  link(value: unknown): string {
    const known = this.#links.indexOf(value);
    if (known >= 0) return `l${known}`;
    this.#links.push(value);
    return `l${this.#links.length - 1}`;
  }

  key(name: string, exact: boolean): string | undefined {
    const spelt = findSpelling(this.#keys, name, exact);
    if (spelt in Object.prototype) return undefined;
    this.#reads.add(spelt);
    return quotedSource(spelt);
  }

  /** Runs source that returns something, with what was linked and `more` by name. */
  made(source: string, more: Readonly<Record<string, unknown>> = {}): unknown {
    const names = this.#links.map((_, index) => `l${index}`);
    const make = compileSource([...names, ...Object.keys(more)], `"use strict"; return ${source};`);
    return make(...this.#links, ...Object.values(more));
  }
}

/** How rows spell a key. */
export const findSpelling = (keys: readonly string[], name: string, exact: boolean): string => {
  if (exact || keys.includes(name)) return name;
  const lower = name.toLowerCase();
  return keys.find((known) => known.toLowerCase() === lower) ?? name;
};

/** In the source `host` and `limits` are those of where it runs, and `keys` are the keys of the rows there. */
export class RecipeLinkage implements Linkage {
  readonly #host: HostAccess;
  readonly #limits: Limits;
  readonly #links = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly #uses = new Set<string>();

  constructor(host: HostAccess, limits: Limits) {
    this.#host = host;
    this.#limits = limits;
  }

  /** Names of the declarations that the source needs. */
  get uses(): readonly string[] {
    return [...this.#uses];
  }

  /** Statements that make what was linked. */
  get statements(): string {
    return [...this.#links].map(([source, name]) => `const ${name} = ${source};`).join("\n");
  }

  /** Names of the variables that hold keys, with the source that finds each among `keys`. */
  get keys(): ReadonlyMap<string, string> {
    return new Map([...this.#keys].map(([source, name]) => [name, source]));
  }

  link(value: unknown): string {
    return entryIn(this.#links, this.source(value), "l");
  }

  key(name: string, exact: boolean): string {
    return entryIn(this.#keys, `${this.use("findSpelling")}(keys, ${quotedSource(name)}, ${exact})`, "k");
  }

  /** A declaration by its name. */
  use(name: string): string {
    this.#uses.add(name);
    return name;
  }

  /** An expression that makes a value of ours again. Whatever it has no recipe for is a defect of ours. */
  source(value: unknown): string {
    switch (typeof value) {
      case "string":
        return quotedSource(value);
      case "bigint":
        return `${value}n`;
      case "number":
        return Object.is(value, -0) ? "-0" : String(value);
      case "boolean":
      case "undefined":
        return String(value);
      case "object":
        return value === null ? "null" : this.#object(value);
      case "function":
        return this.#made(value);
      default:
        throw new Error(`A ${typeof value} can not be written as source`);
    }
  }

  #object(value: object): string {
    if (value === this.#host) return "host";
    if (value === this.#limits) return "limits";
    if (findRecipe(value) !== undefined) return this.#made(value);
    if (Array.isArray(value)) return this.#list(value);
    if (Sequence.is(value)) return `new ${this.use("Sequence")}(${this.#list(value.items)})`;
    if (Decimal.is(value)) return `${this.use("Decimal")}.of(${value.units}n, ${value.scale})`;
    if (SimpleValue.isSimple(value))
      return `${this.use("parseScalar")}(${quotedSource(value.text())}, ${quotedSource(value.type)})`;
    if (isDefinition(value) && findDefinition(value.fullName, this.#host) === value)
      return `${this.use("findDefinition")}(${quotedSource(value.fullName)}, host)`;
    const entries = Object.entries(value).map(([name, each]) => `[${quotedSource(name)}]: ${this.source(each)}`);
    return `{ ${entries.join(", ")} }`;
  }

  #list(values: readonly unknown[]): string {
    return `[${values.map((each) => this.source(each)).join(", ")}]`;
  }

  #made(value: object): string {
    const recipe = findRecipe(value);
    if (recipe === undefined) throw new Error("A function without a recipe can not be written as source");
    const name = this.use(recipe.make);
    return recipe.given === undefined ? name : `${name}(${recipe.given.map((each) => this.source(each)).join(", ")})`;
  }
}

const isDefinition = (value: object): value is TypeDefinition =>
  "fullName" in value && "kind" in value && (value.kind === "class" || value.kind === "enum");

/** The name of a source among those seen; a new one for a new source. */
const entryIn = (names: Map<string, string>, source: string, prefix: string): string => {
  const known = names.get(source) ?? `${prefix}${names.size}`;
  names.set(source, known);
  return known;
};
