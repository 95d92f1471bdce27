/** A verb's view of a value, as text for people. Pure. */
import type { VerbView } from "@fairlead/contracts";
import { table } from "../terminal/table.ts";
import { isRecord } from "../text/record.ts";
import { histogramChart, sharesChart } from "./chart.ts";
import { allHold, isMissing, itemsAt, type Scope, valueAt } from "./scope.ts";
import { fillText, showValue } from "./text.ts";

type ViewKind<K extends PropertyKey> = Extract<VerbView, { readonly [Key in K]: unknown }>;

/** The text; `undefined` where there is nothing to show, which leaves no line. */
export const renderView = (scope: Scope, view: VerbView): string | undefined => {
  if (typeof view === "string" || "parts" in view) return fillText(scope, view);
  if (isList(view))
    return joinTexts(
      view.map((part) => renderView(scope, part)),
      "\n",
    );
  if ("fields" in view) return renderFields(scope, view);
  if ("table" in view) return renderTable(scope, view);
  if ("each" in view) {
    const items = itemsAt(scope, view.each).map((value) => renderView({ ...scope, value }, view.show));
    return joinTexts(items, view.between ?? "\n");
  }
  if ("first" in view) {
    const found = view.first.find(({ when }) => allHold(scope, when));
    return found === undefined ? undefined : renderView(scope, found.show);
  }
  return "shares" in view ? sharesChart(scope, view.shares) : histogramChart(scope, view);
};

const isList = (view: object): view is readonly VerbView[] => Array.isArray(view);

const joinTexts = (texts: readonly (string | undefined)[], between: string): string | undefined => {
  const found = texts.filter((text) => text !== undefined);
  return found.length === 0 ? undefined : found.join(between);
};

const renderFields = (scope: Scope, view: ViewKind<"fields">): string | undefined => {
  const { fields, only, without = [], filled = false, format = {} } = view;
  const value = valueAt(scope, fields);
  if (!isRecord(value)) return undefined;
  const names = (only ?? Object.keys(value)).filter((name) => !without.includes(name));
  const rows = names.flatMap((name) => {
    const field = value[name];
    const isEmpty = field === null || field === undefined || (Array.isArray(field) && field.length === 0);
    if (filled && isEmpty) return [];
    const text = format[name];
    const formatted = text === undefined || isMissing(field) ? undefined : fillText({ ...scope, value: field }, text);
    return [[name, formatted ?? showValue(field)]];
  });
  return rows.length === 0 ? undefined : table(rows);
};

const renderTable = (scope: Scope, { table: path, columns }: ViewKind<"table">): string | undefined => {
  const heads = columns.some(({ head }) => head !== undefined) ? [columns.map(({ head = "" }) => head)] : [];
  const rows = itemsAt(scope, path).map((value) =>
    columns.map(({ cell }) => fillText({ ...scope, value }, cell) ?? ""),
  );
  return heads.length + rows.length === 0 ? undefined : table([...heads, ...rows]);
};
