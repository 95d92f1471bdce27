/**
 * The checked tree to source text. Only names and literals of the user's text get into the source, and both are quoted;
 * everything else is written here or linked: by reference for this process, by recipe for another one.
 *
 * *Careful* source is for anything: each step gives its errors their place. *Direct* source is for rows known to be plain
 * data, whose members are read as properties and whose operators are JavaScript's where operands allow it. Its errors may have no
 * place: run the careful one again to find it.
 */

import type { BoundApply, BoundLambda, BoundNode, BoundRead, BoundSequence } from "../bind/tree/bound.ts";
import { isLong } from "../bind/tree/long.ts";
import {
  headStep,
  longOperationStep,
  memberStep,
  operationStep,
  sequenceStep,
  shortSequenceStep,
} from "../core/step.ts";
import { linkedCheck } from "../operator/check.ts";
import { typedListing } from "../operator/elements.ts";
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
    const values = [frameName, ...operands.map((operand) => this.write(operand))].join(", ");
    if (operation.inSteps === undefined) return `${this.#link(operationStep({ operation, path, at }))}(${values})`;
    return `(yield* ${this.#link(longOperationStep({ operation, path, at }))}(${values}))`;
  }

  #sequence(bound: BoundSequence): string {
    this.#usesFrame = true;
    const { run, head, source, lambdas, values, path, at } = bound;
    const place = { listingOf: typedListing(source.type, this.#host), path, at };
    const pauses = head === undefined && isLong(bound);
    const step =
      head !== undefined
        ? headStep({ ...place, run: head })
        : pauses
          ? sequenceStep({ ...place, run })
          : shortSequenceStep({ ...place, run });
    const bodies = lambdas.map((lambda) => this.#lambda(lambda));
    const parts = `{ lambdas: [${bodies.join(", ")}], values: [${this.#list(values)}] }`;
    const call = `${this.#link(step)}(${frameName}, ${this.write(source)}, ${parts})`;
    return pauses ? `(yield* ${call})` : call;
  }

  #lambda({ slot, body }: BoundLambda): string {
    const pauses = isLong(body);
    const source = this.write(body);
    const run = pauses ? `function* (${slotName(slot)}) { return ${source}; }` : `(${slotName(slot)}) => ${source}`;
    return `{ isLong: ${pauses}, run: ${run} }`;
  }
}

const slotName = (slot: number): string => (slot === 0 ? rowName : `s${slot}`);

/** The source of `CompiledCode`: careful, like compiled closures. */
export const codeSource = (bound: BoundNode, host: HostAccess, linkage: Linkage): string => {
  const writer = new SourceWriter(host, linkage, "careful");
  const body = writer.write(bound);
  const pauses = isLong(bound);
  const block = `{ const ${rowName} = ${frameName}.slots[0]; ${writer.declarations} return ${body}; }`;
  return `{ isLong: ${pauses}, run: ${pauses ? `function* (${frameName})` : `(${frameName}) =>`} ${block} }`;
};
