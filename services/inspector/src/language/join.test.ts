/** Join and GroupJoin: what they give by hand, and that a join is what two nested loops find. */
import { evaluate, plainHost, startEvaluation } from "@fairlead/linq";
import { defaultLimits } from "@fairlead/linq/limits";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainValue } from "../testing/plain-value.ts";
import { errors, values } from "../testing/table.ts";

values("join", [
  ["§.Join(Numbers, Id, it, inner).Count()", 4],
  ["§.Join(Numbers, m => m.Id, n => n, (m, n) => m.Id * 10 + n)", ["11L", "22L", "22L", "33L"]],
  ["Numbers.Join(§, it, Id, new { outer, inner.Name }).Count()", 4],
  ["Numbers.Join(§, n => n + 0.0, m => m.Id, (n, m) => n)", [3, 1, 2, 2]],
  ["Numbers.Join(Empty, it, it, outer).Count()", 0],
  ["Numbers.GroupJoin(Numbers, it, it, (n, same) => n * same.Count())", [3, 1, 4, 4]],
  ["Numbers.GroupJoin(Empty, it, it, (n, same) => same.Sum())", [0, 0, 0, 0]],
  ["People.Join(People, name, name, outer.name == inner.name).All(it)", true],
  ["§.Any(m => Numbers.Join(§, it, Id, (n, o) => o.Id == m.Id).Any(it))", true],
]);

errors("join", [
  ["Numbers.Join(Numbers, it, it)", "wrong_arguments", 8, /Join\(other/],
  ["Numbers.Join(3, it, it, outer)", "wrong_arguments", 13],
  ['Numbers.Join(Numbers, it, "x", outer)', "no_common_type", 26, /convert/],
  ["Numbers.Join(Numbers, it, it, x => x)", "wrong_arguments", 30, /\(x, y\)/],
  ["Numbers.GroupJoin(Numbers, it, it, x => x)", "wrong_arguments", 35],
  ["Numbers.Join(it, it, it, outer)", "no_it", 13],
]);

const key = fc.option(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("a", "b"), fc.boolean()));
const side = fc.array(fc.record({ key }), { maxLength: 8 });

test("a join is what two nested loops find, in their order, and a key of null is equal to none", () => {
  fc.assert(
    fc.property(side, side, (left, right) => {
      const host = plainHost({
        left: left.map((each, at) => ({ ...each, at })),
        right: right.map((each, at) => ({ ...each, at })),
      });
      const pairs = left.flatMap((outer, x) =>
        right.flatMap((inner, y) => (outer.key !== null && outer.key === inner.key ? [x * 100 + y] : [])),
      );
      const counts = left.map((outer) => right.filter((inner) => outer.key !== null && inner.key === outer.key).length);
      const given = (expr: string): unknown => {
        const { value, type } = evaluate(expr, { host });
        return plainValue(value, type);
      };
      expect(given("left.Join(right, x => x.key, y => y.key, (x, y) => x.at * 100 + y.at)")).toEqual(pairs);
      expect(given("left.GroupJoin(right, key, key, inner.Count())")).toEqual(counts);
    }),
  );
});

const many = plainHost({ many: Array.from({ length: 2_000 }, (_, id) => ({ id, all: 1 })) });

test("a join of all with all is refused before it has all pairs", () => {
  const joining = () =>
    evaluate("many.Join(many, all, all, outer.id).Count()", {
      host: many,
      limits: { ...defaultLimits, items: 10_000 },
    });
  expect(joining).toThrow(expect.objectContaining({ code: "too_many_items" }));
});

test("a join pauses on both sides, and over the pairs", () => {
  const expr = "many.Join(many, id, id, outer.id).Count()";
  const work = startEvaluation(expr, { host: many, budget: { isSpent: () => true } });
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pauses += 1;
  expect(step.value.value).toBe(2_000);
  expect(pauses).toBeGreaterThan((4 * 2_000) / 32);
});
