/**
 * One pass over a query's rows. Where rows may be read directly and there are enough of them, the pass is the direct one; otherwise,
 * and for rows where that one stops, it is the careful one. Both give rows to the same sinks. A query with a part that can pause
 * is read with care throughout: what was known of a row may be wrong after a pause in it.
 *
 * Fuel and the clock are checked once a chunk; other code may run between two chunks, and between two careful rows.
 */
import { absent } from "../core/absent.ts";
import { LinqError } from "../core/error.ts";
import type { Resumable } from "../core/resumable.ts";
import { type DirectPass, enough, type RowLoop, type RowSink } from "../source/row-loop.ts";
import type { PreparedQuery } from "./prepared-query.ts";

const chunk = 1_024;
/** Most careful rows between two direct stretches. Fewer follow a long stretch of direct ones. */
const carefulChunk = 128;
/** Below this many rows writing source and checking the rows costs more than it saves. */
const worthDirect = 2_000;

export type ScanPath = "generated" | "careful";

/** Runs the pass; returns which path it took. */
export const scan = function* (query: PreparedQuery, sink: RowSink): Resumable<ScanPath> {
  const { rows, frame } = query;
  const { inPlace = [] } = rows;
  const careful = carefulLoop(query, sink);
  const direct = directPass(query, sink);
  const loop = direct === undefined ? nowhere : withLocatedErrors(direct.loop, query, sink);
  let ran: ScanPath = "careful";
  let stretch = carefulChunk;
  let { length } = rows.list;
  let { pauses } = frame;
  for (let from = 0; from < length; from += chunk) {
    let to = Math.min(from + chunk, length);
    frame.rows(to - from);
    for (let at = from; at < to; ) {
      const reached = loop(inPlace, at, to, frame);
      if (reached !== at) ran = "generated";
      if (reached === enough) return ran;
      stretch = reached - at > stretch ? 1 : Math.min(2 * stretch, carefulChunk);
      at = Math.min(reached + stretch, to);
      if ((yield* careful(reached, at)) === enough) return ran;
      if (frame.askBudget()) yield;
      if (frame.pauses === pauses) continue;
      ({ pauses } = frame);
      direct?.guard.forget();
      length = Math.min(length, rows.list.resumed?.() ?? length);
      to = Math.min(to, length);
    }
  }
  return ran;
};

const directPass = (query: PreparedQuery, sink: RowSink): DirectPass | undefined => {
  const { rows, host, outline, pass, where, select, groupBy, orderBy } = query;
  if (rows.inPlace === undefined || rows.inPlace.length < worthDirect) return undefined;
  const parts = [where, select, groupBy, ...orderBy.map(({ key }) => key)];
  if (parts.some((part) => part?.isLong === true)) return undefined;
  const direct = host.direct?.(rows.inPlace, outline.rowType);
  return direct === undefined ? undefined : pass(direct, sink);
};

const nowhere: RowLoop = (_, from) => from;

/** An error of the direct loop may have no place; the careful one finds it again and gives it one. */
const withLocatedErrors =
  (fast: RowLoop, query: PreparedQuery, sink: RowSink): RowLoop =>
  (rows, from, to, frame) => {
    try {
      return fast(rows, from, to, frame);
    } catch (error) {
      if (!(error instanceof LinqError)) throw error;
      locateAgain(query, sink, [from, to]);
      throw error;
    }
  };

/** Reads the rows of a direct stretch with care, up to the one that fails. Nothing in them pauses. */
const locateAgain = (
  { where, rows, frame }: PreparedQuery,
  sink: RowSink,
  [from, to]: readonly [number, number],
): void => {
  for (let index = from; index < to; index++) {
    const row = rows.list.at(index) ?? null;
    frame.slots[0] = row;
    frame.row();
    if (where !== undefined && !where.isLong && where.run(frame) !== true) continue;
    if (!sink.row(row, index)) return;
  }
};

const carefulLoop = ({ where, rows, frame }: PreparedQuery, sink: RowSink) =>
  function* (from: number, to: number): Resumable<number> {
    let end = to;
    let { pauses } = frame;
    for (let index = from; index < end; index++) {
      if (frame.pauses !== pauses) {
        ({ pauses } = frame);
        end = Math.min(end, rows.list.resumed?.() ?? end);
        if (index >= end) break;
      }
      const found = rows.list.at(index);
      if (found === absent) return enough;
      const row = found ?? null;
      frame.slots[0] = row;
      frame.row();
      if (where === undefined || (where.isLong ? yield* where.run(frame) : where.run(frame)) === true) {
        const values: unknown[] = [];
        for (const part of sink.parts()) values.push(part.isLong ? yield* part.run(frame) : part.run(frame));
        if (!sink.take(row, index, values)) return enough;
      }
      if (!frame.isDue()) continue;
      frame.checkTime();
      yield;
    }
    return to;
  };
