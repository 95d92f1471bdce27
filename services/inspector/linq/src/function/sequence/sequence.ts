/**
 * What sequence methods do with elements. Everything is eager; each element visited is a step of fuel, and a sequence that is
 * made is measured. The binder has checked arguments and types.
 */

import { fault } from "../../core/error.ts";
import type { Frame } from "../../core/frame.ts";
import { named, portable } from "../../core/portable.ts";
import type { Lambda, SequenceCall, SequenceRun } from "../../core/sequence-run.ts";
import { compareValues } from "../../operator/compare.ts";
import { chargeKey } from "../../operator/key.ts";
import { createKeyOrder } from "../../operator/ranking.ts";
import type { HostAccess } from "../../type/host.ts";
import { rowClass } from "../../value/row.ts";
import { Group, Sequence } from "../../value/sequence.ts";

const Folding = rowClass(["total", "element"]);

const identity: Lambda = (item) => item;
const firstLambda = ({ lambdas }: SequenceCall): Lambda => lambdas[0] ?? identity;

const makeSequence = (items: readonly unknown[], { frame }: SequenceCall): Sequence => {
  frame.admit(items.length);
  return new Sequence(items);
};

/** Elements of an argument, whatever form of sequence it is. */
type ReadItems = (value: unknown, frame: Frame) => readonly unknown[];

const noElements = (what = "no elements"): never => {
  throw fault("no_elements", `Sequence contains ${what}`, "use FirstOrDefault, or test Any() first");
};

export const where: SequenceRun = named("where", (items, call) => {
  const test = firstLambda(call);
  const kept: unknown[] = [];
  for (const item of items) {
    call.frame.spend(1);
    if (test(item) === true) kept.push(item);
  }
  return makeSequence(kept, call);
});

export const select: SequenceRun = named("select", (items, call) => {
  const shape = firstLambda(call);
  const out: unknown[] = [];
  for (const item of items) {
    call.frame.spend(1);
    out.push(shape(item));
  }
  return makeSequence(out, call);
});

export const selectMany = portable(
  "selectMany",
  (itemsOf: ReadItems): SequenceRun =>
    (items, call) => {
      const shape = firstLambda(call);
      const out: unknown[] = [];
      for (const item of items) {
        const inner = itemsOf(shape(item), call.frame);
        call.frame.spend(1 + inner.length);
        call.frame.admit(out.length + inner.length);
        for (const each of inner) out.push(each);
      }
      return makeSequence(out, call);
    },
);

/** The first element that a test accepts; -1 when there is none. */
const find = (items: readonly unknown[], call: SequenceCall, wanted = true): number => {
  const test = firstLambda(call);
  for (let index = 0; index < items.length; index++) {
    call.frame.spend(1);
    if ((test(items[index]) === true) === wanted) return index;
  }
  return -1;
};

const tested = ({ lambdas }: SequenceCall): boolean => lambdas.length > 0;

export const any: SequenceRun = named("any", (items, call) =>
  tested(call) ? find(items, call) >= 0 : items.length > 0,
);
export const all: SequenceRun = named("all", (items, call) => find(items, call, false) < 0);

export const count: SequenceRun = named("count", (items, call) => {
  if (!tested(call)) return items.length;
  const test = firstLambda(call);
  let found = 0;
  for (const item of items) {
    call.frame.spend(1);
    if (test(item) === true) found++;
  }
  return found;
});

export const longCount: SequenceRun = named("longCount", (items, call) => BigInt(Number(count(items, call))));

/** Which element of a sequence, and what to do when there is none or too many. */
export const element = portable(
  "element",
  (which: "first" | "last" | "single", missing: { readonly value: unknown } | undefined): SequenceRun =>
    (items, call) => {
      const kept = tested(call) ? matching(items, call, which) : items;
      if (which === "single" && kept.length > 1)
        throw fault("many_elements", "Sequence contains more than one element", "use First, or a narrower test");
      const index = which === "last" ? kept.length - 1 : 0;
      if (kept.length > 0) return kept[index] ?? null;
      return missing === undefined ? noElements(tested(call) ? "no matching element" : undefined) : missing.value;
    },
);

const matching = (
  items: readonly unknown[],
  call: SequenceCall,
  which: "first" | "last" | "single",
): readonly unknown[] => {
  if (which !== "first") {
    const test = firstLambda(call);
    call.frame.spend(items.length);
    return items.filter((item) => test(item) === true);
  }
  const index = find(items, call);
  return index < 0 ? [] : [items[index]];
};

/** Folds the elements that are not null. `plus` is the arithmetic of their type. */
export const sum = portable(
  "sum",
  (zero: unknown, plus: (a: unknown, b: unknown) => unknown): SequenceRun =>
    (items, call) => {
      const value = firstLambda(call);
      let total = zero;
      for (const item of items) {
        call.frame.spend(1);
        const next = value(item) ?? null;
        if (next !== null) total = plus(total, next);
      }
      return total;
    },
);

/** Folds the elements one by one; the lambda gets the total so far and the element as one pair. */
export const aggregate = portable(
  "aggregate",
  (seeded: boolean): SequenceRun =>
    (items, call) => {
      const step = firstLambda(call);
      if (!seeded && items.length === 0) return noElements();
      let total = seeded ? call.values[0] : items[0];
      for (let index = seeded ? 0 : 1; index < items.length; index++) {
        call.frame.spend(1);
        total = step(new Folding(total, items[index])) ?? null;
      }
      return total ?? null;
    },
);

