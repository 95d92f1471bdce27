/**
 * One pass over a query's rows. Where rows may be read directly and there are enough of them, the pass is the direct one; otherwise,
 * and for rows where that one stops, it is the careful one. Both give rows to the same sinks.
 *
 * Fuel and the clock are checked once a chunk; other code may run between two chunks.
 */
import { fault, LinqError } from "../core/error.ts";
import type { Resumable } from "../core/resumable.ts";
import { type DirectPass, enough, type RowLoop, type RowSink } from "../source/row-loop.ts";
import type { PreparedQuery } from "./prepared-query.ts";

const chunk = 1_024;
/** Most careful rows in a turn: they take longer. Fewer follow a long stretch of direct ones. */
const carefulChunk = 128;
/** Below this many rows writing source and checking the rows costs more than it saves. */
const worthDirect = 2_000;

export type ScanPath = "generated" | "careful";

/** Runs the pass; returns which path it took. */
export const scan = function* (query: PreparedQuery, sink: RowSink): Resumable<ScanPath> {
  const { rows, frame } = query;
  const careful = carefulLoop(query, sink);
  const direct = directPass(query, sink);
  const loop = direct === undefined ? nowhere : withLocatedErrors(direct.loop, careful);
  let ran: ScanPath = "careful";
  let stretch = carefulChunk;
  for (let from = 0; from < rows.length; from += chunk) {
    const to = Math.min(from + chunk, rows.length);
    frame.rows(to - from);
    for (let at = from; at < to; ) {
      const reached = loop(rows, at, to, frame);
      if (reached !== at) ran = "generated";
      if (reached === enough) return ran;
      stretch = reached - at > stretch ? 1 : Math.min(2 * stretch, carefulChunk);
      at = Math.min(reached + stretch, to);
      if (careful(rows, reached, at, frame) === enough) return ran;
      if ((yield) === true) afterOthers(query, direct);
    }
  }
  return ran;
};

/** Nothing that was known of the objects is certain any more. */
const afterOthers = ({ rows, host }: PreparedQuery, direct: DirectPass | undefined): void => {
  direct?.guard.forget();
  if (host.rowsInPlace === undefined || host.rowsInPlace(rows) !== undefined) return;
  const hint = "ask again, or read a copy of the list";
  throw fault("not_readable", "The list got a getter among its elements while it was read", hint);
};

const directPass = ({ rows, host, outline, pass }: PreparedQuery, sink: RowSink): DirectPass | undefined => {
  const direct = rows.length < worthDirect ? undefined : host.direct?.(rows, outline.rowType);
  return direct === undefined ? undefined : pass(direct, sink);
};

const nowhere: RowLoop = (_, from) => from;

/** An error of the direct loop may have no place; the careful one finds it again and gives it one. */
const withLocatedErrors =
  (fast: RowLoop, careful: RowLoop): RowLoop =>
  (rows, from, to, frame) => {
    try {
      return fast(rows, from, to, frame);
    } catch (error) {
      if (!(error instanceof LinqError)) throw error;
      careful(rows, from, to, frame);
      throw error;
    }
  };

const carefulLoop =
  ({ where }: PreparedQuery, sink: RowSink): RowLoop =>
  (rows, from, to, frame) => {
    for (let index = from; index < to; index++) {
      const row = rows[index] ?? null;
      frame.slots[0] = row;
      frame.row();
      if (where !== undefined && where(frame) !== true) continue;
      if (!sink.row(row, index)) return enough;
    }
    return to;
  };
