/**
 * Runs a query: filter, order and cut in one bounded pass; groups counted without keeping their rows where nothing else
 * is asked of them. Between two chunks of rows whoever runs it may do something else.
 */
import { paidKey } from "../key.ts";
import { orderOf } from "../operator/compare.ts";
import type { Turns } from "../turns.ts";
import type { Type } from "../type.ts";
import { Group } from "../value/sequence.ts";
import type { Runnable } from "./runnable.ts";
import { type Path, scan } from "./scan.ts";
import { type Ranked, type Ranking, Top } from "./top.ts";

export interface QueryResult {
  /** Values of `type`; host objects where no `select` made something else of them. */
  readonly rows: readonly unknown[];
  readonly type: Type;
  /** Rows (or groups) that matched, as far as they were counted. */
  readonly matched: number;
  /** True when `matched` is all there are; false when the pass stopped as soon as it had enough. */
  readonly counted: boolean;
  /** True when `take` or a limit cut the result. */
  readonly more: boolean;
  /** How the rows were read. */
  readonly path: Path;
  /** For a `select` of one text, Boolean or enum: how often each value occurs, most frequent first. */
  readonly counts?: readonly { readonly value: unknown; readonly count: number }[];
}

type Running = Turns<QueryResult>;

/** Runs a query. Throws `QueryError`. */
export const run = (query: Runnable): Running => {
  const { distinct, tallied } = query.outline;
  if (query.groupBy !== undefined) return grouped(query);
  if (distinct || tallied) return collected(query);
  return query.orderBy.length > 0 ? ordered(query) : streamed(query);
};

const shape = ({ select, frame }: Runnable, row: unknown): unknown => {
  if (select === undefined) return row;
  frame.slots[0] = row;
  frame.row();
  return select(frame);
};

/** Without an order: rows are shaped as they come, and the pass ends one row after the last wanted. */
const streamed = function* (query: Runnable): Running {
  const { skip, take, resultType: type } = query.outline;
  const out: unknown[] = [];
  const sink = {
    out,
    seen: 0,
    row: (row: unknown): boolean => {
      sink.seen++;
      if (sink.seen <= skip) return true;
      if (sink.seen > skip + take) return false;
      out.push(shape(query, row));
      return true;
    },
  };
  const path = yield* scan(query, sink);
  const more = sink.seen > skip + take;
  return { rows: out, type, matched: sink.seen, counted: !more, more, path };
};

const rankingOf = ({ orderBy, host }: Runnable): Ranking => {
  const signs = orderBy.map(({ descending }) => (descending ? -1 : 1));
  return (a, b) => {
    for (let index = 0; index < signs.length; index++) {
      const order = orderOf(a.keys[index], b.keys[index], host) * (signs[index] ?? 1);
      if (order !== 0) return order;
    }
    return a.index - b.index;
  };
};

/** Keys of the row that is in its slot. */
const keysOf = ({ orderBy, frame }: Runnable): readonly unknown[] => {
  const [only, second] = orderBy;
  return only !== undefined && second === undefined ? [only.key(frame)] : orderBy.map(({ key }) => key(frame));
};

/** Ordered: only the rows wanted are kept, in a heap. */
const ordered = function* (query: Runnable): Running {
  const { skip, take, resultType: type } = query.outline;
  const top = new Top(Math.max(1, skip + take), rankingOf(query));
  const row = (given: unknown, index: number): boolean => {
    top.offer({ row: given, keys: keysOf(query), index });
    return true;
  };
  const sink = { top, row };
  const path = yield* scan(query, sink);
  const kept = top.sorted().slice(skip, skip + take);
  const rows = kept.map((entry) => shape(query, entry.row));
  return { rows, type, matched: top.seen, counted: true, more: top.seen > skip + take, path };
};

