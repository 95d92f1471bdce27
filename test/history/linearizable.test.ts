/** The checkers, against every order that there is for small histories, and against broken ones: what they let through no longer run could show. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action, Operation, Outcome } from "./history.ts";
import { findOrder, type Model, register } from "./linearizable.ts";
import { checkList } from "./lists.ts";

/** A list as one object, for the search. */
const list: Model<readonly string[]> = {
  initial: [],
  step: (state, { action, outcome }) => {
    const next = action.kind === "append" ? [...state, action.value] : state;
    const output = action.kind === "append" ? next.length : next;
    return outcome.tag === "ok" && JSON.stringify(outcome.output) !== JSON.stringify(output) ? undefined : next;
  },
  name: (state) => state.join(),
};

/** Whether any order of any choice among those of unknown outcome explains it. */
const isExplained = <State>(operations: readonly Operation[], model: Model<State>): boolean => {
  const from = (state: State, left: readonly Operation[]): boolean => {
    if (left.every(({ outcome }) => outcome.tag !== "ok")) return true;
    const firstEnd = Math.min(...left.map(({ ended }) => ended));
    return left.some((operation) => {
      if (operation.invoked > firstEnd) return false;
      const next = model.step(state, operation);
      return (
        next !== undefined &&
        from(
          next,
          left.filter((other) => other !== operation),
        )
      );
    });
  };
  return from(
    model.initial,
    operations.filter(({ outcome }) => outcome.tag !== "fail"),
  );
};

const done = (output: unknown): Outcome => ({ tag: "ok", output });
const lost: Outcome = { tag: "unknown", why: "its worker is gone" };
const refused: Outcome = { tag: "fail", why: "nothing was sent" };

const span = fc.record({ begin: fc.nat(12), length: fc.nat(6) });

interface Drawn {
  readonly at: { readonly begin: number; readonly length: number };
  readonly action: Action;
  readonly outcome: Outcome;
}

const toOperation = ({ at, action, outcome }: Drawn, number: number): Operation => ({
  client: `client ${number}`,
  key: "k",
  action,
  invoked: at.begin + number / 100,
  ended: outcome.tag === "unknown" ? Number.POSITIVE_INFINITY : at.begin + at.length + 0.5 + number / 100,
  outcome,
});

const value = fc.constantFrom("", "v0", "v1", "v2", "v3");

