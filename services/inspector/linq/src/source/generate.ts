/**
 * The checked tree to source text. Only names and literals of the user's text get into the source, and both are quoted;
 * everything else is written here or linked: by reference for this process, by recipe for another one.
 *
 * *Careful* source is for anything: each step gives its errors their place. *Direct* source is for rows known to be plain
 * data, whose members are read as properties and whose operators are JavaScript's where operands allow it. Its errors may have no
 * place: run the careful one again to find it.
 */

import type { BoundApply, BoundNode, BoundRead, BoundSequence } from "../bind/tree/bound.ts";
import { headStep, memberStep, operationStep, sequenceStep } from "../core/step.ts";
import { linkedCheck } from "../operator/check.ts";
import { typedItemsReader, typedListing } from "../operator/elements.ts";
import type { HostAccess } from "../type/host.ts";
import { findPrimitive, type Type } from "../type/type.ts";
import { quotedSource, rowClass } from "../value/row.ts";

/** Local names in the source: the row, the frame. */
export const rowName = "r";
export const frameName = "f";

/** How source reaches what is not in it. */
export interface Linkage {
  /** The name under which a function or object of ours is known to the source. */
  link(value: unknown): string;
  /** Source of the key as rows spell it; undefined where rows are not to be read as properties. `exact` keeps the case. */
  key(name: string, exact: boolean): string | undefined;
}

type SourceStyle = "careful" | "direct";

export class SourceWriter {
  readonly #host: HostAccess;
  readonly #linkage: Linkage;
  readonly #manner: SourceStyle;
  readonly #locals = new Set<string>();
  #temporaries = 0;
  #usesFrame = false;

  constructor(host: HostAccess, linkage: Linkage, manner: SourceStyle) {
    this.#host = host;
    this.#linkage = linkage;
    this.#manner = manner;
  }

  /** A statement that declares the locals of what was written. */
  get declarations(): string {
    return this.#locals.size === 0 ? "" : `let ${[...this.#locals].join(", ")};`;
  }

  /** True when what was written spends the frame's fuel. */
  get usesFrame(): boolean {
    return this.#usesFrame;
  }

  /** The source of an expression over the row. */
  write(bound: BoundNode): string {
    switch (bound.kind) {
      case "value":
        return this.#value(bound.value);
      case "slot":
        return slotName(bound.slot);
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
        const held = this.#local(slotName(bound.slot));
        const value = `${held} = ${this.write(bound.object)} ?? null`;
        return bound.lifted
          ? `((${value}) === null ? null : ${this.write(bound.rest)})`
          : `(${value}, ${this.write(bound.rest)})`;
      }
      case "new":
        return `new ${this.#link(rowClass(bound.names))}(${this.#list(bound.values)})`;
      case "sequence":
        return this.#sequence(bound);
    }
  }

  #local(name: string): string {
    this.#locals.add(name);
    return name;
  }

  #temporary(): string {
    return this.#local(`t${this.#temporaries++}`);
  }

  #link(value: unknown): string {
    return this.#linkage.link(value);
  }

  #list(bounds: readonly BoundNode[]): string {
    return bounds.map((bound) => this.write(bound)).join(", ");
  }

  #value(value: unknown): string {
    if (typeof value === "string") return quotedSource(value);
    if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0))
      return value < 0 ? `(${value})` : String(value);
    if (typeof value === "boolean" || value === null) return String(value);
    return this.#link(value);
  }

  /** A member of the row as a property; undefined for what is not to be read so. */
  property({ object, key, type }: BoundRead): string | undefined {
    if (this.#manner !== "direct" || object.kind !== "slot" || object.slot !== 0 || key === undefined) return undefined;
    const spelt = this.#linkage.key(key, type.kind !== "dynamic");
    return spelt === undefined ? undefined : `${rowName}[${spelt}]`;
  }

  #read(bound: BoundRead): string {
    const property = this.property(bound);
    if (property !== undefined) return this.#checked(property, bound.type);
    const { object, read, path, at } = bound;
    return `${this.#link(memberStep({ read, path, at }))}(${this.write(object)})`;
  }

  /** A property with the check of its declared type around it, the common case inline. */
  #checked(source: string, type: Type): string {
    if (type.kind === "dynamic") return source;
    const check = this.#link(linkedCheck(type, this.#host));
    const expected = findPrimitive(type);
    if (expected === undefined) return `${check}(${source})`;
    const value = this.#temporary();
    return `(typeof (${value} = ${source}) === "${expected}" ? ${value} : ${check}(${value}))`;
  }

  #apply({ operation, operands, path, at }: BoundApply): string {
    const isDirect = this.#manner === "direct";
    if (isDirect && operation.emit !== undefined) {
      const code = { temporary: () => this.#temporary(), run: `${this.#link(operation)}.run` };
      return operation.emit(code, ...operands.map((operand) => this.write(operand)));
    }
    if (isDirect && operation.cost === undefined && path === undefined)
      return `${this.#link(operation)}.run(${this.#list(operands)})`;
    this.#usesFrame = true;
    const step = this.#link(operationStep({ operation, path, at }));
    return `${step}(${[frameName, ...operands.map((operand) => this.write(operand))].join(", ")})`;
  }

  #sequence({ run, head, source, lambdas, values, path, at }: BoundSequence): string {
    this.#usesFrame = true;
    const step = this.#link(
      head === undefined
        ? sequenceStep({ run, itemsOf: typedItemsReader(source.type, this.#host), path, at })
        : headStep({ run: head, listingOf: typedListing(source.type, this.#host), path, at }),
    );
    const bodies = lambdas.map(({ slot, body }) => `(${slotName(slot)}) => ${this.write(body)}`);
    const parts = `{ lambdas: [${bodies.join(", ")}], values: () => [${this.#list(values)}] }`;
    return `${step}(${frameName}, ${this.write(source)}, ${parts})`;
  }
}

const slotName = (slot: number): string => (slot === 0 ? rowName : `s${slot}`);

/** The source of a function of the frame: careful, like a compiled closure. */
export const functionSource = (bound: BoundNode, host: HostAccess, linkage: Linkage): string => {
  const writer = new SourceWriter(host, linkage, "careful");
  const body = writer.write(bound);
  return `(${frameName}) => { const ${rowName} = ${frameName}.slots[0]; ${writer.declarations} return ${body}; }`;
};
