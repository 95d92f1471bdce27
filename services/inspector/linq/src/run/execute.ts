/**
 * Runs a query: filter, order and cut in one bounded pass; groups counted without keeping their rows where nothing else
 * is needed of them. Between two chunks of rows other code may run.
 */

import type { Resumable } from "../core/resumable.ts";
import { isLanguageValue, normalizeValue } from "../operator/compare.ts";
import { chargeKey } from "../operator/key.ts";
import { createKeyOrder } from "../operator/ranking.ts";
import type { HostAccess } from "../type/host.ts";
import type { Type } from "../type/type.ts";
import { isRow } from "../value/row.ts";
import { Group, Sequence } from "../value/sequence.ts";
import { missingNames } from "./missing-names.ts";
import type { PreparedQuery } from "./prepared-query.ts";
import { type ScanPath, scan } from "./scan.ts";
import { type RankedRow, type RowOrder, Top } from "./top.ts";

/** Rows and counts of a query that ran. */
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
  readonly path: ScanPath;
  /** Sentences on names that no row has. */
  readonly missing?: readonly string[];
  /** For a `select` of one scalar: how often each value occurs, most frequent first, and how many different ones there are. */
  readonly tally?: {
    readonly counts: readonly { readonly value: unknown; readonly count: number }[];
    readonly different: number;
  };
}

type QueryRun = Resumable<QueryResult>;

/** Runs a query. Throws `QueryError`. */
export const executeQuery = function* (query: PreparedQuery): QueryRun {
  const result = yield* passRows(query);
  const missing = missingNames(query.rows, query.outline.reads, query.host);
  return missing.length === 0 ? result : { ...result, missing };
};

const passRows = (query: PreparedQuery): QueryRun => {
  const { outline } = query;
  if (query.groupBy !== undefined) return groupRows(query);
  if (outline.distinct) return distinctRows(query);
  if (outline.tallied) return tallyRows(query);
  return query.orderBy.length > 0 ? orderRows(query) : streamRows(query);
};

/** A row in the form of `select`. Work on a group's elements costs fuel per element: a group is no row. */
const shape = ({ select, groupBy, frame }: PreparedQuery, row: unknown): unknown => {
  if (select === undefined) return row;
  frame.slots[0] = row;
  if (groupBy === undefined) frame.row();
  return select(frame);
};

