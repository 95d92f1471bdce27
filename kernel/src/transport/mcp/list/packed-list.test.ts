import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { packList } from "./packed-list.ts";

test("a text and an end are one gzip stream of both, whatever they are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 5_000 }),
      fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1 }),
      async (text, ends) => {
        const packed = await packList(Buffer.from(text));
        for (const end of ends) {
          const whole = Buffer.concat(packed.finish(Buffer.from(end)));
          expect(gunzipSync(whole).equals(Buffer.concat([text, end]))).toBe(true);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test("an end that does not fit one block is refused", async () => {
  const packed = await packList(Buffer.from("text"));
  expect(gunzipSync(Buffer.concat(packed.finish(Buffer.alloc(65_535, "a"))))).toHaveLength(65_539);
  expect(() => packed.finish(Buffer.alloc(65_536))).toThrow(RangeError);
});
