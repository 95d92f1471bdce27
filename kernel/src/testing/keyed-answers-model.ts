/**
 * Keyed answers of two kernels with one store, up to four callers of one key, a crash of one kernel somewhere. In words: no run begins before its claim is stored;
 * after a claim no other run begins; what one caller was answered every later caller is answered; a run that was cut off is reported, and never
 * repeated. Not here: which orders are played.
 */
import { expect } from "vitest";
import type { Reply } from "../call/call.ts";
import { type AnswerStore, type Claim, StoredAnswers } from "../policy/idempotency.ts";
import type { Step } from "./every-order.ts";

interface KeyedScenario {
  /** The kernel of each caller. */
  readonly callers: readonly (0 | 1)[];
  /** The kernel that crashes. */
  readonly crash: 0 | 1 | undefined;
}

const use = { principal: "p", procedure: "x.pay", key: "k", input: "digest" };

/** A store whose every write takes its time, and is then there as a whole. */
const sharedStore = (step: Step) => {
  let row: { reply: Reply | undefined } | undefined;
  const claim = (): Claim => {
    if (row === undefined) {
      row = { reply: undefined };
      return "claimed";
    }
    const { reply } = row;
    return reply === undefined ? { tag: "pending", input: use.input } : { tag: "answered", input: use.input, reply };
  };
  const open = (isDead: () => boolean): AnswerStore => {
    // What a process that is gone had begun to write never comes.
    const write = <T>(apply: () => T): Promise<T> =>
      step().then(() => (isDead() ? new Promise<never>(() => undefined) : apply()));
    return {
      claim: () => write(claim),
      finish: (_, reply) =>
        write(() => {
          row = { reply };
        }),
      release: () =>
        write(() => {
          row = undefined;
        }),
    };
  };
  return { open, claim, stored: () => row };
};

/** Begins it; call what it gives when no step is left: it throws where one of the sentences does not hold. */
export const playKeyedAnswers = (step: Step, { callers, crash }: KeyedScenario): (() => Promise<void>) => {
  const dead = [false, false];
  const store = sharedStore(step);
  const kernels = dead.map((_, at) => new StoredAnswers(async () => store.open(() => dead[at] === true)));
  let runs = 0;
  let wasClaimed = true;
  const run = async (): Promise<Reply> => {
    const row = store.stored();
    wasClaimed &&= row !== undefined && row.reply === undefined;
    runs += 1;
    const value = runs;
    await step();
    return { ok: true, value };
  };
  const outcomes: string[] = [];
  for (const kernel of callers) {
    void step()
      .then(() => kernels[kernel]?.run(use, run))
      .then(
        (reply) => outcomes.push(`${reply?.ok}: ${JSON.stringify(store.stored())}`),
        ({ code }) => outcomes.push(code),
      );
  }
  if (crash !== undefined)
    void step().then(() => {
      dead[crash] = true;
    });
  return async () => {
    expect([wasClaimed, runs <= 1]).toEqual([true, true]);
    const answered = `true: ${JSON.stringify({ reply: { ok: true, value: 1 } })}`;
    expect(outcomes.filter((outcome) => outcome !== answered && outcome !== "aborted")).toEqual([]);
    // Without a crash each caller gets an answer.
    if (crash === undefined) expect([outcomes.length, runs]).toEqual([callers.length, 1]);
    const later = new StoredAnswers(async () => ({
      claim: async () => store.claim(),
      finish: async () => undefined,
      release: async () => undefined,
    }));
    let runsAgain = false;
    const last = await later
      .run(use, async () => {
        runsAgain = runs > 0;
        return { ok: true, value: 1 };
      })
      .catch(({ code }: { readonly code: string }) => code);
    expect(runsAgain).toBe(false);
    if (outcomes.includes(answered)) expect(last).toEqual({ ok: true, value: 1 });
  };
};
