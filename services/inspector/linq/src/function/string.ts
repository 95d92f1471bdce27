/** The methods of strings. Comparison is ordinal. */
import type { Limits } from "../core/limits.ts";
import { boolean, char, int32, listType, scalar, string, type Type } from "../type/type.ts";
import { Sequence } from "../value/sequence.ts";
import { type MethodRow, type MethodTable, methodTable } from "./method.ts";
import { changeRows } from "./string-change.ts";
import { bounds, compareText, copyCost, searchRows } from "./string-search.ts";
import { splitRows } from "./string-split.ts";
import { trimRows } from "./string-trim.ts";

const any: Type = scalar("String");
const cost = { cost: copyCost };

const tables = new WeakMap<Limits, MethodTable>();

/** Made once for each set of limits. */
export const stringMethods = (limits: Limits): MethodTable => {
  const known =
    tables.get(limits) ?? methodTable([...searchRows, ...plainRows, ...trimRows, ...splitRows, ...changeRows(limits)]);
  tables.set(limits, known);
  return known;
};

/** FNV-1a over UTF-16 units, as an Int32. Stable between runs, which .NET's is not. */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5 | 0;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
};

const plainRows: readonly MethodRow[] = [
  ["IsNormalized", [], boolean, (text: string) => text.normalize() === text, cost],
  [
    "ToCharArray",
    [int32, int32],
    listType(char),
    (text: string, start: number, length: number) => {
      bounds(text, start, length);
      return new Sequence(text.slice(start, start + length).split(""));
    },
    cost,
  ],
  [
    "Substring",
    [int32],
    string,
    (text: string, start: number) => {
      bounds(text, start);
      return text.slice(start);
    },
  ],
  [
    "Substring",
    [int32, int32],
    string,
    (text: string, start: number, length: number) => {
      bounds(text, start, length);
      return text.slice(start, start + length);
    },
  ],
  ["CompareTo", [any], int32, compareText],
  ["Clone", [], string, (text: string) => text],
  ["Equals", [any], boolean, (a: string, b: string | null) => a === b],
  ["ToCharArray", [], listType(char), (text: string) => new Sequence([...text.split("")]), cost],
  ["ToString", [], string, (text: string) => text],
  ["GetHashCode", [], int32, (text: string) => hashText(text), cost],
];
