/**
 * Runs a query: filter, order and cut in one bounded pass; groups counted without keeping their rows where nothing else
 * is needed of them. Between two chunks of rows other code may run.
 */

import { Column } from "../operator/column.ts";
import { isLanguageValue, normalizeValue } from "../operator/compare.ts";
import { chargeKey } from "../operator/key.ts";
import { KeyTable } from "../operator/key-table.ts";
import type { HostAccess } from "../type/host.ts";
import { isRow } from "../value/row.ts";
import { Sequence } from "../value/sequence.ts";
import { groupRows } from "./group-rows.ts";
import { missingNames } from "./missing-names.ts";
import type { PreparedQuery } from "./prepared-query.ts";
import { keyOrder, keyParts, makeSink, none, type QueryRun, readParts, shapeRow } from "./row-sink.ts";
import { type ScanPath, scan } from "./scan.ts";
import { type RankedRow, rankRows, Top } from "./top.ts";

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

/** Without an order: rows are shaped as they come, and the pass ends one row after the last one needed. */
const streamRows = function* (query: PreparedQuery): QueryRun {
  const { skip, take, resultType: type } = query.outline;
  const out: unknown[] = [];
  const selected = query.select === undefined ? none : [query.select];
  const sink = {
    out,
    seen: 0,
    parts: () => (sink.seen < skip || sink.seen >= skip + take ? none : selected),
    take: (row: unknown, _: number, values: readonly unknown[]): boolean => {
      sink.seen++;
      if (sink.seen <= skip) return true;
      if (sink.seen > skip + take) return false;
      out.push(query.select === undefined ? row : values[0]);
      return true;
    },
    row: (row: unknown, index: number): boolean => sink.take(row, index, readParts(sink.parts(), query.frame)),
  };
  const path = yield* scan(query, sink);
  const more = sink.seen > skip + take;
  return { rows: out, type, matched: sink.seen, counted: !more, more, path };
};

const topFor = (query: PreparedQuery): Top =>
  new Top(Math.max(1, query.outline.skip + query.outline.take), keyOrder(query));

/** The rows of the result, of all that were offered. */
const best = function* ({ outline }: PreparedQuery, top: Top, path: ScanPath): QueryRun {
  const { skip, take, resultType: type } = outline;
  const rows = yield* top.best(skip, take);
  return { rows, type, matched: top.seen, counted: true, more: top.seen > skip + take, path };
};

/** Ordered: only the rows of the result are kept, in a heap. */
const orderRows = function* (query: PreparedQuery): QueryRun {
  const top = topFor(query);
  const keys = keyParts(query);
  const sink = makeSink(query.frame, {
    top,
    parts: () => keys,
    take: (row, index, values) => {
      top.offer({ row, keys: values, index });
      return true;
    },
  });
  const path = yield* scan(query, sink);
  const found = yield* best(query, top, path);
  const rows: unknown[] = [];
  for (const row of found.rows) {
    rows.push(yield* shapeRow(query, row));
    if (query.frame.isDue()) yield;
  }
  return { ...found, rows };
};

/**
 * Counted results: every match is shaped, and equal values are counted by their keys. Where they turn out to be no scalars, or too many
 * different ones, the pass goes on as one without counts.
 */
const tallyRows = function* (query: PreparedQuery): QueryRun {
  const { frame, host, outline, orderBy, select } = query;
  const needed = outline.skip + outline.take;
  const tally = new Tally((value) => chargeKey(value, host, frame));
  const top = topFor(query);
  const parts = select === undefined ? keyParts(query) : [select, ...keyParts(query)];
  let isCounting = true;
  const sink = makeSink(frame, {
    parts: () => parts,
    take: (_, index, [row, ...keys]) => {
      isCounting &&= isScalarValue(row, host) && tally.add(row);
      top.offer({ row, keys, index });
      return isCounting || orderBy.length > 0 || top.seen <= needed;
    },
  });
  const path = yield* scan(query, sink);
  const found = yield* best(query, top, path);
  if (isCounting) return { ...found, tally: { counts: tally.most(50), different: tally.size } };
  return { ...found, counted: orderBy.length > 0 || top.seen <= needed };
};

/** A value without parts; a host's object is none. */
const isScalarValue = (given: unknown, host: HostAccess): boolean => {
  const value = normalizeValue(given, host);
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  return isLanguageValue(value) && !Sequence.is(value) && !isRow(value);
};

/** Distinct results: of equal values only the best is kept, so that only those are ordered. */
const distinctRows = function* (query: PreparedQuery): QueryRun {
  const { frame, host, select } = query;
  const seen = new KeyTable();
  const rank = rankRows(keyOrder(query));
  const columns = { row: new Column(), keys: keyParts(query).map(() => new Column()), index: new Column() };
  const entryAt = (place: number): RankedRow => ({
    row: columns.row.at(place),
    keys: columns.keys.map((column) => column.at(place)),
    index: Number(columns.index.at(place)),
  });
  const put = (place: number, { row, keys, index }: RankedRow): void => {
    columns.row.put(place, row);
    for (const [at, column] of columns.keys.entries()) column.put(place, keys[at]);
    columns.index.put(place, index);
  };
  const parts = [...(select === undefined ? none : [select]), ...keyParts(query)];
  const sink = makeSink(frame, {
    parts: () => parts,
    take: (given, index, values) => {
      const row = select === undefined ? given : values[0];
      const keys = select === undefined ? values : values.slice(1);
      const { size } = seen;
      const place = seen.add(chargeKey(row, host, frame));
      if (place === size) frame.admit(size + 1);
      const entry = { row, keys, index };
      if (place === size || (keys.length > 0 && rank(entry, entryAt(place)) < 0)) put(place, entry);
      return true;
    },
  });
  const path = yield* scan(query, sink);
  const top = topFor(query);
  for (let place = 0; place < seen.size; place++) {
    top.offer(entryAt(place));
    if (frame.isDue()) yield;
  }
  return yield* best(query, top, path);
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
