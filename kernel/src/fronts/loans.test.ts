/** Rates of callers over several processes: together they admit no more than one kernel, in whatever order things happen. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Principal } from "../call/call.ts";
import { type Loan, Rates } from "../policy/rate.ts";
import { LoanBook } from "./loan-book.ts";
import { Loans } from "./loans.ts";

const callerWith = (perSecond: number, concurrent: number) =>
  ({ id: "someone", access: ["read"], rate: { perSecond, concurrent } }) satisfies Principal;
type Caller = ReturnType<typeof callerWith>;

/** A kernel and two fronts. `late`: what is borrowed comes only when it is let through. */
const open = () => {
  const rates = { calls: new Rates(), requests: new Rates() };
  const clock = { now: 0 };
  const fronts = [1, 2].map(() => {
    const book = new LoanBook(rates, 3);
    const waiting: (() => void)[] = [];
    const state = { abandoned: 0, isGone: false };
    const loans = new Loans({
      borrow: (request, take) => {
        const loan: Loan = book.lend(request, clock.now);
        waiting.push(() => take(loan));
      },
      repay: (id, repaid) => book.settle(id, repaid),
      abandoned: () => state.abandoned,
      now: () => clock.now,
    });
    return { book, loans, waiting, state, leaves: [] as (() => void)[] };
  });
  return { rates, clock, fronts };
};

type Command = readonly [kind: "take" | "leave" | "abandon" | "arrive" | "report" | "rest" | "die", front: number];

const commands = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.tuple(fc.constant("take" as const), fc.nat({ max: 1 })) },
    {
      weight: 6,
      arbitrary: fc.tuple(
        fc.constantFrom("leave" as const, "abandon" as const, "arrive" as const, "report" as const, "rest" as const),
        fc.nat({ max: 1 }),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constant("die" as const), fc.nat({ max: 1 })) },
    { weight: 6, arbitrary: fc.tuple(fc.constant("own" as const), fc.nat({ max: 1 })) },
    { weight: 3, arbitrary: fc.tuple(fc.constant("wait" as const), fc.nat({ max: 300 })) },
  ),
  { maxLength: 200, size: "max" },
);

it.each([
  [40, 12],
  [10, 1_000],
])("never lets in more calls, nor more at once, than %d a second and %d at once", (perSecond, concurrent) => {
  const caller = callerWith(perSecond, concurrent);
  fc.assert(
    fc.property(commands, (run) => {
      const { rates, clock, fronts } = open();
      const own: (() => void)[] = [];
      const admitted: number[] = [];
      for (const [kind, at] of run) {
        const front = fronts[at];
        if (kind === "wait") clock.now += at;
        else if (kind === "own") {
          const taken = rates.calls.take(caller, clock.now);
          if ("leave" in taken) {
            admitted.push(clock.now);
            own.push(taken.leave);
          } else own.pop()?.();
        } else if (front !== undefined && step(front, { caller, kind }) === 1) admitted.push(clock.now);
        const running =
          own.length + fronts.reduce((sum, { leaves, state }) => sum + leaves.length + state.abandoned, 0);
        expect(running).toBeLessThanOrEqual(concurrent);
      }
      expect(excess(admitted, perSecond)).toBeLessThanOrEqual(1e-6);
    }),
    { numRuns: 200 },
  );
});

/** By how many calls the worst stretch of time has more than a burst and what comes in meanwhile. */
const excess = (admitted: readonly number[], perSecond: number): number => {
  let most = 0;
  for (const [first, from] of admitted.entries())
    for (let last = first; last < admitted.length; last += 1) {
      const allowed = perSecond * (1 + ((admitted[last] ?? from) - from) / 1_000);
      most = Math.max(most, last - first + 1 - allowed);
    }
  return most;
};

type Front = ReturnType<typeof open>["fronts"][number];

/** How many calls that lets in. */
const step = (
  { book, loans, waiting, state, leaves }: Front,
  { caller, kind }: { caller: Caller; kind: Command[0] },
): number => {
  if (state.isGone) return 0;
  switch (kind) {
    case "take": {
      const leave = loans.take(caller);
      if (leave === undefined) return 0;
      leaves.push(leave);
      return 1;
    }
    case "leave":
      leaves.pop()?.();
      return 0;
    case "abandon": {
      const leave = leaves.pop();
      if (leave !== undefined) state.abandoned += 1;
      leave?.();
      return 0;
    }
    case "arrive":
      waiting.shift()?.();
      return 0;
    case "report":
      loans.report();
      return 0;
    case "rest":
      loans.rest();
      return 0;
    case "die":
      // With its calls, and with what it had not said yet.
      Object.assign(state, { isGone: true, abandoned: 0 });
      leaves.length = 0;
      book.close();
      return 0;
  }
};

it("lends again what a front gives back, and all of it once that is gone", () => {
  const caller = callerWith(40, 12);
  const { rates, clock, fronts } = open();
  const [front] = fronts;
  if (front === undefined) throw new Error("there is no front");
  expect(front.loans.take(caller)).toBeUndefined();
  front.waiting.shift()?.();
  const leave = front.loans.take(caller);
  expect(leave).toBeDefined();
  leave?.();
  front.loans.rest();
  front.loans.rest();
  const left: unknown[] = [];
  while (left.length < 100) {
    const taken = rates.calls.take(caller, clock.now, "urgent");
    if (!("leave" in taken)) break;
    left.push(taken);
  }
  expect(left).toHaveLength(39);
});
