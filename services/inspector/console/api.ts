/** The service's procedures, as its contract has them, and what `explore` answers of one thing. */
import type { InspectorTypes } from "@fairlead/client/inspector";
import { serviceApi } from "@fairlead/console/kit";

export const api = serviceApi<InspectorTypes>("inspector");

export type Exploration = InspectorTypes["explore"]["output"];
export type QueryInput = InspectorTypes["query"]["input"];
export type QueryAnswer = InspectorTypes["query"]["output"];

/** A member, an element or a root, as far as the page reads it. */
export interface ObjectEntry {
  readonly name: string;
  readonly type: string;
  readonly kind: string;
  readonly access: string;
  /** What leads there; empty where nothing does. */
  readonly expr: string;
  readonly value: unknown;
  readonly hasValue: boolean;
  readonly count: number | null;
  /** Of a struct's field: where it is, as it is written, and how many bytes it takes. */
  readonly offset: string;
  readonly size: number | null;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);

export const readEntry = (fields: Readonly<Record<string, unknown>>): ObjectEntry => ({
  name: text(fields.name) || entryKey(fields),
  type: text(fields.type) || text(fields.memberType),
  kind: text(fields.kind),
  access: text(fields.access),
  expr: text(fields.expr),
  value: fields.value,
  hasValue: "value" in fields,
  count: number(fields.count),
  offset: text(fields.offset),
  size: number(fields.size),
});

const entryKey = ({ index, key }: Readonly<Record<string, unknown>>): string =>
  typeof index === "number"
    ? `[${index}]`
    : key === undefined
      ? ""
      : `[${typeof key === "string" ? JSON.stringify(key) : String(key)}]`;

/** Members first, elements after them. */
export const readEntries = ({ members = [], items = [] }: Exploration): readonly ObjectEntry[] =>
  [...members, ...items].map(readEntry);
