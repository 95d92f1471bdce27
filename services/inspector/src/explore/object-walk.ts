/**
 * A walk over the objects that roots lead to, breadth first, so that what is near to a root is met whatever else there is. It is bounded and
 * pauses; objects are read as `explore` reads them, and nothing of the host runs. What it makes of the objects is its visitor's business.
 */
import { dynamic, type HostAccess, LinqError, type Resumable } from "@fairlead/linq";
import { asObject, entryExpression, memberExpression, rootExpression } from "../encode/expression.ts";

interface WalkOptions {
  readonly host: HostAccess;
  /** Milliseconds from any origin. */
  readonly elapsed: () => number;
  readonly wallMs: number;
  /** Objects that it looks at. */
  readonly mostObjects: number;
  /** Elements of one list or map, and fields of one object, that it follows. */
  readonly mostEach: number;
}

/** How an object was reached first. */
type Step =
  | { readonly kind: "root"; readonly name: string }
  | { readonly kind: "member"; readonly from: object; readonly name: string }
  | { readonly kind: "element"; readonly from: object; readonly index: number }
  | { readonly kind: "entry"; readonly from: object; readonly key: unknown; readonly index: number }
  | { readonly kind: "key"; readonly from: object; readonly index: number };

/** How a step is written: with its index or key, or with `*` for any. */
type PathForm = "exact" | "any";

/** Milliseconds between two pauses: what one step takes comes on top. */
const stride = 1;

/** Objects of one table: a larger one stops the thread for 10 ms when it grows. */
const mostInTable = 32_768;

/** The steps to objects, in the order in which these were met. */
class StepTable {
  readonly #tables: Map<object, Step>[] = [new Map()];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(value: object): Step | undefined {
    for (const table of this.#tables) {
      const step = table.get(value);
      if (step !== undefined) return step;
    }
    return undefined;
  }

  add(value: object, step: Step): void {
    let last = this.#tables.at(-1);
    if (last === undefined || last.size >= mostInTable) {
      last = new Map();
      this.#tables.push(last);
    }
    last.set(value, step);
    this.#size++;
  }

  /** All objects, with those that are added meanwhile. */
  *objects(): Generator<object> {
    for (const table of this.#tables) yield* table.keys();
  }
}

export class ObjectWalk {
  readonly #options: WalkOptions;
  readonly #steps = new StepTable();
  readonly #began: number;
  #paused: number;
  #visited = 0;
  #passedOver = 0;
  #isCut = false;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#began = options.elapsed();
    this.#paused = this.#began;
  }

  /** Objects that were looked at. */
  get objects(): number {
    return this.#visited;
  }

  /** Objects with too many names to list them without stopping the program. */
  get passedOver(): number {
    return this.#passedOver;
  }

  /** True when objects were left out. */
  get isCut(): boolean {
    return this.#isCut || this.#passedOver > 0;
  }

  /** Walks until there is no more, or half of the wall time is over; `visit` is given each object with the names of its fields. */
  *run(visit: (value: object, names: readonly string[]) => void): Resumable<void> {
    const { host, wallMs } = this.#options;
    for (const { name, read } of host.roots) {
      this.#meet(readable(read), { kind: "root", name });
      yield;
    }
    // What is added meanwhile is visited too.
    for (const value of this.#steps.objects()) {
      this.#visited++;
      yield* this.#look(value, visit);
      if (this.#isDue()) yield* this.#pause();
      if (this.#elapsed < wallMs / 2) continue;
      this.#isCut ||= this.#visited < this.#steps.size;
      break;
    }
  }

  /** The expression that leads to an object which was met. */
  path(value: object, form: PathForm = "exact"): string {
    const steps: Step[] = [];
    for (let at: object | undefined = value; at !== undefined; ) {
      const step: Step | undefined = this.#steps.get(at);
      if (step === undefined) break;
      steps.unshift(step);
      at = step.kind === "root" ? undefined : step.from;
    }
    return steps.reduce((path, step) => writeStep(path, step, form), "");
  }

  get #elapsed(): number {
    return this.#options.elapsed() - this.#began;
  }

  /** Looks at an object, or passes over what has too many names, its classes' included. */
  *#look(value: object, visit: (value: object, names: readonly string[]) => void): Resumable<void> {
    try {
      // Names cannot be had in steps, so they are asked for once.
      const names = this.#options.host.fieldNames(value);
      visit(value, names);
      yield* this.#follow(value, names);
    } catch (error) {
      if (!(error instanceof LinqError) || error.code !== "pause_needed") throw error;
      this.#passedOver++;
    }
  }

  *#follow(from: object, names: readonly string[]): Resumable<void> {
    const { host, mostEach } = this.#options;
    for (const name of names.slice(0, mostEach)) {
      const read = readable(() => host.field(from, name));
      this.#meet(read, { kind: "member", from, name });
      if (this.#isDue()) yield* this.#pause();
    }
    const list = host.listing(from);
    for (let index = 0; list !== undefined && index < Math.min(list.length, mostEach); index++) {
      const read = readable(() => list.at(index));
      this.#meet(read, { kind: "element", from, index });
      if (!this.#isDue()) continue;
      yield* this.#pause();
      list.resumed?.();
    }
    const entries = host.dictionary(from);
    let index = 0;
    for (const [key, item] of entries ?? []) {
      if (index === mostEach) break;
      this.#meet(key, { kind: "key", from, index });
      this.#meet(item, { kind: "entry", from, key, index });
      index++;
      if (this.#isDue()) yield* this.#pause();
    }
    this.#isCut ||= Math.max(names.length, list?.length ?? 0, entries?.size ?? 0) > mostEach;
  }

  #meet(value: unknown, step: Step): void {
    if (typeof value !== "object" || value === null || this.#steps.get(value) !== undefined) return;
    if (this.#steps.size < this.#options.mostObjects) this.#steps.add(value, step);
    else this.#isCut = true;
  }

  #isDue(): boolean {
    return this.#options.elapsed() - this.#paused >= stride;
  }

  *#pause(): Resumable<void> {
    yield;
    this.#paused = this.#options.elapsed();
  }
}

/** The value, or nothing where reading it is refused. */
export const readable = (read: () => unknown): unknown => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const writeStep = (owner: string, step: Step, form: PathForm): string => {
  const from = asObject(owner);
  switch (step.kind) {
    case "root":
      return rootExpression(step.name);
    case "member":
      return memberExpression(from, step.name);
    case "element":
      return form === "any" ? `${from}[*]` : `${from}[${step.index}]`;
    case "entry":
      return form === "any" ? `${from}[*]` : entryExpression(from, step.key, { type: dynamic, index: step.index });
    case "key":
      return form === "any" ? `${from}.Keys[*]` : `${from}.Keys[${step.index}]`;
  }
};
