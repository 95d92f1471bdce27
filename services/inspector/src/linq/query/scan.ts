/**
 * One pass over a query's rows. Where rows may be read directly and there are enough of them, the pass is the direct one; otherwise,
 * and for rows that turn out not to be direct, it is the careful one. Both give rows to the same sinks.
 *
 * Fuel and the clock are looked at once a chunk; whoever runs the pass may do something else between two chunks.
 */
import { LinqError } from "../error.ts";
import type { Turns } from "../turns.ts";
import type { Loop, Runnable, Sink } from "./runnable.ts";

const chunk = 1_024;
/** Careful rows take longer: more turns. */
const carefulChunk = 128;
/** Below this many rows making source and looking at the rows costs more than it saves. */
const worthDirect = 2_000;

export type Path = "generated" | "careful";

/** Runs the pass; says which way it ran. */
export const scan = function* (query: Runnable, sink: Sink): Turns<Path> {
  const { rows, frame, host, outline } = query;
  const careful = carefulLoop(query, sink);
  const direct = rows.length < worthDirect ? undefined : host.direct?.(rows, outline.rowType);
  const pass = direct === undefined ? undefined : query.pass(direct.keys, sink);
  const admits = pass === undefined ? undefined : direct?.admits(pass.reads);
  let ran: Path = "careful";
  for (let from = 0; from < rows.length; from += chunk) {
    const to = Math.min(from + chunk, rows.length);
    frame.rows(to - from);
    if (pass !== undefined && admits?.(from, to) === true) {
      ran = "generated";
      if (!located(pass.loop, careful)(rows, from, to, frame)) break;
      yield;
      continue;
    }
    for (let at = from; at < to; at += carefulChunk) {
      if (!careful(rows, at, Math.min(at + carefulChunk, to), frame)) return ran;
      yield;
    }
  }
  return ran;
};

/** An error of the direct loop may have no place; the careful one finds it again and gives it one. */
const located =
  (fast: Loop, careful: Loop): Loop =>
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
  ({ where }: Runnable, sink: Sink): Loop =>
  (rows, from, to, frame) => {
    for (let index = from; index < to; index++) {
      const row = rows[index] ?? null;
      frame.slots[0] = row;
      frame.row();
      if (where !== undefined && where(frame) !== true) continue;
      if (!sink.row(row, index)) return false;
    }
    return true;
  };
