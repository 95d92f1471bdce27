/**
 * What clients did and saw, as data: each operation with the moments between which it happened, and whether its outcome is known. Moments are numbers of
 * one counter, not times: all clients of a history are recorded by one process.
 *
 * Not here: what a history may be (`linearizable.ts`, `lists.ts`), and who makes one (`clients.ts`).
 */

export type Action =
  | { readonly kind: "write"; readonly value: string }
  | { readonly kind: "read" }
  | { readonly kind: "append"; readonly value: string }
  | { readonly kind: "list" };

/** `fail`: its client was assured that it did nothing. `unknown`: it may have happened, and may happen yet. */
export type Outcome =
  | { readonly tag: "ok"; readonly output: unknown }
  | { readonly tag: "fail" | "unknown"; readonly why: string };

export interface Operation {
  /** The client, which does one thing after the other. */
  readonly client: string;
  readonly key: string;
  readonly action: Action;
  readonly invoked: number;
  /** Infinite where its outcome is not known. */
  readonly ended: number;
  readonly outcome: Outcome;
}

export class Recorder {
  #moment = 0;
  readonly #operations: Operation[] = [];

  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /** Does it and notes when; what `work` makes of its own failures is an outcome. */
  async record(
    { client, key, action }: Pick<Operation, "client" | "key" | "action">,
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const invoked = this.#moment++;
    const outcome = await work();
    const ended = outcome.tag === "unknown" ? Number.POSITIVE_INFINITY : this.#moment++;
    this.#operations.push({ client, key, action, invoked, ended, outcome });
    return outcome;
  }
}

export const byKey = (operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> =>
  Map.groupBy(operations, ({ key }) => key);

/** In words, for whoever reads why a history was refused. */
export const describeOperation = ({ client, key, action, invoked, ended, outcome }: Operation): string => {
  const what = "value" in action ? `${action.kind} ${action.value}` : action.kind;
  const seen = outcome.tag === "ok" ? JSON.stringify(outcome.output) : `${outcome.tag}: ${outcome.why}`;
  return `${client} ${what} at ${key}, from ${invoked} to ${ended}: ${seen.slice(0, 300)}`;
};
