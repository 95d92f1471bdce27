/**
 * Keyed answers, every interleaving that the scheduler of fast-check draws: two kernels with one store, up to four callers of one key, a crash of one kernel
 * somewhere. In words: no run begins before its claim is stored; after a claim no other run begins; what one caller was answered every
 * later caller is answered; a run that was cut off is reported, and never repeated.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Reply } from "../call/call.ts";
import { type AnswerStore, type Claim, StoredAnswers } from "./idempotency.ts";

const use = { principal: "p", procedure: "x.pay", key: "k", input: "digest" };

/** A store whose every write takes its time, and is then there as a whole. */
const sharedStore = (schedule: <T>(work: Promise<T>, label: string) => Promise<T>) => {
  let row: { reply: Reply | undefined } | undefined;
  const write = <T>(label: string, apply: () => T): Promise<T> => schedule(Promise.resolve(), label).then(apply);
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
    const alive = <T>(label: string, apply: () => T): Promise<T> =>
      write(label, () => (isDead() ? new Promise<never>(() => undefined) : Promise.resolve(apply()))).then(
        (late) => late,
      );
    return {
      claim: () => alive("claim", claim),
      finish: (_, reply) =>
        alive("finish", () => {
          row = { reply };
        }),
      release: () =>
        alive("release", () => {
          row = undefined;
        }),
    };
  };
  return { open, stored: () => row };
};

it("holds in every order of two kernels, four callers and a crash", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom(0, 1), { minLength: 2, maxLength: 4 }),
      fc.option(fc.constantFrom(0, 1), { nil: undefined }),
      async (scheduler, callers, crash) => {
        const dead = [false, false];
        const store = sharedStore((work, label) => scheduler.schedule(work, label));
        const kernels = dead.map((_, at) => new StoredAnswers(async () => store.open(() => dead[at] === true)));
        let runs = 0;
        const run = async (): Promise<Reply> => {
          expect(store.stored()).toEqual({ reply: undefined });
          runs += 1;
          const value = runs;
          await scheduler.schedule(Promise.resolve(), "run");
          return { ok: true, value };
        };
        const outcomes: string[] = [];
        for (const [at, kernel] of callers.entries()) {
          scheduler.schedule(Promise.resolve(), `caller ${at}`).then(() =>
            kernels[kernel]?.run(use, run).then(
              ({ ok }) => outcomes.push(`${ok}: ${JSON.stringify(store.stored())}`),
              ({ code }) => outcomes.push(code),
            ),
          );
        }
        if (crash !== undefined)
          scheduler.schedule(Promise.resolve(), "crash").then(() => {
            dead[crash] = true;
          });
        await scheduler.waitIdle();
        expect(runs).toBeLessThanOrEqual(1);
        const answered = `true: ${JSON.stringify({ reply: { ok: true, value: 1 } })}`;
        expect(outcomes.filter((outcome) => outcome !== answered && outcome !== "aborted")).toEqual([]);
        // Without a crash each caller gets an answer.
        if (crash === undefined) expect([outcomes.length, runs]).toEqual([callers.length, 1]);
        const last = await new StoredAnswers(async () => ({
          ...store.open(() => false),
          claim: async () => {
            const row = store.stored();
            if (row === undefined) return "claimed";
            return row.reply === undefined
              ? { tag: "pending", input: use.input }
              : { tag: "answered", input: use.input, reply: row.reply };
          },
          finish: async () => undefined,
        }))
          .run(use, async () => {
            expect(runs).toBe(0);
            return { ok: true, value: 1 };
          })
          .catch(({ code }: { readonly code: string }) => code);
        if (outcomes.includes(answered)) expect(last).toEqual({ ok: true, value: 1 });
      },
    ),
    { numRuns: 300 },
  );
});
