/**
 * Sequence methods that need not see all elements: sizes, heads and tests that may end early. They cost what they read; nothing is copied.
 */
import { fault } from "../../core/error.ts";
import { named, portable } from "../../core/portable.ts";
import type { ElementList, HeadRun, SequenceCall } from "../../core/sequence-run.ts";
import { Sequence } from "../../value/sequence.ts";

/** The first element that a test accepts or refuses; -1 when there is none. */
const find = ({ length, at }: ElementList, { frame, lambdas }: SequenceCall, wanted: boolean): number => {
  const [test] = lambdas;
  for (let index = 0; index < length; index++) {
    frame.spend(1);
    if ((test === undefined || test(at(index)) === true) === wanted) return index;
  }
  return -1;
};

export const anyHead: HeadRun = named("anyHead", (elements, call) =>
  call.lambdas.length > 0 ? find(elements, call, true) >= 0 : elements.length > 0,
);

export const allHead: HeadRun = named("allHead", (elements, call) => find(elements, call, false) < 0);

export const sizeHead: HeadRun = named("sizeHead", ({ length }) => length);

export const longSizeHead: HeadRun = named("longSizeHead", ({ length }) => BigInt(length));

/** The first element, or the first that a test accepts. */
export const firstHead = portable(
  "firstHead",
  (missing: { readonly value: unknown } | undefined): HeadRun =>
    (elements, call) => {
      const index = find(elements, call, true);
      if (index >= 0) return elements.at(index) ?? null;
      if (missing !== undefined) return missing.value;
      const what = call.lambdas.length > 0 ? "matching element" : "elements";
      throw fault("no_elements", `Sequence contains no ${what}`, "use FirstOrDefault, or test Any() first");
    },
);

export const takeHead: HeadRun = named("takeHead", ({ length, at }, { frame, values }) => {
  const taken = Math.min(length, Math.max(0, Number(values[0])));
  frame.admit(taken);
  frame.spend(1 + (taken >> 4));
  return new Sequence(Array.from({ length: taken }, (_, index) => at(index)));
});
