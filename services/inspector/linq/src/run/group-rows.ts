/** Groups in order of their first row; then ordered, shaped and cut like rows. A group is made when it is looked at, not before. */
import { type CompiledCode, runCode } from "../core/frame.ts";
import type { Resumable } from "../core/resumable.ts";
import { Column } from "../operator/column.ts";
import { GroupTable } from "../operator/group-table.ts";
import { chargeKey } from "../operator/key.ts";
import { KeyTable } from "../operator/key-table.ts";
import { columnOrder, sortPlaces } from "../operator/sort.ts";
import { Group } from "../value/sequence.ts";
import type { PreparedQuery } from "./prepared-query.ts";
import { keyOrder, keyParts, makeSink, none, type QueryRun, shapeRow } from "./row-sink.ts";
import { scan } from "./scan.ts";

export const groupRows = function* (query: PreparedQuery): QueryRun {
  const { frame, host, outline } = query;
  const { skip, take, distinct, resultType: type } = outline;
  const groups = new GroupTable(frame);
  const path = yield* scan(query, groupSink(query, groups));
  frame.endRow();
  const chosen = yield* chooseGroups(query, groups);
  const places = yield* orderGroups(query, groups, chosen);
  const seen = new KeyTable();
  const rows: unknown[] = [];
  let matched = 0;
  for (const place of places) {
    if (!distinct && matched >= skip + take) break;
    if (distinct || matched >= skip) {
      const row = yield* shapeRow(query, makeGroup(query, groups, place));
      const { size } = seen;
      if (distinct && seen.add(chargeKey(row, host, frame)) < size) continue;
      if (matched >= skip && rows.length < take) rows.push(row);
    }
    matched++;
    if (frame.isDue()) yield;
  }
  if (!distinct) matched = chosen?.length ?? groups.size;
  return { rows, type, matched, counted: true, more: matched > skip + take, path };
};

/** A group; its elements were not kept where they are only counted. */
const makeGroup = ({ outline }: PreparedQuery, groups: GroupTable, place: number): Group =>
  outline.countsOnly
    ? new Group(groups.key(place), () => ({ length: groups.counts[place] ?? 0, at: () => null }))
    : groups.group(place);

/** The numbers of the groups that `having` chooses; undefined for all. */
const chooseGroups = function* (query: PreparedQuery, groups: GroupTable): Resumable<readonly number[] | undefined> {
  const { frame, having } = query;
  if (having === undefined) return undefined;
  const chosen: number[] = [];
  for (let place = 0; place < groups.size; place++) {
    frame.slots[0] = makeGroup(query, groups, place);
    if ((yield* runCode(having, frame)) === true) chosen.push(place);
    if (frame.isDue()) yield;
  }
  return chosen;
};

/** The numbers of the groups in the order that is wanted. */
const orderGroups = function* (
  query: PreparedQuery,
  groups: GroupTable,
  chosen: readonly number[] | undefined,
): Resumable<Iterable<number>> {
  const { frame, orderBy } = query;
  const size = chosen?.length ?? groups.size;
  if (orderBy.length === 0) return chosen ?? Array(size).keys();
  const parts = keyParts(query);
  const columns = parts.map(() => new Column());
  for (let place = 0; place < size; place++) {
    frame.slots[0] = makeGroup(query, groups, chosen?.[place] ?? place);
    for (const [index, part] of parts.entries()) columns[index]?.push(yield* runCode(part, frame));
    if (frame.isDue()) yield;
  }
  const { signs, host } = keyOrder(query);
  const sorted = yield* sortPlaces(size, columnOrder(columns, signs, host), frame);
  return chosen === undefined ? sorted : numbersAt(chosen, sorted);
};

const numbersAt = function* (numbers: readonly number[], places: Iterable<number>): Iterable<number> {
  for (const place of places) yield numbers[place] ?? 0;
};

/** A generated loop looks its groups up by itself and counts them, where it can. */
const groupSink = ({ frame, groupBy, host, outline }: PreparedQuery, groups: GroupTable) => {
  const parts: readonly CompiledCode[] = groupBy === undefined ? none : [groupBy];
  const add = (group: number, row: unknown): void => {
    if (outline.countsOnly) groups.counts[group] = (groups.counts[group] ?? 0) + 1;
    else groups.push(group, row);
  };
  return makeSink(frame, {
    groups,
    first: groups.table.first,
    key: (value: unknown): unknown => chargeKey(value, host, frame),
    parts: () => parts,
    take: (row, _, [key = null]) => {
      add(groups.find(chargeKey(key, host, frame), key), row);
      return true;
    },
  });
};
