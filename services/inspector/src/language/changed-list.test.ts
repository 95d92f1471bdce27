/** Sequence methods on two lists that other code changes at a pause: they read as far as the lists go, and run nothing of theirs. */
import { startEvaluation } from "@fairlead/linq";
import { expect, test } from "vitest";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";

const numbers = (): number[] => Array.from({ length: 300 }, (_, index) => index);

/** The value of an expression over A and B; other code changes them once, at the third pause. */
const interrupted = (
  expr: string,
  change: (lists: { readonly A: number[]; readonly B: number[] }) => void,
): unknown => {
  const lists = { A: numbers(), B: numbers() };
  const registry = new Registry([]);
  // Every name is a member of an element whose type is not known: B would be one of A's.
  const type = registry.type("List<Int32?>");
  const roots = Object.entries(lists).map(([name, value]) => ({ name, type, read: () => value }));
  const host = hostAccess({ registry, now: () => 0, roots });
  const budget = { isSpent: () => true };
  const work = startEvaluation(expr, { host, budget, clock: { elapsed: () => 0 } });
  for (let pause = 1; ; pause++) {
    const step = work.next(true);
    if (step.done === true) return step.value.value;
    if (pause === 3) change(lists);
  }
};

test.each([
  ["A.Zip(B).Count(Second == null)", 0],
  ["A.Zip(B).Count()", 100],
  ["A.SequenceEqual(B)", false],
  ["A.Concat(B).Count(it == null)", 0],
  ["A.Concat(B).Count()", 400],
  ["A.SelectMany(r => B).Count(it == null)", 0],
  ["A.Union(B).Count()", 300],
  ["A.Except(B).Count()", 200],
  ["A.Intersect(B).Count()", 100],
] as const)("%s, when B becomes shorter", (expr, value) => {
  expect(interrupted(expr, ({ B }) => B.splice(100))).toBe(value);
});

test("what is read before the first element of a list may take the list's end away", () => {
  expect(interrupted("A.Except(B).Count(it == null)", ({ A }) => A.splice(10))).toBe(0);
});

test.each([
  "A.Zip(B).Count()",
  "A.SequenceEqual(B)",
  "A.Concat(B).Count()",
  "A.SelectMany(r => B).Count()",
  "A.Except(B).Count()",
])("%s, when B gets a getter", (expr) => {
  const fired: string[] = [];
  const arm = (list: number[]): void => void Object.defineProperty(list, 150, { get: () => fired.push("element") });
  expect(() => interrupted(expr, ({ B }) => arm(B))).toThrow(/getter/);
  expect(fired).toEqual([]);
});
