/**
 * Keyed procedures: the first call with a key runs, its answer is stored, every repeat gets the stored answer. Two at once share
 * one run. A key used again with another input is refused. A run whose outcome is not known is reported, never guessed at.
 */
import type { FairleadError, WireError } from "@fairlead/contracts";
import type { Reply } from "../call/call.ts";
import { isIdempotencyKey, keyShape } from "../call/call.ts";
import { failure, NotAvailable } from "../call/error.ts";

/** Who used which key on what. */
export interface KeyUse {
  readonly principal: string;
  readonly procedure: string;
  readonly key: string;
  /** Digest of the input. */
  readonly input: string;
}

/** What the store has of a key. */
type KnownUse =
  | { readonly tag: "pending"; readonly input: string }
  | { readonly tag: "answered"; readonly input: string; readonly reply: Reply };

/** The result of claiming a key; `full`: nothing was taken, since there is no room for the answer. */
export type Claim = KnownUse | "claimed" | "full";

/** Where answers are kept; see `state/`. What a method has done when its promise resolves has been committed. */
export interface AnswerStore {
  /** Takes the key for this use, or says who has it: of all processes that share the store, one gets it. */
  claim(use: KeyUse): Promise<Claim>;
  finish(use: KeyUse, reply: Reply): Promise<void>;
  /** Forgets a use whose run changed nothing, so that the key can be tried again. */
  release(use: KeyUse): Promise<void>;
}

export class StoredAnswers {
  readonly #store: () => Promise<AnswerStore>;
  readonly #running = new Map<string, { readonly input: string; readonly reply: Promise<Reply> }>();

  /** `store` is opened at the first use of a key. */
  constructor(store: () => Promise<AnswerStore>) {
    this.#store = store;
  }

  /**
   * Runs `work` once for this use, or gives the answer that is stored. Rejects when the key is used for something else, and with the `NotAvailable` that `work`
   * rejects with where nothing of it has happened: then the key is free again.
   */
  run(use: KeyUse, work: () => Promise<Reply>): Promise<Reply> {
    return this.join(use) ?? this.begin(use, work);
  }

  /** The reply of the run that is under way with this key; `undefined` where none is. */
  join(use: KeyUse): Promise<Reply> | undefined {
    const running = this.#running.get(nameUse(use));
    return running === undefined || running.input === use.input ? running?.reply : Promise.reject(otherInput(use));
  }

  /** The same as `run` where no run is under way with this key. */
  begin(use: KeyUse, work: () => Promise<Reply>): Promise<Reply> {
    if (!isIdempotencyKey(use.key)) return Promise.reject(badKey());
    const reply = this.#once(use, work);
    this.#running.set(nameUse(use), { input: use.input, reply });
    return reply;
  }

  async #once(use: KeyUse, work: () => Promise<Reply>): Promise<Reply> {
    try {
      // Also where it throws at once: what follows must come in a later turn than the note of the run.
      const store = await Promise.try(this.#store);
      const known = await store.claim(use);
      if (known === "full") throw noRoom(use);
      if (known !== "claimed") return replay(use, known);
      const reply = await work().catch(async (cause: unknown) => {
        if (cause instanceof NotAvailable) await free(store, use);
        throw cause;
      });
      if (reply.ok || isFinal(reply.error)) await keep(store, use, reply);
      else if (!isUnseen(reply.error)) await free(store, use);
      return reply;
    } finally {
      this.#running.delete(nameUse(use));
    }
  }
}

/** Another text for each use: two lengths say where the parts end. */
const nameUse = ({ principal, procedure, key }: KeyUse): string =>
  `${principal.length} ${procedure.length} ${principal}${procedure}${key}`;

/** The work was cut off: it may have taken effect. The key stays taken, so that no repeat does it twice. */
const isUnseen = ({ code }: WireError): boolean => code === "deadline_exceeded" || code === "canceled";

const isFinal = (error: WireError): boolean => !error.retryable && !isUnseen(error);

const replay = (use: KeyUse, known: KnownUse): Reply => {
  if (known.input !== use.input) throw otherInput(use);
  if (known.tag === "answered") return known.reply;
  throw failure(
    "aborted",
    `a ${use.procedure} with this idempotency key is running elsewhere or was cut off; whether it took effect is not known`,
    {
      hint: "ask again with the same key: while it runs elsewhere, its answer comes; where this goes on it was cut off: look at the state it would have changed, and only then use a new key",
    },
  );
};

/** The work is done: an answer that cannot be kept is no reason to do it again, and its key stays taken. */
const keep = async (store: AnswerStore, use: KeyUse, reply: Reply): Promise<void> => {
  try {
    await store.finish(use, reply);
  } catch {
    throw failure("data_loss", `${use.procedure} ran, but its answer could not be kept, so a repeat will not get it`, {
      hint: "look at the state that it changed; the kernel's storage fails, see `fairlead doctor`",
    });
  }
};

/** A key that cannot be freed stays taken. The caller needs to know what the run failed with, and not that. */
const free = (store: AnswerStore, use: KeyUse): Promise<void> => store.release(use).catch(() => undefined);

const noRoom = ({ procedure }: KeyUse): FairleadError =>
  failure("resource_exhausted", `no more answers of keyed calls like ${procedure} can be kept at the moment`, {
    hint: "try again later: an answer is kept for a day",
    retryAfterMs: 60_000,
  });

const otherInput = ({ procedure }: KeyUse): FairleadError =>
  failure("failed_precondition", `this idempotency key was used for another input of ${procedure}`, {
    hint: "use a new key",
  });

const badKey = (): FairleadError =>
  failure("invalid_argument", "the idempotency key is not usable as a key", {
    issues: [{ path: "idempotency-key", expected: keyShape, fix: "send a UUID" }],
  });
