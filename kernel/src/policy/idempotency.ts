/**
 * Keyed procedures: the first call with a key runs, its answer is stored, every repeat gets the stored answer. Two at once share
 * one run. A key used again with another input is refused. A run that a crash cut off is reported, never guessed at.
 */
import type { FairleadError } from "@fairlead/contracts";
import type { Reply } from "../call.ts";
import { failure } from "../error.ts";

/** Who used which key on what. */
export interface KeyUse {
  readonly principal: string;
  readonly procedure: string;
  readonly key: string;
  /** Digest of the decoded input. */
  readonly input: string;
}

/** What the store knows of a key. `pending` with `ours: false` was begun by a process that is gone. */
export type KnownUse =
  | { readonly tag: "pending"; readonly input: string; readonly ours: boolean }
  | { readonly tag: "answered"; readonly input: string; readonly reply: Reply };

/** Where answers are kept; see `state.ts`. What `begin` and `finish` return has been committed. */
export interface AnswerStore {
  find(use: KeyUse): KnownUse | undefined;
  begin(use: KeyUse): void;
  finish(use: KeyUse, reply: Reply): void;
  /** Forgets a use whose run changed nothing, so that the key can be tried again. */
  release(use: KeyUse): void;
}

export const maxKeyLength = 255;

export class Keyed {
  readonly #store: () => AnswerStore;
  readonly #running = new Map<string, { readonly input: string; readonly reply: Promise<Reply> }>();

  constructor(store: () => AnswerStore) {
    this.#store = store;
  }

  /** Runs `work` once for this use, or gives the answer that is stored. Rejects when the key is used for something else. */
  async run(use: KeyUse, work: () => Promise<Reply>): Promise<Reply> {
    if (use.key.length === 0 || use.key.length > maxKeyLength) throw badKey();
    const id = JSON.stringify([use.principal, use.procedure, use.key]);
    const running = this.#running.get(id);
    if (running !== undefined) {
      if (running.input !== use.input) throw otherInput(use);
      return running.reply;
    }
    const known = this.#store().find(use);
    if (known !== undefined) return replay(use, known);
    const reply = this.#first(use, work).finally(() => this.#running.delete(id));
    this.#running.set(id, { input: use.input, reply });
    return reply;
  }

  async #first(use: KeyUse, work: () => Promise<Reply>): Promise<Reply> {
    const store = this.#store();
    store.begin(use);
    const reply = await work();
    if (reply.ok || !reply.error.retryable) store.finish(use, reply);
    else store.release(use);
    return reply;
  }
}

const replay = (use: KeyUse, known: KnownUse): Reply => {
  if (known.input !== use.input) throw otherInput(use);
  if (known.tag === "answered") return known.reply;
  throw failure(
    "aborted",
    `an earlier ${use.procedure} with this idempotency key was cut off; whether it took effect is not known`,
    {
      hint: "look at the state it would have changed, then use a new key",
    },
  );
};

const otherInput = ({ procedure }: KeyUse): FairleadError =>
  failure("failed_precondition", `this idempotency key was used for another input of ${procedure}`, {
    hint: "use a new key",
  });

const badKey = (): FairleadError =>
  failure("invalid_argument", `the idempotency key has no length between 1 and ${maxKeyLength}`, {
    issues: [{ path: "idempotency-key", expected: `1 to ${maxKeyLength} characters`, fix: "send a UUID" }],
  });
