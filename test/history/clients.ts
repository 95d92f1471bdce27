/**
 * Clients of the ledger that do one thing after the other, all at the same time, and note what they were answered. An answer that says that
 * nothing happened is believed: the check finds out.
 */
import type { Reply } from "@fairlead/kernel";
import { type Action, type Operation, type Outcome, Recorder } from "./history.ts";
import { deadly } from "./ledger.ts";

/** Calls the ledger as a client would, with an idempotency key where one is given. */
export type CallLedger = (procedure: string, input: object, idempotencyKey?: string) => Promise<Reply>;

interface Clients {
  readonly call: CallLedger;
  readonly count: number;
  readonly keys: readonly string[];
  /** Numbers from 0 to below 1. */
  readonly random: () => number;
}

/** How often a client sends an append of unknown outcome again, with the same key. */
const mostRepeats = 3;

export class LedgerClients {
  readonly #clients: Clients;
  readonly #recorder = new Recorder();
  readonly #waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  #answered = 0;
  #isOver = false;
  #nextValue = 0;
  #isDeadly = false;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  get operations(): readonly Operation[] {
    return this.#recorder.operations;
  }

  get answered(): number {
    return this.#answered;
  }

  /** Resolves once so many more operations were answered. */
  more(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add({ count: this.#answered + count, resolve });
    return promise;
  }

  /** All at once, until `end`. */
  async run(): Promise<void> {
    const names = Array.from({ length: this.#clients.count }, (_, at) => `client ${at + 1}`);
    await Promise.all(names.map((client) => this.#work(client)));
  }

  /** The next append ends its process once it has happened. */
  kill(): void {
    this.#isDeadly = true;
  }

  end(): void {
    this.#isOver = true;
  }

  /** Reads all registers and lists when nothing happens any more, until each has answered. */
  async readAll(): Promise<void> {
    for (const key of this.#clients.keys)
      for (const kind of ["read", "list"] as const)
        while ((await this.#do("last", key, { kind })).tag !== "ok") await nextTurn();
  }

  async #work(client: string): Promise<void> {
    const { keys, random } = this.#clients;
    while (!this.#isOver) {
      const key = keys[Math.floor(random() * keys.length)] ?? "";
      const { tag } = await this.#do(client, key, this.#choose());
      if (tag === "ok") this.#count();
      else await nextTurn();
    }
  }

  #choose(): Action {
    const draw = this.#clients.random();
    if (draw < 0.3) return { kind: "read" };
    if (draw < 0.45) return { kind: "list" };
    const value = `v${this.#nextValue++}`;
    if (draw < 0.7) return { kind: "write", value };
    const isDeadly = this.#isDeadly;
    this.#isDeadly = false;
    return { kind: "append", value: isDeadly ? `${value}${deadly}` : value };
  }

  #count(): void {
    this.#answered += 1;
    for (const waiting of this.#waiting) {
      if (waiting.count > this.#answered) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }

  #do(client: string, key: string, action: Action): Promise<Outcome> {
    return this.#recorder.record({ client, key, action }, async () => {
      const { kind, ...input } = action;
      if (kind !== "append") return toOutcome(await this.#clients.call(kind, { ...input, key }));
      let unknown: Outcome | undefined;
      let outcome = await this.#append(key, input);
      for (let left = mostRepeats; left > 0 && outcome.tag !== "ok"; left -= 1) {
        if (outcome.tag === "unknown") unknown = outcome;
        outcome = await this.#append(key, input);
      }
      // One that may have happened cannot be known not to have by a later refusal.
      return outcome.tag === "fail" ? (unknown ?? outcome) : outcome;
    });
  }

  async #append(key: string, input: object): Promise<Outcome> {
    const value = "value" in input ? String(input.value) : "";
    return toOutcome(await this.#clients.call("append", { ...input, key }, value));
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What a reply says of what has happened. Only what says that nothing did is a failure. */
const toOutcome = (reply: Reply): Outcome => {
  if (reply.ok) return { tag: "ok", output: reply.value };
  const { code, message } = reply.error;
  const isCertain = code === "resource_exhausted" || (code === "unavailable" && !/may have run/.test(message));
  return { tag: isCertain ? "fail" : "unknown", why: `${code}: ${message}` };
};
