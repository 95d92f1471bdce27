/**
 * The state of a kernel without a folder: answers of keyed calls, for as long as this process lives, or where the opener keeps them.
 * Nothing here needs a file system.
 *
 * Not here: runs, which outlive their kernel and so need a folder.
 */
import { failure } from "../call/error.ts";
import type { AnswerStore, Claim, KeyUse } from "../policy/idempotency.ts";
import type { RunStore } from "../runs/store.ts";
import type { LazyState } from "./lazy-state.ts";

/** Keys that are kept: the oldest go after a day, and there is no room for more. */
const mostKeys = 100_000;
const lifetimeMs = 86_400_000;

interface KeptUse {
  readonly at: number;
  readonly claim: Exclude<Claim, string>;
}

/** Answers in the memory of this process. `now` is a wall clock. */
const memoryAnswers = (now: () => number): AnswerStore => {
  const kept = new Map<string, KeptUse>();
  const name = ({ principal, procedure, key }: KeyUse): string => JSON.stringify([principal, procedure, key]);
  const set = (use: KeyUse, claim: KeptUse["claim"]): void => {
    // The order of insertion is that of age.
    kept.delete(name(use));
    kept.set(name(use), { at: now(), claim });
  };
  const sweep = (): void => {
    for (const [key, { at }] of kept) {
      if (at >= now() - lifetimeMs) return;
      kept.delete(key);
    }
  };
  const claim = (use: KeyUse): Claim => {
    sweep();
    const known = kept.get(name(use));
    if (known !== undefined) return known.claim;
    if (kept.size >= mostKeys) return "full";
    set(use, { tag: "pending", input: use.input });
    return "claimed";
  };
  return {
    claim: (use) => Promise.resolve(claim(use)),
    finish: (use, reply) => Promise.resolve(set(use, { tag: "answered", input: use.input, reply })),
    release: (use) => Promise.resolve(void kept.delete(name(use))),
  };
};

/** `answers`: where the opener keeps them; in memory when left out. */
export const memoryState = (answers: AnswerStore = memoryAnswers(Date.now)): LazyState => {
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
