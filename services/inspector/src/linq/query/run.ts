/**
 * Runs a checked query: filter, order and cut in one bounded pass; groups counted without keeping their rows where nothing else
 * is asked of them.
 */
import { type Code, compile } from "../compile.ts";
import type { Settings } from "../evaluate.ts";
import type { Frame } from "../frame.ts";
import type { SourceWriter } from "../generate.ts";
import { keyOf, orderOf } from "../operator/compare.ts";
import type { Type } from "../type.ts";
import { Group } from "../value/sequence.ts";
import { type Plan, plan, type QueryText } from "./plan.ts";
import { type Emitted, inPartOf, keySource, type Path, type Sink, scan } from "./scan.ts";
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

/** Checks and runs a query. Throws `QueryError`. */
export const runQuery = (query: QueryText, settings: Settings): QueryResult => run(plan(query, settings));

const run = (checked: Plan): QueryResult => {
  if (checked.groupBy !== undefined) return grouped(checked);
  if (checked.distinct || isCountable(checked)) return collected(checked);
  return checked.orderBy.length > 0 ? ordered(checked) : streamed(checked);
};

const selector = ({ select, settings }: Plan): Code | undefined =>
  select === undefined ? undefined : inPartOf("select", select.text, compile(select.bound, settings.host));

const shape = (code: Code | undefined, frame: Frame, row: unknown): unknown => {
  if (code === undefined) return row;
  frame.slots[0] = row;
  frame.row();
  return code(frame);
};

/** Without an order: rows are shaped as they come, and the pass ends one row after the last wanted. */
const streamed = (checked: Plan): QueryResult => {
  const { frame, skip, take } = checked;
  const code = selector(checked);
  const state = { out: [] as unknown[], seen: 0 };
  const sink: Sink = {
    row: (row) => {
      state.seen++;
      if (state.seen <= skip) return true;
      if (state.seen > skip + take) return false;
      state.out.push(shape(code, frame, row));
      return true;
    },
    emit: (writer) => {
      const link = writer.link(state);
      const made = checked.select === undefined ? "r" : writer.write(checked.select.bound);
      return {
        before: `const s = ${link}, out = s.out; let seen = s.seen;`,
        each: `seen++;
  if (seen <= ${skip}) continue;
  if (seen > ${skip + take}) { s.seen = seen; return false; }
  out.push(${made});`,
        after: "s.seen = seen;",
      };
    },
  };
  const path = scan(checked, sink);
  const more = state.seen > skip + take;
  return { rows: state.out, type: checked.resultType, matched: state.seen, counted: !more, more, path };
};

const rankingOf = (checked: Plan): Ranking => {
  const { host } = checked.settings;
  const signs = checked.orderBy.map(({ descending }) => (descending ? -1 : 1));
  return (a, b) => {
    for (let index = 0; index < signs.length; index++) {
      const order = orderOf(a.keys[index], b.keys[index], host) * (signs[index] ?? 1);
      if (order !== 0) return order;
    }
    return a.index - b.index;
  };
};

const keyCodes = ({ orderBy, settings }: Plan): readonly Code[] =>
  orderBy.map(({ bound, text }) => inPartOf("orderBy", text, compile(bound, settings.host)));

/** Keys of a row. The row must be in its slot. */
const keysOf = (codes: readonly Code[], frame: Frame): readonly unknown[] => {
  const [only, second] = codes;
  return only !== undefined && second === undefined ? [only(frame)] : codes.map((code) => code(frame));
};

/** Ordered: only the rows wanted are kept, in a heap. */
const ordered = (checked: Plan): QueryResult => {
  const { frame, skip, take } = checked;
  const keys = keyCodes(checked);
  const top = new Top(Math.max(1, skip + take), rankingOf(checked));
  const offer = (row: unknown, index: number): boolean => {
    frame.slots[0] = row;
    frame.row();
    top.offer({ row, keys: keysOf(keys, frame), index });
    return true;
  };
  const path = scan(checked, { row: offer, emit: (writer) => early(writer, checked, { top, offer }) });
  const code = selector(checked);
  const rows = top
    .sorted()
    .slice(skip, skip + take)
    .map(({ row }) => shape(code, frame, row));
  return {
    rows,
    type: checked.resultType,
    matched: top.seen,
    counted: true,
    more: top.seen > skip + take,
    path,
  };
};

/** Rows that can not get into the heap are passed over in the loop; the first key decides, when it is a number. */
const early = (
  writer: SourceWriter,
  { orderBy }: Plan,
  { top, offer }: { readonly top: Top; readonly offer: (row: unknown, index: number) => boolean },
): Emitted => {
  const [first, second] = orderBy;
  const each = `${writer.link(offer)}(r, i);`;
  if (first === undefined) return { each };
  const sign = `${first.descending ? "<" : ">"}${second === undefined ? "=" : ""}`;
  return {
    before: `const top = ${writer.link(top)};`,
    each: `const k = ${writer.write(first.bound)};
  if (typeof k === "number" && k ${sign} top.bar) { top.seen++; continue; }
  ${each}`,
  };
};

