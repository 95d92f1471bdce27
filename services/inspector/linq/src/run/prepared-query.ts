/** A query that can run: its parts as code, however it was made, and its rows. */
import type { QueryOutline } from "../bind/query.ts";
import { LinqError } from "../core/error.ts";
import type { CompiledCode, Frame } from "../core/frame.ts";
import { itemType, typedListing } from "../operator/elements.ts";
import type { DirectPass, RowSink } from "../source/row-loop.ts";
import type { DirectRows, HostAccess, Listing } from "../type/host.ts";
import type { Type } from "../type/type.ts";

interface Ordering {
  readonly key: CompiledCode;
  readonly descending: boolean;
}

/** The parts of a query as code. */
export interface QueryCode {
  readonly where?: CompiledCode | undefined;
  readonly groupBy?: CompiledCode | undefined;
  readonly having?: CompiledCode | undefined;
  readonly orderBy: readonly Ordering[];
  readonly select?: CompiledCode | undefined;
  readonly pass: (rows: DirectRows, sink: RowSink) => DirectPass;
}

/** Rows where they are. */
export interface QueryRows {
  readonly list: Listing;
  /** The array that they are in, when it can be read by its indices. */
  readonly inPlace?: readonly unknown[] | undefined;
}

export interface PreparedQuery extends QueryCode {
  readonly outline: QueryOutline;
  readonly host: HostAccess;
  readonly frame: Frame;
  readonly rows: QueryRows;
}

/** Rows of objects are read in place where that is possible; scalars are checked one by one. Nothing is copied. */
export const readRows = (value: unknown, type: Type, host: HostAccess, frame: Frame): QueryRows => {
  if (value === null || value === undefined)
    throw new LinqError("null_reference", "The collection is null", { position: 0 });
  const item = itemType(type);
  const isOpen = item?.kind === "dynamic" || item?.kind === "class";
  const inPlace = isOpen && typeof value === "object" ? host.rowsInPlace?.(value) : undefined;
  if (inPlace !== undefined) return { list: arrayRows(inPlace, host), inPlace };
  const list = typedListing(type, host)(value);
  frame.admitList(list.length);
  return { list };
};

/** An array that was found to be readable in place, which is looked at again when other code ran. */
const arrayRows = (rows: readonly unknown[], host: HostAccess): Listing => ({
  length: rows.length,
  at: (index) => rows[index],
  resumed: () => {
    if (host.rowsInPlace?.(rows) !== undefined) return rows.length;
    const hint = "ask again, or read a copy of the list";
    throw new LinqError("not_readable", "The list got a getter among its elements while it was read", {
      position: 0,
      hint,
    });
  },
});
