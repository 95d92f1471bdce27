/** What the steps of a query share: the form of its result, and sinks that take the rows that passed `where`. */
import { type CompiledCode, type Frame, runCode } from "../core/frame.ts";
import type { Resumable } from "../core/resumable.ts";
import type { RowSink } from "../source/row-loop.ts";
import type { Type } from "../type/type.ts";
import type { PreparedQuery } from "./prepared-query.ts";
import type { ScanPath } from "./scan.ts";
import type { KeyOrder } from "./top.ts";

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

export type QueryRun = Resumable<QueryResult>;

/** The keys of the order, as parts that are read of a row. */
export const keyParts = ({ orderBy }: PreparedQuery): readonly CompiledCode[] => orderBy.map(({ key }) => key);

/** The order by those keys. */
export const keyOrder = ({ orderBy, host, frame }: PreparedQuery): KeyOrder => ({
  signs: orderBy.map(({ descending }) => (descending ? -1 : 1)),
  host,
  frame,
});

/** A row in the form of `select`. Work on a group's elements costs fuel per element: a group is not a row. */
export const shapeRow = function* ({ select, groupBy, frame }: PreparedQuery, row: unknown): Resumable<unknown> {
  if (select === undefined) return row;
  frame.slots[0] = row;
  if (groupBy === undefined) frame.row();
  return yield* runCode(select, frame);
};

export const none: readonly CompiledCode[] = [];

/** A sink that reads its parts by itself where a loop does not pause. */
export const makeSink = <T extends object>(frame: Frame, sink: Omit<RowSink, "row"> & T): RowSink & T => ({
  ...sink,
  row: (row, index) => sink.take(row, index, readParts(sink.parts(), frame)),
});

/** The values of parts, none of which pauses. */
export const readParts = (parts: readonly CompiledCode[], frame: Frame): readonly unknown[] => {
  const [only, second] = parts;
  if (only === undefined) return [];
  if (second === undefined) return [only.run(frame)];
  return parts.map((part) => part.run(frame));
};
