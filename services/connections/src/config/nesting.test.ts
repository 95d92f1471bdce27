/** A kernel below one of its own folder notices, however many are between. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { isNested, nestingVariables } from "./nesting.ts";

const folder = fc.stringMatching(/^\/[a-z]{1,5}(\/[a-z]{1,5})?$/);

it("is noticed by every kernel below one of the same folder, and by no other", () => {
  fc.assert(
    fc.property(fc.array(folder, { maxLength: 6 }), folder, (above, own) => {
      const env = above.reduce<Readonly<Record<string, string>>>((outer, each) => nestingVariables(outer, each), {});
      expect(isNested(env, own)).toBe(above.includes(own));
    }),
  );
});
