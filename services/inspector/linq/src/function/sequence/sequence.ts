/**
 * What sequence methods do with elements, as folds. Each element visited is a step of fuel, and a sequence that is
 * made is measured. The binder has checked arguments and types.
 */

import { absent } from "../../core/absent.ts";
import { ElementReader } from "../../core/element-reader.ts";
import { fault } from "../../core/error.ts";
import { named, portable } from "../../core/portable.ts";
import type { Resumable } from "../../core/resumable.ts";
import type { ElementList, Fold, SequenceCall, SequenceRun } from "../../core/sequence-run.ts";
import { Column } from "../../operator/column.ts";
import { compareValues } from "../../operator/compare.ts";
import type { HostAccess } from "../../type/host.ts";
import { rowClass } from "../../value/row.ts";
import { Sequence } from "../../value/sequence.ts";

const Folding = rowClass(["total", "element"]);

/** A list of our making, measured. */
export const makeSequence = (items: Column, { frame }: SequenceCall): Sequence => {
  frame.admit(items.length);
  return new Sequence(() => items.elements);
};

/** The elements of an argument, whatever form of sequence it is. */
export type ReadElements = (value: unknown) => ElementList;

export const noElements = (what = "no elements"): never => {
  throw fault("no_elements", `Sequence contains ${what}`, "use FirstOrDefault, or test Any() first");
};

/** A fold that keeps some elements, or what was made of them. */
const keeping =
  (keep: (out: Column, item: unknown, made: unknown) => boolean) =>
  (call: SequenceCall): Fold => {
    const out = new Column();
    return { take: (item, made) => keep(out, item, made), end: () => makeSequence(out, call) };
  };

export const where: SequenceRun = named(
  "where",
  keeping((out, item, made) => {
    if (made === true) out.push(item);
    return true;
  }),
);

export const select: SequenceRun = named(
  "select",
  keeping((out, _, made) => {
    out.push(made);
    return true;
  }),
);

/** Does something with every element; pauses between them. */
export const each = function* (
  elements: ElementReader,
  { frame }: SequenceCall,
  visit: (item: unknown) => void,
): Resumable<void> {
  for (let index = 0; index < elements.length; index++) {
    frame.spend(1);
    const item = elements.at(index);
    if (item === absent) return;
    visit(item);
    if (frame.isDue()) yield;
  }
};

export const selectMany = portable(
  "selectMany",
  (elementsOf: ReadElements): SequenceRun =>
    (call) => {
      const out = new Column();
      return {
        inner: function* (made) {
          const elements = elementsOf(made);
          call.frame.admit(out.length + elements.length);
          yield* each(new ElementReader(elements, call.frame), call, (item) => void out.push(item));
        },
        take: () => true,
        end: () => makeSequence(out, call),
      };
    },
);

/** Whether an element was found that a test answers so. */
const searching = (wanted: boolean, found: boolean) => (): Fold => {
  let result = !found;
  return {
    endsEarly: true,
    take: (_, made) => {
      if ((made === true) === wanted) result = found;
      return result !== found;
    },
    end: () => result,
  };
};

export const any: SequenceRun = named("any", (call) =>
  call.lambdas > 0 ? searching(true, true)() : { take: () => false, end: () => false },
);
export const all: SequenceRun = named("all", searching(false, false));

const counting =
  (result: (count: number) => unknown): SequenceRun =>
  ({ lambdas }) => {
    let found = 0;
    return {
      take: (_, made) => {
        if (lambdas === 0 || made === true) found++;
        return true;
      },
      end: () => result(found),
    };
  };

export const count: SequenceRun = named(
  "count",
  counting((found) => found),
);
export const longCount: SequenceRun = named("longCount", counting(BigInt));

/** Which element of a sequence, and what to do when there is none or too many. */
export const element = portable(
  "element",
  (which: "first" | "last" | "single", missing: { readonly value: unknown } | undefined): SequenceRun =>
    ({ lambdas }) => {
      let found = 0;
      let kept: unknown;
      return {
        ...(which === "first" ? { endsEarly: true } : {}),
        take: (item, made) => {
          if (lambdas > 0 && made !== true) return true;
          found++;
          kept = item;
          return which === "last" || (which === "single" && found < 2);
        },
        end: () => {
          if (which === "single" && found > 1)
            throw fault("many_elements", "Sequence contains more than one element", "use First, or a narrower test");
          if (found > 0) return kept ?? null;
          return missing === undefined ? noElements(lambdas > 0 ? "no matching element" : undefined) : missing.value;
        },
      };
    },
);