/** Distinct and counted results: every match is shaped; equal values are found by their keys. */
const collected = function* (query: Runnable): Running {
  const { frame, host, outline } = query;
  const { skip, take, distinct, resultType: type } = outline;
  const tally = new Tally((value) => paidKey(value, host, frame));
  const kept: Ranked[] = [];
  const isOrdered = query.orderBy.length > 0;
  const path = yield* scan(query, {
    row: (row, index) => {
      const keys = isOrdered ? keysOf(query) : [];
      const value = shape(query, row);
      const isNew = tally.add(value);
      if (distinct && !isNew && !isOrdered) return true;
      if (isOrdered || kept.length < skip + take) kept.push({ row: value, keys, index });
      frame.admit(kept.length);
      return true;
    },
  });
  if (isOrdered) kept.sort(rankingOf(query));
  const all = distinct ? unique(kept, query) : kept;
  const matched = distinct ? tally.size : tally.total;
  const rows = all.slice(skip, skip + take).map(({ row }) => row);
  const more = matched > skip + take;
  return { rows, type, matched, counted: true, more, path, ...(distinct ? {} : { counts: tally.most(50) }) };
};

const unique = (entries: readonly Ranked[], { frame, host }: Runnable): readonly Ranked[] => {
  const seen = new Set<unknown>();
  return entries.filter(({ row }) => {
    const key = paidKey(row, host, frame);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/** Counts equal values. */
class Tally {
  readonly #counts = new Map<unknown, { readonly value: unknown; count: number }>();
  readonly #keyOf: (value: unknown) => unknown;
  total = 0;

  constructor(keyOf: (value: unknown) => unknown) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** True when the value is new. */
  add(value: unknown): boolean {
    this.total++;
    const key = this.#keyOf(value);
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count++;
      return false;
    }
    this.#counts.set(key, { value, count: 1 });
    return true;
  }

  most(limit: number): readonly { readonly value: unknown; readonly count: number }[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count).slice(0, limit);
  }
}

interface Counted {
  readonly key: unknown;
  count: number;
  readonly rows: unknown[];
}

/** Groups in order of their first row; then ordered, shaped and cut like rows. */
const grouped = function* (query: Runnable): Running {
  const { frame, outline, orderBy } = query;
  const { skip, take, distinct, countsOnly, resultType: type } = outline;
  const groups = new Map<unknown, Counted>();
  const path = yield* scan(query, gathering(query, groups));
  const made = [...groups.values()].map((group) => new Group(group.key, countsOnly ? sized(group.count) : group.rows));
  const entries = made.map((row, index): Ranked => {
    frame.slots[0] = row;
    frame.row();
    return { row, keys: keysOf(query), index };
  });
  if (orderBy.length > 0) entries.sort(rankingOf(query));
  const shaped = ({ row, ...rest }: Ranked): Ranked => ({ ...rest, row: shape(query, row) });
  const all = distinct ? unique(entries.map(shaped), query) : entries;
  const cut = all.slice(skip, skip + take);
  const rows = (distinct ? cut : cut.map(shaped)).map(({ row }) => row);
  return { rows, type, matched: all.length, counted: true, more: all.length > skip + take, path };
};

/** A list of a length with nothing in it, for groups that are only counted. */
const sized = (length: number): readonly unknown[] => {
  const items: unknown[] = [];
  items.length = length;
  return items;
};

const gathering = ({ frame, groupBy, host, outline }: Runnable, groups: Map<unknown, Counted>) => {
  const add = (id: unknown, key: unknown): Counted => {
    const group: Counted = { key, count: 0, rows: [] };
    groups.set(id, group);
    frame.admit(groups.size);
    return group;
  };
  return {
    groups,
    add,
    keyOf: (value: unknown): unknown => paidKey(value, host, frame),
    row: (row: unknown): boolean => {
      const value = groupBy?.(frame) ?? null;
      const id = paidKey(value, host, frame);
      const group = groups.get(id) ?? add(id, value);
      group.count++;
      if (!outline.countsOnly) group.rows.push(row);
      return true;
    },
  };
};
