/** Finding text in text. Comparison is ordinal, and ignores case where a StringComparison says so. */
import { fault } from "../core/error.ts";
import { ignoresCase, stringComparison } from "../type/system-enum.ts";
import { boolean, char, enumType, int32, listType, scalar, type Type } from "../type/type.ts";
import type { Sequence } from "../value/sequence.ts";
import type { MethodRow } from "./method.ts";

const any: Type = scalar("String");

/** Long texts are paid for by length; a search by both lengths. */
/** Steps for a copy of a text. */
export const copyCost = (text: unknown): number => (typeof text === "string" ? text.length >> 4 : 0);

const searchCost = (text: unknown, part: unknown): number =>
  typeof text === "string" && typeof part === "string" ? (text.length * Math.min(part.length, 64)) >> 10 : 0;

export const bounds = (text: string, start: number, length = 0): void => {
  if (start < 0 || length < 0 || start + length > text.length)
    throw fault("out_of_range", "Index and length must refer to a location within the string", "look at Length first");
};

export const needed = (value: unknown, what = "The argument"): string => {
  if (typeof value === "string") return value;
  throw fault("null_reference", `${what} is null`, "give a text, or test for null first");
};

const search = (name: "includes" | "startsWith" | "endsWith", title: string): MethodRow => [
  title,
  [any],
  boolean,
  (text: unknown, part: unknown) => needed(text, "The text")[name](needed(part)),
  {
    cost: searchCost,
    emit: (code, text = "", part = "") => {
      const t = code.temporary();
      const p = code.temporary();
      return `(${t} = ${text}, ${p} = ${part}, typeof ${t} === "string" && typeof ${p} === "string" && ${t}.length < 1024 ? ${t}.${name}(${p}) : ${code.run}(${t}, ${p}))`;
    },
  },
];

export const compareText = (a: string, b: string | null): number => (b === null ? 1 : a < b ? -1 : a > b ? 1 : 0);

/** A method with a StringComparison behind its argument. */
const compared = (name: string, returns: Type, run: (text: string, part: string) => unknown): MethodRow => [
  name,
  [any, enumType(stringComparison)],
  returns,
  (text: string, part: string | null, comparison: number) =>
    run(cased(text, comparison), cased(needed(part), comparison)),
  { cost: searchCost },
];

export const cased = (text: string, comparison: number): string => (ignoresCase(comparison) ? upper(text) : text);

/** Unit by unit, so that places stay: `ß` has no single upper case. */
export const upper = (text: string): string => {
  const all = text.toUpperCase();
  if (all.length === text.length) return all;
  const one = (unit: string): string => (unit.toUpperCase().length === 1 ? unit.toUpperCase() : unit);
  return text.split("").map(one).join("");
};

const indexOfAny = (text: string, units: Sequence): number => {
  const wanted = new Set(units.items);
  for (let index = 0; index < text.length; index++) if (wanted.has(text.charAt(index))) return index;
  return -1;
};

const lastIndexOfAny = (text: string, units: Sequence): number => {
  const wanted = new Set(units.items);
  for (let index = text.length - 1; index >= 0; index--) if (wanted.has(text.charAt(index))) return index;
  return -1;
};

/** Where a part is found from a place on, in so many characters. */
const found = (text: string, part: string, from: number, count = text.length - from): number => {
  bounds(text, from, count);
  const at = text.slice(from, from + count).indexOf(part);
  return at < 0 ? -1 : at + from;
};

/** Where a part occurs last, searching back from a place over so many characters. */
const foundLast = (text: string, part: string, from: number, count = from + 1): number => {
  bounds(text, from - count + 1, count);
  const at = text.slice(from - count + 1, from + 1).lastIndexOf(part);
  return at < 0 ? -1 : at + from - count + 1;
};

const casing = enumType(stringComparison);

export const searchRows: readonly MethodRow[] = [
  search("includes", "Contains"),
  search("startsWith", "StartsWith"),
  search("endsWith", "EndsWith"),
  ["IndexOf", [any], int32, (text: string, part: string) => text.indexOf(needed(part)), { cost: searchCost }],
  [
    "IndexOf",
    [any, int32],
    int32,
    (text: string, part: string, from: number) => found(text, needed(part), from),
    { cost: searchCost },
  ],
  compared("Contains", boolean, (text, part) => text.includes(part)),
  compared("StartsWith", boolean, (text, part) => text.startsWith(part)),
  compared("EndsWith", boolean, (text, part) => text.endsWith(part)),
  compared("IndexOf", int32, (text, part) => text.indexOf(part)),
  compared("Equals", boolean, (text, part) => text === part),
  ["IndexOfAny", [listType(char)], int32, (text: string, any: Sequence) => indexOfAny(text, any)],
  ["LastIndexOfAny", [listType(char)], int32, (text: string, any: Sequence) => lastIndexOfAny(text, any)],
  [
    "IndexOf",
    [any, int32, int32],
    int32,
    (text: string, part: string, from: number, count: number) => found(text, needed(part), from, count),
    { cost: searchCost },
  ],
  [
    "LastIndexOf",
    [any, int32],
    int32,
    (text: string, part: string, from: number) => foundLast(text, needed(part), from),
    { cost: searchCost },
  ],
  compared("LastIndexOf", int32, (text, part) => text.lastIndexOf(part)),
  ["LastIndexOf", [any], int32, (text: string, part: string) => text.lastIndexOf(needed(part)), { cost: searchCost }],
  [
    "IndexOf",
    [any, int32, casing],
    int32,
    (text: string, part: string, from: number, comparison: number) =>
      found(cased(text, comparison), cased(needed(part), comparison), from),
    { cost: searchCost },
  ],
  [
    "LastIndexOf",
    [any, int32, int32],
    int32,
    (text: string, part: string, from: number, count: number) => foundLast(text, needed(part), from, count),
    { cost: searchCost },
  ],
  [
    "LastIndexOf",
    [any, int32, casing],
    int32,
    (text: string, part: string, from: number, comparison: number) =>
      foundLast(cased(text, comparison), cased(needed(part), comparison), from),
    { cost: searchCost },
  ],
  [
    "IndexOfAny",
    [listType(char), int32],
    int32,
    (text: string, units: Sequence, from: number) => {
      bounds(text, from);
      const at = indexOfAny(text.slice(from), units);
      return at < 0 ? -1 : at + from;
    },
  ],
  [
    "LastIndexOfAny",
    [listType(char), int32],
    int32,
    (text: string, units: Sequence, from: number) => {
      bounds(text, from);
      return lastIndexOfAny(text.slice(0, from + 1), units);
    },
  ],
];
