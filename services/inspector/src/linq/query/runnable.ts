/** A query that can run: its parts as functions, however they were made, and its rows. */
import { itemType, typedItems } from "../binder/elements.ts";
import type { Code } from "../compile.ts";
import { LinqError } from "../error.ts";
import type { Frame } from "../frame.ts";
import type { DirectRows, HostAccess, RowGuard } from "../host.ts";
import type { Type } from "../type.ts";

/** Takes the rows that passed `where`; the row is in its slot of the frame. What else it has, a direct pass knows. */
export interface Sink {
  /** False ends the pass. */
  row(row: unknown, index: number): boolean;
}

/** Gives back the row to go on with: `to`, one before it that it may not read, or `enough`. */
export type Loop = (rows: readonly unknown[], from: number, to: number, frame: Frame) => number;

/** What a loop gives back when the sink wants no more. */
export const enough = -1;

/** A pass over rows that are plain data; it ends at a row that is not, as the guard tells. */
export interface DirectPass {
  readonly guard: RowGuard;
  readonly loop: Loop;
}

export interface Ordering {
  readonly key: Code;
  readonly descending: boolean;
}

export interface Parts {
  readonly where?: Code | undefined;
  readonly groupBy?: Code | undefined;
  readonly orderBy: readonly Ordering[];
  readonly select?: Code | undefined;
  readonly pass: (rows: DirectRows, sink: Sink) => DirectPass;
}

/** What is known of a query before it runs: plain data. */
export interface Outline {
  readonly rowType: Type;
  readonly resultType: Type;
  /** True when groups are only counted, so that their rows need not be kept. */
  readonly countsOnly: boolean;
  /** True when equal results are counted beside the rows. */
  readonly tallied: boolean;
  readonly distinct: boolean;
  readonly skip: number;
  readonly take: number;
}

export interface Runnable extends Parts {
  readonly outline: Outline;
  readonly host: HostAccess;
  readonly frame: Frame;
  readonly rows: readonly unknown[];
}

/** Rows of objects are read where they are; scalars are checked, and collections of other kinds copied out. */
export const rowsOf = (value: unknown, type: Type, host: HostAccess): readonly unknown[] => {
  if (value === null || value === undefined)
    throw new LinqError("null_reference", "The collection is null", { position: 0 });
  const item = itemType(type);
  const isOpen = item?.kind === "dynamic" || item?.kind === "class";
  const inPlace = isOpen && typeof value === "object" ? host.rowsInPlace?.(value) : undefined;
  return inPlace ?? typedItems(type, host)(value);
};
