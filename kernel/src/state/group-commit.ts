/**
 * Group commit: what callers write in one turn of the event loop, or while the last commit took its time, is committed together. Each of them is
 * answered when it is on the disk. The cost of a commit is shared by all who wait for it. A kernel that closes waits for what is on its way.
 */
import type { Reply } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { within } from "../call/within.ts";
import type { AnswerStore, Claim, KeyUse } from "../policy/idempotency.ts";
import { type AnswerWrite, type AnswerWritten, mostOpenClaims } from "./state-write.ts";

/** Commits the writes and gives the result of each, which is an error for one that failed where others did not. */
export type CommitBatch = (writes: readonly AnswerWrite[]) => Promise<readonly (AnswerWritten | Error)[]>;

interface WaitingWrite {
  readonly write: AnswerWrite;
  readonly resolve: (result: AnswerWritten) => void;
  readonly reject: (cause: unknown) => void;
}

/** Writes of one batch, and characters of the answers in it: a commit of more would hold up those that come meanwhile. */
const mostOfBatch = 1_000;
const mostCharacters = 8_000_000;

/** How many of those that wait, one at least, are committed together. */
const countBatch = (waiting: readonly WaitingWrite[]): number => {
  let characters = 0;
  const end = waiting.findIndex(({ write }, at) => {
    characters += "reply" in write ? write.reply.length : 0;
    return at === mostOfBatch || (at > 0 && characters > mostCharacters);
  });
  return end === -1 ? waiting.length : end;
};

export interface GroupCommit extends AnswerStore {
  /** Resolves once nothing is on its way, and those who were answered have written what they go on with; after so many milliseconds in any case. */
  whenIdle(mostMs: number): Promise<void>;
}

/** The store whose writes go through `commit`, one batch after the other. */
export const groupCommit = (commit: CommitBatch): GroupCommit => {
  const waiting: WaitingWrite[] = [];
  let isBusy = false;
  let idle = Promise.withResolvers<void>();
  const next = (): void => {
    const batch = waiting.splice(0, countBatch(waiting));
    isBusy = batch.length > 0;
    if (!isBusy) {
      idle.resolve();
      idle = Promise.withResolvers();
      return;
    }
    commit(batch.map(({ write }) => write)).then(
      (results) => {
        for (const [at, { resolve, reject }] of batch.entries()) {
          const result = results[at] ?? "lost";
          if (result instanceof Error) reject(result);
          else resolve(result);
        }
        // After those who wait have gone on: what they write now is of the next batch.
        setImmediate(next);
      },
      (cause: unknown) => {
        for (const { reject } of batch) reject(cause);
        setImmediate(next);
      },
    );
  };
  const write = (wanted: AnswerWrite): Promise<AnswerWritten> => {
    const { promise, resolve, reject } = Promise.withResolvers<AnswerWritten>();
    waiting.push({ write: wanted, resolve, reject });
    if (!isBusy) {
      isBusy = true;
      setImmediate(next);
    }
    return promise;
  };
  let claims = 0;
  /** Numbers of the claims that hold, but for the oldest of very many. */
  const numbers = new Map<KeyUse, number>();
  const note = (use: KeyUse, number: number): void => {
    numbers.set(use, number);
    for (const oldest of numbers.keys()) {
      if (numbers.size <= mostOpenClaims) break;
      numbers.delete(oldest);
    }
  };
  const claim = (use: KeyUse): Promise<Claim> => {
    claims += 1;
    const number = claims;
    return write({ kind: "claim", use, number }).then((result) => {
      if (result === "claimed") note(use, number);
      return toClaim(result);
    });
  };
  const finish = (use: KeyUse, reply: Reply): Promise<void> => {
    const text = JSON.stringify(reply);
    const number = numbers.get(use);
    numbers.delete(use);
    const whole = { kind: "finish", use, reply: text } as const;
    if (number === undefined) return write(whole).then(toDone);
    return write({ kind: "answer", number, reply: text }).then((result) =>
      result === "unknown" ? write(whole).then(toDone) : toDone(result),
    );
  };
  const release = (use: KeyUse): Promise<void> => {
    numbers.delete(use);
    return write({ kind: "release", use }).then(toDone);
  };
  const untilIdle = async (): Promise<void> => {
    // Whoever has just finished writes its answer in this turn.
    await new Promise(setImmediate);
    while (isBusy) await idle.promise;
  };
  return { claim, finish, release, whenIdle: (mostMs) => within(mostMs, untilIdle()) };
};

const toDone = (result: AnswerWritten): void => {
  if (result !== "done") throw failure("data_loss", "the key of a stored answer is gone");
};

const toClaim = (result: AnswerWritten): Claim => {
  if (result === "done" || result === "lost" || result === "unknown") throw new Error(`a claim cannot be ${result}`);
  if (typeof result === "string" || result.tag === "pending") return result;
  // What is stored is what `finish` wrote.
  return { ...result, reply: JSON.parse(result.reply) as Reply };
};
