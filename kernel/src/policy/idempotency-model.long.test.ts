/** Every order of the model of keyed answers: up to four callers at two kernels, and a crash of either. */
import { expect, it } from "vitest";
import { inEveryOrder } from "../testing/every-order.ts";
import { playKeyedAnswers } from "../testing/keyed-answers-model.ts";

/** The kernel of each caller; who calls first is a matter of the order. */
const crews = [[0], [0, 0], [0, 1], [0, 0, 0], [0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1]] as const;
const crashes = [undefined, 0, 1] as const;

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));

it.each(crews.flatMap((callers) => crashes.map((crash) => ({ callers, crash }))))(
  "holds in every order of callers at $callers, where the kernel that crashes is $crash",
  async (scenario) => {
    const orders = await inEveryOrder((step) => playKeyedAnswers(step, scenario));
    const actors = scenario.callers.length + (scenario.crash === undefined ? 0 : 1);
    expect(orders).toBeGreaterThanOrEqual(factorial(actors));
  },
);