export const average = portable(
  "average",
  (
    plus: (a: unknown, b: unknown) => unknown,
    over: (total: unknown, count: number) => unknown,
    empty: "null" | "throw",
  ): SequenceRun =>
    (items, call) => {
      const value = firstLambda(call);
      let total: unknown;
      let seen = 0;
      for (const item of items) {
        call.frame.spend(1);
        const next = value(item) ?? null;
        if (next === null) continue;
        total = seen === 0 ? next : plus(total, next);
        seen++;
      }
      if (seen > 0) return over(total, seen);
      return empty === "null" ? null : noElements();
    },
);

/** Minimum or maximum of the elements that are not null. */
export const extreme = portable(
  "extreme",
  (sign: 1 | -1, empty: "null" | "throw", host: HostAccess): SequenceRun =>
    (items, call) => {
      const value = firstLambda(call);
      let best: unknown = null;
      for (const item of items) {
        call.frame.spend(1);
        const next = value(item) ?? null;
        if (next !== null && (best === null || compareValues(next, best, host) * sign > 0)) best = next;
      }
      return best === null && empty === "throw" ? noElements() : best;
    },
);

/** Sorts by several keys; stable. Lambdas are the keys, `signs` their directions. */
export const orderBy = portable(
  "orderBy",
  (signs: readonly (1 | -1)[], host: HostAccess): SequenceRun =>
    (items, call) => {
      call.frame.spend(items.length * (1 + Math.ceil(Math.log2(items.length + 1) / 2)));
      const rows = items.map((item) => ({ item, keys: call.lambdas.map((key) => key(item)) }));
      rows.sort(createKeyOrder(signs, host, call.frame));
      return makeSequence(
        rows.map(({ item }) => item),
        call,
      );
    },
);

export const groupBy = portable(
  "groupBy",
  (host: HostAccess): SequenceRun =>
    (items, call) => {
      const [key = identity, shape = identity] = call.lambdas;
      const groups = new Map<unknown, { readonly key: unknown; readonly items: unknown[] }>();
      for (const item of items) {
        call.frame.spend(1);
        const value = key(item);
        const id = chargeKey(value, host, call.frame);
        let group = groups.get(id);
        if (group === undefined) {
          group = { key: value, items: [] };
          groups.set(id, group);
        }
        group.items.push(shape(item));
      }
      return makeSequence(
        [...groups.values()].map((group) => new Group(group.key, group.items)),
        call,
      );
    },
);

const uniqueBy = (items: readonly unknown[], call: SequenceCall, host: HostAccess): readonly unknown[] => {
  call.frame.spend(items.length);
  const seen = new Map<unknown, unknown>();
  for (const item of items) {
    const key = chargeKey(item, host, call.frame);
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()];
};

export const distinct = portable(
  "distinct",
  (host: HostAccess): SequenceRun =>
    (items, call) =>
      makeSequence(uniqueBy(items, call, host), call),
);

export const reverse: SequenceRun = named("reverse", (items, call) => {
  call.frame.spend(items.length);
  return makeSequence([...items].reverse(), call);
});

const cut = ({ values }: SequenceCall): number => Math.max(0, Number(values[0]));

export const skip: SequenceRun = named("skip", (items, call) => makeSequence(items.slice(cut(call)), call));
export const take: SequenceRun = named("take", (items, call) => makeSequence(items.slice(0, cut(call)), call));

export const skipWhile: SequenceRun = named("skipWhile", (items, call) => {
  const end = find(items, call, false);
  return makeSequence(end < 0 ? [] : items.slice(end), call);
});

export const takeWhile: SequenceRun = named("takeWhile", (items, call) => {
  const end = find(items, call, false);
  return makeSequence(end < 0 ? items : items.slice(0, end), call);
});

/** Two sequences by their elements' keys. */
export const combine = portable(
  "combine",
  (how: "Union" | "Concat" | "Intersect" | "Except", itemsOf: ReadItems, host: HostAccess): SequenceRun =>
    (items, call) => {
      const others = itemsOf(call.values[0], call.frame);
      call.frame.spend(items.length + others.length);
      call.frame.admit(items.length + others.length);
      if (how === "Concat") return makeSequence([...items, ...others], call);
      if (how === "Union") return makeSequence(uniqueBy([...items, ...others], call, host), call);
      const keys = new Set(others.map((item) => chargeKey(item, host, call.frame)));
      const wanted = how === "Intersect";
      return makeSequence(
        uniqueBy(
          items.filter((item) => keys.has(chargeKey(item, host, call.frame)) === wanted),
          call,
          host,
        ),
        call,
      );
    },
);

export const sequenceEqual = portable(
  "sequenceEqual",
  (itemsOf: ReadItems, host: HostAccess): SequenceRun =>
    (items, call) => {
      const others = itemsOf(call.values[0], call.frame);
      call.frame.spend(items.length);
      const key = (item: unknown): unknown => chargeKey(item, host, call.frame);
      return items.length === others.length && items.every((item, index) => key(item) === key(others[index]));
    },
);

export const defaultIfEmpty = portable(
  "defaultIfEmpty",
  (fallback: unknown): SequenceRun =>
    (items, call) =>
      makeSequence(items.length > 0 ? items : [call.values.length > 0 ? call.values[0] : fallback], call),
);

export const keepIf = portable(
  "keepIf",
  (test: (item: unknown) => boolean): SequenceRun =>
    (items, call) => {
      call.frame.spend(items.length);
      return makeSequence(items.filter(test), call);
    },
);

export const asIs: SequenceRun = named("asIs", (items, call) => makeSequence(items, call));