/** A select of one text, Boolean or enum is also counted: that is what people ask with it. */
const isCountable = ({ select }: Plan): boolean =>
  select !== undefined &&
  (select.type.kind === "enum" ||
    (select.type.kind === "scalar" && (select.type.name === "String" || select.type.name === "Boolean")));

/** Distinct and counted results: every match is shaped; equal values are found by their keys. */
const collected = (checked: Plan): QueryResult => {
  const { frame, skip, take, settings } = checked;
  const code = selector(checked);
  const keys = keyCodes(checked);
  const tally = new Tally(settings);
  const kept: Ranked[] = [];
  const isOrdered = keys.length > 0;
  const path = scan(checked, {
    row: (row, index) => {
      const order = isOrdered ? keysOf(keys, frame) : [];
      const value = shape(code, frame, row);
      const isNew = tally.add(value);
      if (checked.distinct && !isNew && !isOrdered) return true;
      if (isOrdered || kept.length < skip + take) kept.push({ row: value, keys: order, index });
      frame.admit(kept.length);
      return true;
    },
  });
  if (isOrdered) kept.sort(rankingOf(checked));
  const all = checked.distinct ? unique(kept, settings) : kept;
  const matched = checked.distinct ? tally.size : tally.total;
  return {
    rows: all.slice(skip, skip + take).map(({ row }) => row),
    type: checked.resultType,
    matched,
    counted: true,
    more: matched > skip + take,
    path,
    ...(isCountable(checked) && !checked.distinct ? { counts: tally.most(50) } : {}),
  };
};

const unique = (entries: readonly Ranked[], { host }: Settings): readonly Ranked[] => {
  const seen = new Set<unknown>();
  return entries.filter(({ row }) => {
    const key = keyOf(row, host);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/** Counts equal values. */
class Tally {
  readonly #counts = new Map<unknown, { readonly value: unknown; count: number }>();
  readonly #settings: Settings;
  total = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** True when the value is new. */
  add(value: unknown): boolean {
    this.total++;
    const key = keyOf(value, this.#settings.host);
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
const grouped = (checked: Plan): QueryResult => {
  const { frame, skip, take, settings, countsOnly } = checked;
  const { path, groups } = gather(checked);
  const made = [...groups.values()].map((group) => new Group(group.key, countsOnly ? sized(group.count) : group.rows));
  const keys = keyCodes(checked);
  const code = selector(checked);
  const entries = made.map((row, index): Ranked => {
    frame.slots[0] = row;
    frame.row();
    return { row, keys: keysOf(keys, frame), index };
  });
  if (keys.length > 0) entries.sort(rankingOf(checked));
  const values = checked.distinct
    ? unique(
        entries.map(({ row, ...rest }) => ({ ...rest, row: shape(code, frame, row) })),
        settings,
      ).map(({ row }) => row)
    : undefined;
  const rows =
    values?.slice(skip, skip + take) ?? entries.slice(skip, skip + take).map(({ row }) => shape(code, frame, row));
  const matched = values?.length ?? entries.length;
  return { rows, type: checked.resultType, matched, counted: true, more: matched > skip + take, path };
};

/** A list of a length with nothing in it, for groups that are only counted. */
const sized = (length: number): readonly unknown[] => {
  const items: unknown[] = [];
  items.length = length;
  return items;
};

const gather = (checked: Plan): { readonly path: Path; readonly groups: ReadonlyMap<unknown, Counted> } => {
  const { frame, groupBy, settings, countsOnly } = checked;
  const groups = new Map<unknown, Counted>();
  if (groupBy === undefined) return { path: "closures", groups };
  const { host } = settings;
  const key = inPartOf("groupBy", groupBy.text, compile(groupBy.bound, host));
  const add = (id: unknown, value: unknown): Counted => {
    const group: Counted = { key: value, count: 0, rows: [] };
    groups.set(id, group);
    frame.admit(groups.size);
    return group;
  };
  const sink: Sink = {
    row: (row) => {
      const value = key(frame) ?? null;
      const id = keyOf(value, host);
      const group = groups.get(id) ?? add(id, value);
      group.count++;
      if (!countsOnly) group.rows.push(row);
      return true;
    },
    emit: (writer) => ({
      before: `const groups = ${writer.link(groups)}, add = ${writer.link(add)};`,
      each: `${keySource(writer, groupBy.bound, host)}
  const g = groups.get(id) ?? add(id, k ?? null);
  g.count++;
  ${countsOnly ? "" : "g.rows.push(r);"}`,
    }),
  };
  return { path: scan(checked, sink), groups };
};
