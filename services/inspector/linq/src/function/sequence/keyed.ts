/** Sequence methods that go by keys: sorting, grouping, and what takes or leaves equal elements. */
import { absent } from "../../core/absent.ts";
import { ElementReader } from "../../core/element-reader.ts";
import { portable } from "../../core/portable.ts";
import type { SequenceCall, SequenceRun } from "../../core/sequence-run.ts";
import { Column } from "../../operator/column.ts";
import { GroupTable } from "../../operator/group-table.ts";
import { chargeKey } from "../../operator/key.ts";
import { KeyTable } from "../../operator/key-table.ts";
import { columnOrder, sortPlaces } from "../../operator/sort.ts";
import type { HostAccess } from "../../type/host.ts";
import { Sequence } from "../../value/sequence.ts";
import { each, makeSequence, type ReadElements } from "./sequence.ts";

/** Sorts by several keys; stable. Lambdas are the keys, `signs` their directions. */
export const orderBy = portable(
  "orderBy",
  (signs: readonly (1 | -1)[], host: HostAccess): SequenceRun =>
    (call) => {
      const items = new Column();
      const keys = signs.map(() => new Column());
      return {
        take: (item, made, all) => {
          items.push(item);
          if (signs.length === 1) keys[0]?.push(made);
          else for (const [index, column] of keys.entries()) column.push(all[index]);
          return true;
        },
        end: () => undefined,
        finish: function* () {
          const { frame } = call;
          frame.spend(items.length * Math.ceil(Math.log2(items.length + 1) / 2));
          const places = yield* sortPlaces(items.length, columnOrder(keys, signs, host), frame);
          return new Sequence(() => ({ length: places.length, at: (index) => items.at(places[index] ?? 0) }));
        },
      };
    },
);

export const groupBy = portable(
  "groupBy",
  (host: HostAccess): SequenceRun =>
    (call) => {
      const { frame, lambdas } = call;
      const groups = new GroupTable(frame);
      return {
        take: (item, key, all) => {
          const group = groups.find(chargeKey(key, host, frame), key);
          groups.push(group, lambdas > 1 ? all[1] : item);
          return true;
        },
        end: () => new Sequence(() => ({ length: groups.size, at: (index) => groups.group(index) })),
      };
    },
);

/** Elements whose keys were not seen before. */
const uniqueInto = (out: Column, { frame }: SequenceCall, host: HostAccess): ((item: unknown) => void) => {
  const seen = new KeyTable();
  return (item) => {
    const { size } = seen;
    if (seen.add(chargeKey(item, host, frame)) === size) out.push(item);
  };
};

export const distinct = portable(
  "distinct",
  (host: HostAccess): SequenceRun =>
    (call) => {
      const out = new Column();
      const add = uniqueInto(out, call, host);
      return {
        take: (item) => {
          add(item);
          return true;
        },
        end: () => makeSequence(out, call),
      };
    },
);

/** Two sequences by their elements' keys. */
export const combine = portable(
  "combine",
  (how: "Union" | "Concat" | "Intersect" | "Except", elementsOf: ReadElements, host: HostAccess): SequenceRun =>
    (call) => {
      const { frame } = call;
      const out = new Column();
      const others = new KeyTable();
      const add = how === "Concat" ? (item: unknown) => void out.push(item) : uniqueInto(out, call, host);
      const compares = how === "Intersect" || how === "Except";
      const other = new ElementReader(elementsOf(call.values[0]), frame);
      frame.admitList(other.length);
      return {
        begin: function* () {
          if (!compares) return;
          yield* each(other, call, (item) => void others.add(chargeKey(item, host, frame)));
        },
        take: (item) => {
          if (!compares || (others.get(chargeKey(item, host, frame)) !== undefined) === (how === "Intersect"))
            add(item);
          return true;
        },
        end: () => undefined,
        finish: function* () {
          if (!compares) yield* each(other, call, add);
          return makeSequence(out, call);
        },
      };
    },
);

export const sequenceEqual = portable(
  "sequenceEqual",
  (elementsOf: ReadElements, host: HostAccess): SequenceRun =>
    (call) => {
      const other = new ElementReader(elementsOf(call.values[0]), call.frame);
      const key = (item: unknown): unknown => chargeKey(item, host, call.frame);
      let index = 0;
      let areEqual = true;
      return {
        take: (item) => {
          const second = areEqual ? other.at(index++) : absent;
          areEqual = second !== absent && key(item) === key(second);
          return areEqual;
        },
        end: () => areEqual && index === other.length,
      };
    },
);
