/**
 * The state of a kernel without a folder: answers of keyed calls, for as long as this process lives.
 * Nothing here needs a file system.
 *
 * Not here: runs, which outlive their kernel and so need a folder.
 */
import { failure } from "../call/error.ts";
import type { AnswerStore, Claim, KeyUse } from "../policy/idempotency.ts";
import type { RunStore } from "../runs/store.ts";
import { answerLimits, type LazyState } from "./lazy-state.ts";
import type { AnswerLimits } from "./state-write.ts";

/** The oldest go after a day. */
const lifetimeMs = 86_400_000;

/** Bytes that a key takes in memory beside its texts. */
const keyBytes = 500;

interface KeptUse {
  readonly at: number;
  readonly principal: string;
  readonly input: string;
  /** Its JSON; `undefined` while the call runs. */
  readonly reply: string | undefined;
  readonly bytes: number;
}

interface MemoryAnswersOptions {
  /** A clock that goes forward, whatever is done to the one on the wall; in milliseconds. */
  readonly now?: () => number;
  /** Bytes of keys, inputs and replies from which on no new key is taken. */
  readonly limits?: AnswerLimits;
}

/** Answers in the memory of this process. */
export const memoryAnswers = ({
  now = () => performance.now(),
  limits = answerLimits,
}: MemoryAnswersOptions = {}): AnswerStore => {
  const kept = new Map<string, KeptUse>();
  const bytesOfOne = new Map<string, number>();
  let bytesInAll = 0;
  const nameUse = ({ principal, procedure, key }: KeyUse): string => JSON.stringify([principal, procedure, key]);
  const count = (principal: string, bytes: number): void => {
    bytesInAll += bytes;
    const ofOne = (bytesOfOne.get(principal) ?? 0) + bytes;
    if (ofOne === 0) bytesOfOne.delete(principal);
    else bytesOfOne.set(principal, ofOne);
  };
  const forget = (name: string): void => {
    const use = kept.get(name);
    if (use === undefined) return;
    kept.delete(name);
    count(use.principal, -use.bytes);
  };
  const keep = ({ principal, input, ...use }: KeyUse, reply?: string): void => {
    const name = nameUse({ principal, input, ...use });
    // The order of insertion is that of age.
    forget(name);
    const bytes = keyBytes + Buffer.byteLength(name) + Buffer.byteLength(input) + Buffer.byteLength(reply ?? "");
    kept.set(name, { at: now(), principal, input, reply, bytes });
    count(principal, bytes);
  };
  const sweep = (): void => {
    for (const [name, { at }] of kept) {
      if (at >= now() - lifetimeMs) return;
      forget(name);
    }
  };
  const isFull = ({ principal }: KeyUse): boolean =>
    bytesInAll >= limits.mostBytes ||
    (principal !== limits.unlimited && (bytesOfOne.get(principal) ?? 0) >= limits.mostOfOne);
  const claim = (use: KeyUse): Claim => {
    sweep();
    const known = kept.get(nameUse(use));
    if (known !== undefined) {
      const { input, reply } = known;
      // What is kept is what `finish` wrote.
      return reply === undefined ? { tag: "pending", input } : { tag: "answered", input, reply: JSON.parse(reply) };
    }
    if (isFull(use)) return "full";
    keep(use);
    return "claimed";
  };
  return {
    claim: (use) => Promise.resolve(claim(use)),
    finish: (use, reply) => Promise.resolve(keep(use, JSON.stringify(reply))),
    release: (use) => Promise.resolve(forget(nameUse(use))),
  };
};

export const memoryState = (): LazyState => {
  const answers = memoryAnswers();
  const none = (): Promise<never> => Promise.reject(noFolder());
  const runs: RunStore = { commit: none, find: none, input: none, list: none, open: none };
  return {
    answers: () => Promise.resolve(answers),
    events: none,
    runs,
    isThere: () => false,
    problem: () => undefined,
    close: () => Promise.resolve(),
  };
};

const noFolder = () =>
  failure("failed_precondition", "this kernel has no state folder, so it keeps no runs and no events", {
    hint: "set `stateDir` in its configuration",
  });
