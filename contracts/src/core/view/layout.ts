/**
 * What a verb's view shows of a value: texts, rows and bars, which a terminal prints and a browser draws. Pure; nothing here knows either.
 */
import type { VerbView } from "../verb.ts";
import { type ChartRow, histogramRows, sharesRows } from "./chart.ts";
import { isRecord } from "./record.ts";
import { allHold, isMissing, itemsAt, type Scope, valueAt } from "./scope.ts";
import { fillText, showValue } from "./text.ts";

type ViewKind<K extends PropertyKey> = Extract<VerbView, { readonly [Key in K]: unknown }>;

export type ViewBlock =
  | { readonly kind: "text"; readonly text: string }
  /** Blocks one below the other; `between` is what a text has between them. */
  | { readonly kind: "group"; readonly blocks: readonly ViewBlock[]; readonly between: string }
  /** Name and value, a row each. */
  | { readonly kind: "fields"; readonly rows: readonly (readonly [string, string])[] }
  /** No heads: a table without a line of headings. */
  | { readonly kind: "table"; readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "bars"; readonly rows: readonly ChartRow[] };

/** `undefined` where there is nothing to show. */
export const layOut = (scope: Scope, view: VerbView): ViewBlock | undefined => {
  if (typeof view === "string" || "parts" in view) return textBlock(fillText(scope, view));
  if (isList(view))
    return group(
      view.map((part) => layOut(scope, part)),
      "\n",
    );
  if ("fields" in view) return layOutFields(scope, view);
  if ("table" in view) return layOutTable(scope, view);
  if ("each" in view) {
    const items = itemsAt(scope, view.each).map((value) => layOut({ ...scope, value }, view.show));
    return group(items, view.between ?? "\n");
  }
  if ("first" in view) {
    const found = view.first.find(({ when }) => allHold(scope, when));
    return found === undefined ? undefined : layOut(scope, found.show);
  }
  return bars("shares" in view ? sharesRows(scope, view.shares) : histogramRows(scope, view));
};

const isList = (view: object): view is readonly VerbView[] => Array.isArray(view);

const textBlock = (text: string | undefined): ViewBlock | undefined =>
  text === undefined ? undefined : { kind: "text", text };

const group = (blocks: readonly (ViewBlock | undefined)[], between: string): ViewBlock | undefined => {
  const found = blocks.filter((block) => block !== undefined);
  return found.length === 0 ? undefined : { kind: "group", blocks: found, between };
};

const bars = (rows: readonly ChartRow[]): ViewBlock | undefined =>
  rows.length === 0 ? undefined : { kind: "bars", rows };

const layOutFields = (scope: Scope, view: ViewKind<"fields">): ViewBlock | undefined => {
  const { fields, only, without = [], filled = false, format = {} } = view;
  const value = valueAt(scope, fields);
  if (!isRecord(value)) return undefined;
  const names = (only ?? Object.keys(value)).filter((name) => !without.includes(name));
  const rows = names.flatMap((name): (readonly [string, string])[] => {
    const field = value[name];
    const isEmpty = field === null || field === undefined || (Array.isArray(field) && field.length === 0);
    if (filled && isEmpty) return [];
    const text = format[name];
    const formatted = text === undefined || isMissing(field) ? undefined : fillText({ ...scope, value: field }, text);
    return [[name, formatted ?? showValue(field)]];
  });
  return rows.length === 0 ? undefined : { kind: "fields", rows };
};

const layOutTable = (scope: Scope, { table: path, columns }: ViewKind<"table">): ViewBlock | undefined => {
  const heads = columns.some(({ head }) => head !== undefined) ? columns.map(({ head = "" }) => head) : [];
  const rows = itemsAt(scope, path).map((value) =>
    columns.map(({ cell }) => fillText({ ...scope, value }, cell) ?? ""),
  );
  return heads.length + rows.length === 0 ? undefined : { kind: "table", heads, rows };
};