/** Without an order: rows are shaped as they come, and the pass ends one row after the last one needed. */
const streamRows = function* (query: PreparedQuery): QueryRun {
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

/** By the keys, then as the rows came. */
const createRowOrder = ({ orderBy, host, frame }: PreparedQuery): RowOrder => {
  const byKeys = createKeyOrder(
    orderBy.map(({ descending }) => (descending ? -1 : 1)),
    host,
    frame,
  );
  return (a, b) => byKeys(a, b) || a.index - b.index;
};

const topFor = (query: PreparedQuery): Top => {
  const { skip, take } = query.outline;
  return new Top(Math.max(1, skip + take), createRowOrder(query));
};

/** The rows of the result, of all that were offered. */
const best = ({ outline }: PreparedQuery, top: Top, path: ScanPath): QueryResult => {
  const { skip, take, resultType: type } = outline;
  const kept = top.sorted().slice(skip, skip + take);
  const rows = kept.map(({ row }) => row);
  return { rows, type, matched: top.seen, counted: true, more: top.seen > skip + take, path };
};

/** Keys of the row that is in its slot. */
const readKeys = ({ orderBy, frame }: PreparedQuery): readonly unknown[] => {
  const [only, second] = orderBy;
  return only !== undefined && second === undefined ? [only.key(frame)] : orderBy.map(({ key }) => key(frame));
};

/** Ordered: only the rows of the result are kept, in a heap. */
const orderRows = function* (query: PreparedQuery): QueryRun {
  const top = topFor(query);
  const row = (given: unknown, index: number): boolean => {
    top.offer({ row: given, keys: readKeys(query), index });
    return true;
  };
  const sink = { top, row };
  const path = yield* scan(query, sink);
  const found = best(query, top, path);
  return { ...found, rows: found.rows.map((each) => shape(query, each)) };
};

/**
 * Counted results: every match is shaped, and equal values are counted by their keys. Where they turn out to be no scalars, or too many
 * different ones, the pass goes on as one without counts.
 */
const tallyRows = function* (query: PreparedQuery): QueryRun {
  const { frame, host, outline, orderBy } = query;
  const needed = outline.skip + outline.take;
  const tally = new Tally((value) => chargeKey(value, host, frame));
  const top = topFor(query);
  let isCounting = true;
  const path = yield* scan(query, {
    row: (given, index) => {
      const keys = readKeys(query);
      const row = shape(query, given);
      isCounting &&= isScalarValue(row, host) && tally.add(row);
      top.offer({ row, keys, index });
      return isCounting || orderBy.length > 0 || top.seen <= needed;
    },
  });
  const found = best(query, top, path);
  if (isCounting) return { ...found, tally: { counts: tally.most(50), different: tally.size } };
  return { ...found, counted: orderBy.length > 0 || top.seen <= needed };
};

/** A value without parts; a host's object is none. */
const isScalarValue = (given: unknown, host: HostAccess): boolean => {
  const value = normalizeValue(given, host);
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  return isLanguageValue(value) && !Sequence.is(value) && !isRow(value);
};

/** Distinct results: of equal values only the first is kept, so that only those are ordered. */
const distinctRows = function* (query: PreparedQuery): QueryRun {
  const { frame, host } = query;
  const rank = createRowOrder(query);
  const first = new Map<unknown, RankedRow>();
  const path = yield* scan(query, {
    row: (given, index) => {
      const keys = readKeys(query);
      const entry = { row: shape(query, given), keys, index };
      const id = chargeKey(entry.row, host, frame);
      const known = first.get(id);
      if (known === undefined) frame.admit(first.size + 1);
      if (known === undefined || rank(entry, known) < 0) first.set(id, entry);
      return true;
    },
  });
  const top = topFor(query);
  for (const entry of first.values()) top.offer(entry);
  return best(query, top, path);
};

const unique = (entries: readonly RankedRow[], { frame, host }: PreparedQuery): readonly RankedRow[] => {
  const seen = new Set<unknown>();
  return entries.filter(({ row }) => {
    const key = chargeKey(row, host, frame);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/** Different values beyond which they are not counted. */
const mostCounted = 10_000;

/** Counts equal values. */
class Tally {
  readonly #counts = new Map<unknown, { readonly value: unknown; count: number }>();
  readonly #key: (value: unknown) => unknown;

  constructor(key: (value: unknown) => unknown) {
    this.#key = key;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** False when there are too many different values. */
  add(value: unknown): boolean {
    const key = this.#key(value);
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { value, count: 1 });
    else known.count++;
    return this.#counts.size <= mostCounted;
  }

  most(limit: number): readonly { readonly value: unknown; readonly count: number }[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count).slice(0, limit);
  }
}

interface RowGroup {
  readonly key: unknown;
  count: number;
  readonly rows: unknown[];
}

/** Groups in order of their first row; then ordered, shaped and cut like rows. */
const groupRows = function* (query: PreparedQuery): QueryRun {
  const { frame, outline, orderBy } = query;
  const { skip, take, distinct, countsOnly, resultType: type } = outline;
  const groups = new Map<unknown, RowGroup>();
  const path = yield* scan(query, groupSink(query, groups));
  frame.endRow();
  const made = [...groups.values()].map(
    (group) => new Group(group.key, countsOnly ? emptyRows(group.count) : group.rows),
  );
  const entries = made.map((row, index): RankedRow => {
    frame.slots[0] = row;
    return { row, keys: readKeys(query), index };
  });
  if (orderBy.length > 0) entries.sort(createRowOrder(query));
  const shaped = ({ row, ...rest }: RankedRow): RankedRow => ({ ...rest, row: shape(query, row) });
  const all = distinct ? unique(entries.map(shaped), query) : entries;
  const cut = all.slice(skip, skip + take);
  const rows = (distinct ? cut : cut.map(shaped)).map(({ row }) => row);
  return { rows, type, matched: all.length, counted: true, more: all.length > skip + take, path };
};

/** A list of a length with nothing in it, for groups that are only counted. */
const emptyRows = (length: number): readonly unknown[] => {
  const items: unknown[] = [];
  items.length = length;
  return items;
};

const groupSink = ({ frame, groupBy, host, outline }: PreparedQuery, groups: Map<unknown, RowGroup>) => {
  const add = (id: unknown, key: unknown): RowGroup => {
    const group: RowGroup = { key, count: 0, rows: [] };
    groups.set(id, group);
    frame.admit(groups.size);
    return group;
  };
  return {
    groups,
    add,
    key: (value: unknown): unknown => chargeKey(value, host, frame),
    row: (row: unknown): boolean => {
      const value = groupBy?.(frame) ?? null;
      const id = chargeKey(value, host, frame);
      const group = groups.get(id) ?? add(id, value);
      group.count++;
      if (!outline.countsOnly) group.rows.push(row);
      return true;
    },
  };
};
