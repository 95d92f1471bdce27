/** Some orders of the model of keyed answers, drawn by the scheduler of fast-check, and all of those of two callers. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { inEveryOrder } from "../testing/every-order.ts";
import { playKeyedAnswers } from "../testing/keyed-answers-model.ts";

it("holds in orders of two kernels, four callers and a crash", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom(0 as const, 1 as const), { minLength: 2, maxLength: 4 }),
      fc.option(fc.constantFrom(0 as const, 1 as const), { nil: undefined }),
      async (scheduler, callers, crash) => {
        const judge = playKeyedAnswers(() => scheduler.schedule(Promise.resolve()), { callers, crash });
        await scheduler.waitIdle();
        await judge();
      },
    ),
    { numRuns: 300 },
  );
});

it("holds in every order of two callers and a crash", async () => {
  const orders = await inEveryOrder((step) => playKeyedAnswers(step, { callers: [0, 1], crash: 0 }));
  expect(orders).toBeGreaterThan(50);
});