/** Operations with outputs that may or may not be explained. */
const anyRegister = fc
  .array(fc.record({ at: span, isWrite: fc.boolean(), seen: value, ending: fc.constantFrom(done(0), lost, refused) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((drawn) =>
    drawn.map(({ at, isWrite, seen, ending }, number) => {
      if (isWrite) return toOperation({ at, action: { kind: "write", value: `v${number}` }, outcome: ending }, number);
      return toOperation({ at, action: { kind: "read" }, outcome: ending.tag === "ok" ? done(seen) : ending }, number);
    }),
  );

interface Played<State> {
  readonly operations: readonly Operation[];
  /** What it came to. */
  readonly last: State;
}

/** Operations that did happen one after the other, each somewhere between its beginning and its end; some never happened, though nobody knows. */
const played = <State>(
  model: Model<State>,
  actions: readonly [(number: number) => Action, Action],
): fc.Arbitrary<Played<State>> =>
  fc
    .array(
      fc.record({
        isChange: fc.boolean(),
        before: fc.nat(40),
        after: fc.nat(40),
        fate: fc.constantFrom("seen", "seen", "seen", "lost", "never", "refused"),
      }),
      { minLength: 1, maxLength: 60 },
    )
    .map((drawn) => {
      let last = model.initial;
      const operations = drawn.map(({ isChange, before, after, fate }, number): Operation => {
        const action = isChange ? actions[0](number) : actions[1];
        const plain = { client: `client ${number}`, key: "k", action, invoked: number * 10 - before - 0.1 };
        if (fate === "seen" || fate === "lost") last = model.step(last, { ...plain, ended: 0, outcome: lost }) ?? last;
        const outputs = { write: null, read: last, append: Array.isArray(last) ? last.length : 0, list: last };
        const outcome = fate === "seen" ? done(outputs[action.kind]) : fate === "refused" ? refused : lost;
        return { ...plain, outcome, ended: outcome === lost ? Number.POSITIVE_INFINITY : number * 10 + after + 0.1 };
      });
      return { operations, last };
    });

const playedRegister = played(register, [(number) => ({ kind: "write", value: `v${number}` }), { kind: "read" }]);
const playedList = played(list, [(number) => ({ kind: "append", value: `v${number}` }), { kind: "list" }]);

/** After everything else. */
const later = (action: Action, outcome: Outcome, number: number): Operation => ({
  client: "last",
  key: "k",
  action,
  invoked: 10_000 + number * 10,
  ended: 10_001 + number * 10,
  outcome,
});

describe("the search for an order", () => {
  it("finds one exactly where there is one", () => {
    fc.assert(
      fc.property(anyRegister, (operations) => {
        expect(findOrder(operations, register).tag).toBe(isExplained(operations, register) ? "possible" : "impossible");
      }),
      { numRuns: 2_000 },
    );
  });

  it("finds one of what was played on one register", () => {
    fc.assert(
      fc.property(playedRegister, ({ operations }) => {
        expect(findOrder(operations, register)).toEqual({ tag: "possible" });
      }),
    );
  });

  it("refuses a value of before, of later and of never", () => {
    fc.assert(
      fc.property(playedRegister, fc.nat(), ({ operations }, draw) => {
        const writes = operations.filter(({ action, outcome }) => action.kind === "write" && outcome.tag === "ok");
        const read = (seen: unknown): Operation => later({ kind: "read" }, done(seen), 2);
        const overwritten = [later({ kind: "write", value: "last" }, done(null), 0), read("last")];
        expect(findOrder([...operations, ...overwritten], register).tag).toBe("possible");
        const chosen = writes[draw % Math.max(1, writes.length)];
        const stale = chosen?.action.kind === "write" ? chosen.action.value : "";
        const [written] = overwritten;
        if (written === undefined) return;
        expect(findOrder([...operations, written, read(stale)], register).tag).toBe("impossible");
        expect(findOrder([...operations, written, read("never")], register).tag).toBe("impossible");
        const early = { ...read("last"), invoked: -200, ended: -199 };
        expect(findOrder([...operations, written, early], register).tag).toBe("impossible");
      }),
    );
  });

  it("is quick where many outcomes are unknown, and where a long history has no order", () => {
    const open = Array.from({ length: 300 }, (_, at) =>
      toOperation({ at: { begin: 1, length: 1 }, action: { kind: "write", value: `lost${at}` }, outcome: lost }, at),
    );
    const long = Array.from({ length: 4_000 }, (_, at) => [
      later({ kind: "write", value: `w${at}` }, done(null), at * 2),
      later({ kind: "read" }, done(at === 3_900 ? "w1" : `w${at}`), at * 2 + 1),
    ]).flat();
    expect(findOrder([...open, ...long.slice(0, 7_000)], register).tag).toBe("possible");
    expect(findOrder([...open, ...long], register).tag).toBe("impossible");
  });
});

describe("the check of a list", () => {
  const judge = (operations: readonly Operation[], last: readonly string[]) =>
    checkList([...operations, later({ kind: "list" }, done(last), 9)], last);

  it("agrees with the search", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ at: span, isAppend: fc.boolean(), ending: fc.constantFrom(done(0), lost), length: fc.nat(3) }),
          {
            maxLength: 4,
          },
        ),
        fc.shuffledSubarray(["v0", "v1", "v2", "v3"]),
        (drawn, last) => {
          const operations = drawn.map(({ at, isAppend, ending, length }, number) => {
            const own = last.indexOf(`v${number}`) + 1;
            const action: Action = isAppend ? { kind: "append", value: `v${number}` } : { kind: "list" };
            const output = isAppend ? own : last.slice(0, length);
            return toOperation({ at, action, outcome: ending.tag === "ok" ? done(output) : ending }, number);
          });
          // What is in it was appended by somebody.
          const known = new Set(operations.flatMap(({ action }) => (action.kind === "append" ? [action.value] : [])));
          fc.pre(last.every((item) => known.has(item)));
          const whole = [...operations, later({ kind: "list" }, done(last), 9)];
          expect(checkList(whole, last).length === 0).toBe(isExplained(whole, list));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("takes what was played, and refuses a loss, a repetition, another order and what was said to have failed", () => {
    fc.assert(
      fc.property(playedList, fc.nat(), ({ operations, last: happened }, draw) => {
        expect(judge(operations, happened)).toEqual([]);
        const acknowledged = operations.filter(
          ({ action, outcome }) => action.kind === "append" && outcome.tag === "ok",
        );
        const chosen = acknowledged[draw % Math.max(1, acknowledged.length)];
        if (chosen?.action.kind !== "append") return;
        const { value } = chosen.action;
        expect(
          judge(
            operations,
            happened.filter((item) => item !== value),
          ),
        ).not.toEqual([]);
        expect(judge(operations, [...happened, value])).not.toEqual([]);
        if (happened.length > 1) expect(judge(operations, happened.toReversed())).not.toEqual([]);
        const said = operations.map((operation) =>
          operation === chosen ? { ...chosen, outcome: refused } : operation,
        );
        expect(judge(said, happened)).not.toEqual([]);
      }),
    );
  });
});
