/**
 * A query as text to a checked plan: the source is evaluated, everything else is bound against its elements before the first
 * row is read. Order of the steps: where, groupBy, having, orderBy, select, distinct, skip, take.
 */

import { LinqError } from "../core/error.ts";
import { defaultLimits } from "../core/limits.ts";
import { locateInText } from "../core/place.ts";
import { locateInPart, type QueryPart } from "../core/query-error.ts";
import { itemType } from "../operator/elements.ts";
import type { HostAccess } from "../type/host.ts";
import { type Type, typeName } from "../type/type.ts";
import {
  type CheckedExpression,
  type CheckedOrdering,
  check,
  checkOrdering,
  contextFor,
  type EvaluationSettings,
  rootScope,
  rowScope,
  rowSlot,
} from "./expression.ts";
import { asBoolean } from "./term/operators.ts";
import { type BoundNode, childNodes } from "./tree/bound.ts";
import type { Context, Scope } from "./tree/context.ts";

/** A query as it is written, part by part. */
export interface QueryText {
  /** A collection: a root, a path, any expression. */
  readonly from: string;
  readonly where?: string | undefined;
  readonly select?: string | undefined;
  readonly orderBy?: string | undefined;
  readonly groupBy?: string | undefined;
  /** Which groups are wanted. */
  readonly having?: string | undefined;
  readonly distinct?: boolean | undefined;
  /** Rows to leave out at the start; 0 when left out. */
  readonly skip?: number | undefined;
  /** Most rows to give; 100 when left out, never more than the limit on result rows. */
  readonly take?: number | undefined;
}

export const defaultTake = 100;

/** What is known of a query before it runs: plain data. */
export interface QueryOutline {
  readonly rowType: Type;
  readonly resultType: Type;
  /** True when groups are only counted, so that their rows need not be kept. */
  readonly countsOnly: boolean;
  /** True when equal results are counted beside the rows. */
  readonly tallied: boolean;
  readonly distinct: boolean;
  readonly skip: number;
  readonly take: number;
  /** Members of undeclared rows that the query reads: only the rows can show whether there are such. */
  readonly reads: readonly string[];
}

/** A query whose every part is bound, before anything is read. */
export interface CheckedQuery extends QueryOutline {
  readonly settings: EvaluationSettings;
  readonly source: CheckedExpression;
  readonly where: CheckedExpression | undefined;
  readonly groupBy: CheckedExpression | undefined;
  readonly having: CheckedExpression | undefined;
  readonly orderBy: readonly CheckedOrdering[];
  readonly select: CheckedExpression | undefined;
}

/** Binds every part of a query; reads nothing. Throws `QueryError`. */
export const checkQuery = (query: QueryText, settings: EvaluationSettings): CheckedQuery => {
  const { limits = defaultLimits } = settings;
  const context = contextFor(settings);
  const { source, rowType } = locateInPart("from", () => checkSource(query.from, context));
  const scope = rowScope(rowType);
  const predicate = (part: "where" | "having", of: Scope): CheckedExpression | undefined =>
    optional(part, query[part], (text) => {
      const checked = check(text, of, context);
      return { ...checked, bound: locateInText(text, () => asBoolean(checked.bound, `\`${part}\``)) };
    });
  const where = predicate("where", scope);
  const groupBy = optional("groupBy", query.groupBy, (text) => check(text, scope, context));
  const itemTypeNow: Type = groupBy === undefined ? rowType : { kind: "list", item: rowType, key: groupBy.type };
  const shaped = rowScope(itemTypeNow);
  const having = groupBy === undefined ? refuseHaving(query.having) : predicate("having", shaped);
  const orderBy = optional("orderBy", query.orderBy, (text) => checkOrdering(text, shaped, context)) ?? [];
  const wanted = query.select ?? (groupBy === undefined ? undefined : groupedSelect);
  const select = optional("select", wanted, (text) => check(text, shaped, context));
  return {
    settings,
    source,
    rowType,
    where,
    groupBy,
    countsOnly:
      groupBy !== undefined &&
      [...orderBy, having, select].every((part) => part === undefined || onlyCounts(part.bound)),
    having,
    orderBy,
    select,
    resultType: select?.type ?? itemTypeNow,
    tallied: groupBy === undefined && select !== undefined && query.distinct !== true && isCountable(select.type),
    distinct: query.distinct ?? false,
    reads: collectReads([where, groupBy, having, select, ...orderBy], settings.host),
    skip: query.skip ?? 0,
    take: Math.min(query.take ?? defaultTake, limits.resultRows),
  };
};

/** Without groups there is nothing that it could be about. */
const refuseHaving = (text: string | undefined): undefined => {
  if (text === undefined) return undefined;
  return locateInPart("having", () => {
    const hint = "say what to group by in `groupBy`, or filter rows with `where`";
    throw new LinqError("not_allowed", "`having` chooses groups, and there are none", { position: 0, text, hint });
  });
};

/** A select of one scalar is also counted: that is what such a query is usually for. Of undeclared values it shows when they are there. */
const isCountable = ({ kind }: Type): boolean => kind === "enum" || kind === "scalar" || kind === "dynamic";

/** What a group shows when nothing is selected. */
const groupedSelect = "new { Key, Count() as Count }";

const optional = <T>(part: QueryPart, text: string | undefined, read: (text: string) => T): T | undefined =>
  text === undefined ? undefined : locateInPart(part, () => read(text));

const checkSource = (
  text: string,
  context: Context,
): { readonly source: CheckedExpression; readonly rowType: Type } => {
  const source = check(text, rootScope, context);
  const { bound, type } = source;
  const rowType = itemType(type);
  if (rowType !== undefined && (type.kind !== "scalar" || bound.kind !== "value")) return { source, rowType };
  throw new LinqError("not_a_collection", `'${text.trim().slice(0, 60)}' is ${typeName(type)}, not a collection`, {
    position: bound.at,
    text,
    hint: "`from` needs a list: a root like Entities, or a path to one",
  });
};

/** Names that the parts read of undeclared rows, but those that may be roots instead. */
const collectReads = (parts: readonly (CheckedExpression | undefined)[], { roots }: HostAccess): readonly string[] => {
  const names = new Set<string>();
  const collect = (bound: BoundNode): void => {
    if (bound.kind === "read" && bound.object.kind === "slot" && bound.object.slot === rowSlot)
      if (bound.object.type.kind === "dynamic") names.add(bound.name);
    for (const child of childNodes(bound)) collect(child);
  };
  for (const part of parts) if (part !== undefined) collect(part.bound);
  return [...names].filter((name) => !roots.some((root) => root.name === name));
};

/** True when a grouped expression looks at nothing of a group but its key and its size. */
const onlyCounts = (bound: BoundNode): boolean => {
  if (bound.kind === "slot") return bound.slot !== rowSlot;
  const ofGroup = (object: BoundNode): boolean => object.kind === "slot" && object.slot === rowSlot;
  if (bound.kind === "read" && ofGroup(bound.object)) return bound.name === "Key" || bound.name === "Count";
  if (bound.kind === "sequence" && ofGroup(bound.source)) return bound.name === "Count" && bound.lambdas.length === 0;
  return childNodes(bound).every(onlyCounts);
};
