/** What holds of every store of answers, whatever it keeps them in: run by a test file for each kind. */
import { expect, it } from "vitest";
import type { Reply } from "../call/call.ts";
import { type AnswerStore, type KeyUse, StoredAnswers } from "../policy/idempotency.ts";

/** A store, as one kernel has it open. */
interface OpenStore {
  readonly answers: AnswerStore;
  readonly close: () => Promise<void> | void;
}

/** Opens another kernel's view of the same store. */
type OpenAnswers = () => Promise<OpenStore>;

const paid: Reply = { ok: true, value: { amount: 5, text: 'a "text" \u0000 \ud800 ü' } };
const down: Reply = { ok: false, error: { code: "unavailable", message: "down", retryable: true } };

let number = 0;
const newUse = (more: Partial<KeyUse> = {}): KeyUse => {
  number += 1;
  return { principal: "ann", procedure: "till.pay", key: `key-${number}`, input: "digest", ...more };
};

const ranTwice = (): Promise<Reply> => Promise.reject(new Error("ran twice"));

export const testAnswers = (open: OpenAnswers): void => {
  const withTwo = async (work: (one: AnswerStore, other: AnswerStore) => Promise<void>): Promise<void> => {
    const [one, other] = [await open(), await open()];
    try {
      await work(one.answers, other.answers);
    } finally {
      await one.close();
      await other.close();
    }
  };
  const keyed = (store: AnswerStore): StoredAnswers => new StoredAnswers(async () => store);

  it("gives another kernel the answer of a key, byte for byte", () =>
    withTwo(async (one, other) => {
      const use = newUse({ principal: "a \u0000 b" });
      await keyed(one).run(use, async () => paid);
      expect(await keyed(other).run({ ...use }, ranTwice)).toEqual(paid);
      await expect(keyed(other).run({ ...use, input: "another" }, ranTwice)).rejects.toMatchObject({
        code: "failed_precondition",
      });
    }));

  it("reports what runs elsewhere or was cut off there", () =>
    withTwo(async (one, other) => {
      const use = newUse();
      expect(await one.claim(use)).toBe("claimed");
      await expect(keyed(other).run({ ...use }, ranTwice)).rejects.toMatchObject({ code: "aborted" });
    }));

  it("frees a key whose run changed nothing", () =>
    withTwo(async (one, other) => {
      const use = newUse();
      expect(await keyed(one).run(use, async () => down)).toEqual(down);
      expect(await keyed(other).run({ ...use }, async () => paid)).toEqual(paid);
      expect(await keyed(one).run({ ...use }, ranTwice)).toEqual(paid);
    }));

  it("tells keys of other principals and procedures apart", () =>
    withTwo(async (one, other) => {
      const use = newUse();
      const uses = [
        use,
        { ...use, principal: "bob" },
        { ...use, procedure: "till.pay2" },
        { ...use, key: `${use.key}x` },
      ];
      expect(await Promise.all(uses.map((each) => one.claim(each)))).toEqual(uses.map(() => "claimed"));
      for (const [at, each] of uses.entries()) await one.finish(each, { ok: true, value: at });
      for (const [at, each] of uses.entries())
        expect(await keyed(other).run({ ...each }, ranTwice)).toEqual({ ok: true, value: at });
    }));

  it("lets one of two kernels run each of many keys", () =>
    withTwo(async (one, other) => {
      const uses = Array.from({ length: 300 }, () => newUse());
      const runs = new Map<string, number>();
      const [first, second] = [keyed(one), keyed(other)];
      const outcomes = await Promise.all(
        uses
          .flatMap((use, at) => (at % 2 === 0 ? [first, second] : [second, first]).map((store) => ({ store, use })))
          .map(({ store, use }) =>
            store
              .run({ ...use }, async () => {
                runs.set(use.key, (runs.get(use.key) ?? 0) + 1);
                return { ok: true, value: use.key };
              })
              .then(
                (reply) => (reply.ok ? reply.value : reply.error.code),
                ({ code }: { code: string }) => code,
              ),
          ),
      );
      expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
      expect(runs.size).toBe(uses.length);
      for (const [at, outcome] of outcomes.entries())
        expect([uses[Math.floor(at / 2)]?.key, "aborted"]).toContain(outcome);
      for (const use of uses) expect(await first.run({ ...use }, ranTwice)).toEqual({ ok: true, value: use.key });
    }));
};
