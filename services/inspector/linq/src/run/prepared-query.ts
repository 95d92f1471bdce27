/** A query that can run: its parts as functions, however they were made, and its rows. */
import type { QueryOutline } from "../bind/query.ts";
import { LinqError } from "../core/error.ts";
import type { CompiledExpression, Frame } from "../core/frame.ts";
import { itemType, typedItemsReader } from "../operator/elements.ts";
import type { DirectPass, RowSink } from "../source/row-loop.ts";
import type { DirectRows, HostAccess } from "../type/host.ts";
import type { Type } from "../type/type.ts";

interface Ordering {
  readonly key: CompiledExpression;
  readonly descending: boolean;
}

export interface QueryCode {
  readonly where?: CompiledExpression | undefined;
  readonly groupBy?: CompiledExpression | undefined;
  readonly orderBy: readonly Ordering[];
  readonly select?: CompiledExpression | undefined;
  readonly pass: (rows: DirectRows, sink: RowSink) => DirectPass;
}

export interface PreparedQuery extends QueryCode {
  readonly outline: QueryOutline;
  readonly host: HostAccess;
  readonly frame: Frame;
  readonly rows: readonly unknown[];
}

/** Rows of objects are read where they are; scalars are checked, and collections of other kinds copied out. */
export const readRows = (value: unknown, type: Type, host: HostAccess, frame: Frame): readonly unknown[] => {
  if (value === null || value === undefined)
    throw new LinqError("null_reference", "The collection is null", { position: 0 });
  const item = itemType(type);
  const isOpen = item?.kind === "dynamic" || item?.kind === "class";
  const inPlace = isOpen && typeof value === "object" ? host.rowsInPlace?.(value) : undefined;
  return inPlace ?? typedItemsReader(type, host)(value, frame);
};
