/**
 * Whether there is an order in which operations could have happened one at a time, each between its beginning and its end, with the outputs that
 * were seen: Wing and Gong's search with Lowe's memory of what was tried. Pure.
 *
 * Operations without a known outcome may stand anywhere after their beginning, or nowhere. Those that failed for certain have no place in the order at all.
 */
import { describeOperation, type Operation } from "./history.ts";

/** What one object does, one operation after the other. */
export interface Model<State> {
  readonly initial: State;
  /** The state after an operation, or `undefined` where it could not have had this output. */
  readonly step: (state: State, operation: Operation) => State | undefined;
  /** The same text for the same state, and for no other. */
  readonly name: (state: State) => string;
}

/** A cell that holds what was written last; empty at first. Values are written once, so one that nobody saw need not be placed. */
export const register: Model<string> = {
  initial: "",
  step: (state, { action, outcome }) => {
    if (action.kind === "write") return action.value;
    return outcome.tag !== "ok" || outcome.output === state ? state : undefined;
  },
  name: (state) => state,
};

export type Verdict = { readonly tag: "possible" } | { readonly tag: "impossible"; readonly why: string };

/** A place in the search: what was chosen to come next, and what else could have been. */
interface Step<State> {
  readonly state: State;
  readonly choices: readonly number[];
  next: number;
  /** Chosen in this step; `undefined` before the first choice. */
  chosen: number | undefined;
}

export const findOrder = <State>(history: readonly Operation[], model: Model<State>): Verdict => {
  const operations = history.filter(isPlaceable(history)).toSorted((one, other) => one.invoked - other.invoked);
  const search = new Search(operations);
  const tried = new Set<string>();
  const stack: Step<State>[] = [{ state: model.initial, choices: search.choices(), next: 0, chosen: undefined }];
  let furthest = { placed: -1, choices: [] as readonly number[], state: "" };
  for (;;) {
    const step = stack.at(-1);
    if (step === undefined) return impossible(operations, furthest);
    if (search.isComplete()) return { tag: "possible" };
    if (search.placed > furthest.placed)
      furthest = { placed: search.placed, choices: step.choices, state: model.name(step.state) };
    if (step.chosen !== undefined) {
      search.takeBack(step.chosen);
      step.chosen = undefined;
    }
    const choice = step.choices[step.next];
    if (choice === undefined) {
      stack.pop();
      continue;
    }
    step.next += 1;
    const operation = operations[choice];
    const state = operation && model.step(step.state, operation);
    if (state === undefined) continue;
    search.place(choice);
    step.chosen = choice;
    const name = `${search.name()} ${model.name(state)}`;
    if (tried.has(name)) continue;
    tried.add(name);
    stack.push({ state, choices: search.choices(), next: 0, chosen: undefined });
  }
};

/** Reads of unknown outcome say nothing. Nor does a write of unknown outcome whose value was never seen: any order with it is one without it. */
const isPlaceable = (history: readonly Operation[]) => {
  const seen = new Set(history.flatMap(({ outcome }) => (outcome.tag === "ok" ? [outcome.output] : [])));
  return ({ action, outcome }: Operation): boolean => {
    if (outcome.tag === "ok") return true;
    return outcome.tag === "unknown" && action.kind === "write" && seen.has(action.value);
  };
};

/** Which operations have their place, and which could be next. */
class Search {
  readonly #operations: readonly Operation[];
  readonly #isPlaced: boolean[];
  /** Placed operations that had to be. */
  #known = 0;
  readonly #mostKnown: number;
  /** All before this one have their place, or need none. */
  #first = 0;
  /** Those without a known outcome, which may stay without a place. */
  readonly #open: readonly number[];

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
    this.#isPlaced = operations.map(() => false);
    this.#open = operations.flatMap(({ outcome }, at) => (outcome.tag === "unknown" ? [at] : []));
    this.#mostKnown = operations.length - this.#open.length;
  }

  get placed(): number {
    return this.#known;
  }

  isComplete(): boolean {
    return this.#known === this.#mostKnown;
  }

  place(at: number): void {
    this.#isPlaced[at] = true;
    if (!this.#open.includes(at)) this.#known += 1;
    while (this.#first < this.#operations.length && this.#isDone(this.#first)) this.#first += 1;
  }

  takeBack(at: number): void {
    this.#isPlaced[at] = false;
    if (!this.#open.includes(at)) this.#known -= 1;
    this.#first = Math.min(this.#first, at);
  }

  #isDone(at: number): boolean {
    return this.#isPlaced[at] === true || this.#operations[at]?.outcome.tag === "unknown";
  }

  /** Those that had begun before the first of the others had ended. */
  choices(): readonly number[] {
    const found: number[] = [];
    let firstEnd = Number.POSITIVE_INFINITY;
    for (let at = this.#first; at < this.#operations.length; at += 1) {
      const operation = this.#operations[at];
      if (operation === undefined || operation.invoked > firstEnd) break;
      if (this.#isDone(at)) continue;
      found.push(at);
      firstEnd = Math.min(firstEnd, operation.ended);
    }
    const open = this.#open.filter((at) => !this.#isPlaced[at] && (this.#operations[at]?.invoked ?? 0) < firstEnd);
    return [...found, ...open];
  }

  /** What is placed, in a text. */
  name(): string {
    const beyond: number[] = [];
    let left = this.#known - this.#knownBefore();
    for (let at = this.#first; left > 0 && at < this.#operations.length; at += 1) {
      if (this.#isPlaced[at] !== true || this.#operations[at]?.outcome.tag === "unknown") continue;
      beyond.push(at);
      left -= 1;
    }
    const open = this.#open.filter((at) => this.#isPlaced[at]);
    return `${this.#first}:${beyond.join(",")}:${open.join(",")}`;
  }

  /** Placed operations of known outcome before the first that is not placed. */
  #knownBefore(): number {
    return this.#first - this.#open.filter((at) => at < this.#first).length;
  }
}

interface Furthest {
  readonly placed: number;
  readonly choices: readonly number[];
  readonly state: string;
}

const impossible = (operations: readonly Operation[], { placed, choices, state }: Furthest): Verdict => {
  const next = choices.flatMap((at) => operations[at] ?? []).map(describeOperation);
  return {
    tag: "impossible",
    why: `no order explains it: after ${placed} operations the state is ${JSON.stringify(state)}, and none of these can be next:\n${next.join("\n")}`,
  };
};
