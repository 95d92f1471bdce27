import fc from "fast-check";
import { expect, it } from "vitest";
import { packAnswers, unpackAnswers } from "./answer-batch.ts";
import type { AnswerWrite } from "./state-write.ts";

const text = fc.string({ unit: "binary" });
const key = { principal: text, procedure: text, key: text };
const number = fc.nat();
const write: fc.Arbitrary<AnswerWrite> = fc.oneof(
  fc.record({ kind: fc.constant("claim"), use: fc.record({ ...key, input: text }), number }),
  fc.record({ kind: fc.constant("answer"), number, reply: text }),
  fc.record({ kind: fc.constant("finish"), use: fc.record(key), reply: text }),
  fc.record({ kind: fc.constant("release"), use: fc.record(key) }),
);

it("gives what was packed, whatever is in it", () => {
  fc.assert(
    fc.property(fc.array(write), (writes) => {
      expect(unpackAnswers(packAnswers(writes))).toEqual(writes);
    }),
  );
});
