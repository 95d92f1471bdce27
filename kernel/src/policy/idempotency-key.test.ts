import fc from "fast-check";
import { expect, test } from "vitest";
import { parseIdempotencyKey } from "../server/request-headers.ts";
import { type AnswerStore, StoredAnswers } from "./idempotency.ts";

const store: AnswerStore = {
  claim: async () => "claimed",
  finish: async () => undefined,
  release: async () => undefined,
};
const keyed = new StoredAnswers(async () => store);

test("the wires and the store agree on what a key is", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme-ascii", minLength: 250, maxLength: 260 }),
    fc.uuid(),
  );
  await fc.assert(
    fc.asyncProperty(text, async (key) => {
      const use = { principal: "local", procedure: "probe.pay", key, input: "x" };
      const taken = await keyed
        .run(use, async () => ({ ok: true, value: 1 }))
        .then(
          () => true,
          () => false,
        );
      expect(taken).toBe(parseIdempotencyKey(key) !== undefined);
    }),
  );
});

const use = { principal: "local", procedure: "probe.pay", key: "again", input: "x" };
const paid = { ok: true, value: 1 } as const;

test.each([
  [
    "throws",
    () => {
      throw new Error("no store");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no store"))],
] as const)("a key can be used again where the opening of the store %s", async (_, fails) => {
  let isBroken = true;
  const later = new StoredAnswers(() => (isBroken ? fails() : Promise.resolve(store)));
  await expect(later.run(use, async () => paid)).rejects.toThrow("no store");
  isBroken = false;
  expect(later.join(use)).toBeUndefined();
  expect(await later.run(use, async () => paid)).toEqual(paid);
});