/** Folds the elements that are not null. `plus` is the arithmetic of their type. */
export const sum = portable(
  "sum",
  (zero: unknown, plus: (a: unknown, b: unknown) => unknown): SequenceRun =>
    () => {
      let total = zero;
      return {
        take: (_, made) => {
          const next = made ?? null;
          if (next !== null) total = plus(total, next);
          return true;
        },
        end: () => total,
      };
    },
);

/** Folds the elements one by one; the lambda gets the total so far and the element as one pair. */
export const aggregate = portable(
  "aggregate",
  (seeded: boolean): SequenceRun =>
    (call) => {
      let total: unknown = seeded ? call.values[0] : undefined;
      let started = seeded;
      return {
        argument: (item) => (started ? new Folding(total, item) : undefined),
        take: (item, made) => {
          total = (started ? made : item) ?? null;
          started = true;
          return true;
        },
        end: () => (started ? (total ?? null) : noElements()),
      };
    },
);

export const average = portable(
  "average",
  (
    plus: (a: unknown, b: unknown) => unknown,
    over: (total: unknown, count: number) => unknown,
    empty: "null" | "throw",
  ): SequenceRun =>
    () => {
      let total: unknown;
      let seen = 0;
      return {
        take: (_, made) => {
          const next = made ?? null;
          if (next === null) return true;
          total = seen === 0 ? next : plus(total, next);
          seen++;
          return true;
        },
        end: () => {
          if (seen > 0) return over(total, seen);
          return empty === "null" ? null : noElements();
        },
      };
    },
);

/** Minimum or maximum of the elements that are not null. */
export const extreme = portable(
  "extreme",
  (sign: 1 | -1, empty: "null" | "throw", host: HostAccess): SequenceRun =>
    () => {
      let best: unknown = null;
      return {
        take: (_, made) => {
          const next = made ?? null;
          if (next !== null && (best === null || compareValues(next, best, host) * sign > 0)) best = next;
          return true;
        },
        end: () => (best === null && empty === "throw" ? noElements() : best),
      };
    },
);

const collecting =
  (end: (items: Column, call: SequenceCall) => Sequence): SequenceRun =>
  (call) => {
    const out = new Column();
    return {
      take: (item) => {
        out.push(item);
        return true;
      },
      end: () => end(out, call),
    };
  };

const backwards = (items: Column): Sequence =>
  new Sequence(() => ({ length: items.length, at: (index) => items.at(items.length - 1 - index) }));

export const reverse: SequenceRun = named("reverse", collecting(backwards));
export const asIs: SequenceRun = named("asIs", collecting(makeSequence));

const cut = ({ values }: SequenceCall): number => Math.max(0, Number(values[0]));

export const skip: SequenceRun = named("skip", (call) => ({ ...asIs(call), start: cut(call) }));

export const take: SequenceRun = named("take", (call) => {
  const most = cut(call);
  const out = new Column();
  return {
    most,
    take: (item) => {
      out.push(item);
      return true;
    },
    end: () => makeSequence(out, call),
  };
});

export const skipWhile: SequenceRun = named("skipWhile", (call) => {
  const out = new Column();
  let isOver = false;
  return {
    /** Once an element is kept the test is not asked again. */
    isSettled: () => isOver,
    take: (item, made) => {
      isOver ||= made !== true;
      if (isOver) out.push(item);
      return true;
    },
    end: () => makeSequence(out, call),
  };
});

const whileTrue = keeping((out, item, made) => {
  if (made === true) out.push(item);
  return made === true;
});

export const takeWhile: SequenceRun = named("takeWhile", (call) => ({ ...whileTrue(call), endsEarly: true }));

export const defaultIfEmpty = portable(
  "defaultIfEmpty",
  (fallback: unknown): SequenceRun =>
    (call) => {
      const out = new Column();
      return {
        take: (item) => {
          out.push(item);
          return true;
        },
        end: () => {
          if (out.length === 0) out.push(call.values.length > 0 ? call.values[0] : fallback);
          return makeSequence(out, call);
        },
      };
    },
);

export const keepIf = portable(
  "keepIf",
  (test: (item: unknown) => boolean): SequenceRun =>
    keeping((out, item) => {
      if (test(item)) out.push(item);
      return true;
    }),
);
