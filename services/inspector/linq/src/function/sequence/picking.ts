/** Sequence methods that pick elements by their place or by the order of their keys, and those that number or pair them. */
import { absent } from "../../core/absent.ts";
import { ElementReader } from "../../core/element-reader.ts";
import { fault } from "../../core/error.ts";
import { portable } from "../../core/portable.ts";
import type { SequenceRun } from "../../core/sequence-run.ts";
import { Column } from "../../operator/column.ts";
import { compareValues } from "../../operator/compare.ts";
import { chargeKey } from "../../operator/key.ts";
import { KeyTable } from "../../operator/key-table.ts";
import type { HostAccess } from "../../type/host.ts";
import { rowClass } from "../../value/row.ts";
import { Sequence } from "../../value/sequence.ts";
import { makeSequence, noElements, type ReadElements } from "./sequence.ts";

/** The element at an index. */
export const elementAt = portable(
  "elementAt",
  (missing: { readonly value: unknown } | undefined): SequenceRun =>
    ({ values }) => {
      const index = Number(values[0]);
      let found: { readonly item: unknown } | undefined;
      return {
        start: Math.max(0, index),
        most: index < 0 ? 0 : 1,
        take: (item) => {
          found = { item };
          return false;
        },
        end: () => {
          if (found !== undefined) return found.item ?? null;
          if (missing !== undefined) return missing.value;
          throw fault("out_of_range", `There is no element ${index}`, "use ElementAtOrDefault, or test Count() first");
        },
      };
    },
);

/** The element with the smallest or largest key; of several the first one. Null keys count only where there are no others. */
export const extremeBy = portable(
  "extremeBy",
  (sign: 1 | -1, empty: "null" | "throw", host: HostAccess): SequenceRun =>
    () => {
      let best: { readonly item: unknown; readonly key: unknown } | undefined;
      return {
        take: (item, made) => {
          const key = made ?? null;
          const isBetter =
            best === undefined ||
            (key !== null && (best.key === null || compareValues(key, best.key, host) * sign > 0));
          if (isBetter) best = { item, key };
          return true;
        },
        end: () => (best === undefined && empty === "throw" ? noElements() : (best?.item ?? null)),
      };
    },
);

export const distinctBy = portable(
  "distinctBy",
  (host: HostAccess): SequenceRun =>
    (call) => {
      const seen = new KeyTable();
      const out = new Column();
      return {
        take: (item, key) => {
          const { size } = seen;
          if (seen.add(chargeKey(key, host, call.frame)) === size) out.push(item);
          return true;
        },
        end: () => makeSequence(out, call),
      };
    },
);

/** Some elements at the end, or all but those. */
export const tail = portable(
  "tail",
  (how: "take" | "skip"): SequenceRun =>
    (call) => {
      const out = new Column();
      return {
        take: (item) => {
          out.push(item);
          return true;
        },
        end: () => {
          const count = Math.min(out.length, Math.max(0, Number(call.values[0])));
          const from = how === "take" ? out.length - count : 0;
          const length = how === "take" ? count : out.length - count;
          call.frame.admit(length);
          return new Sequence(() => ({ length, at: (index) => out.at(from + index) }));
        },
      };
    },
);

const Numbered = rowClass(["element", "index"]);

/** A method whose lambda takes the element and its index, as one pair. */
export const numbered = portable(
  "numbered",
  (run: SequenceRun): SequenceRun =>
    (call) => {
      let next = 0;
      return { ...run(call), argument: (item) => new Numbered(item, next++) };
    },
);

const Zipped = rowClass(["First", "Second"]);

/** Pairs of the elements at the same place, as many as the shorter list has. */
export const zip = portable(
  "zip",
  (elementsOf: ReadElements): SequenceRun =>
    (call) => {
      const other = new ElementReader(elementsOf(call.values[0]), call.frame);
      const out = new Column();
      return {
        most: other.length,
        take: (item) => {
          const second = other.at(out.length);
          if (second === absent) return false;
          out.push(new Zipped(item ?? null, second ?? null));
          return true;
        },
        end: () => makeSequence(out, call),
      };
    },
);

/** A map of the elements by their keys. */
export const toDictionary = portable(
  "toDictionary",
  (host: HostAccess): SequenceRun =>
    ({ frame, lambdas }) => {
      const seen = new KeyTable();
      const made = new Map<unknown, unknown>();
      return {
        take: (item, key, all) => {
          const { size } = seen;
          if (key === null || key === undefined)
            throw fault("null_reference", "A key of a dictionary is null", "filter those first");
          if (seen.add(chargeKey(key, host, frame)) < size)
            throw fault("duplicate_name", "Two elements have the same key", "use GroupBy, or DistinctBy first");
          frame.admit(size + 1);
          if (size >= mostEntries)
            throw fault(
              "too_many_items",
              `A dictionary has ${mostEntries} entries at most`,
              "use GroupBy, which can be larger",
            );
          made.set(key, lambdas > 1 ? (all[1] ?? null) : item);
          return true;
        },
        end: () => made,
      };
    },
);

/** A map stops the thread when it grows, the longer the larger it is. */
const mostEntries = 65_536;
