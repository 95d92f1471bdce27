/** Methods of strings and characters. Comparison is ordinal; what could grow is measured before it is made. */
import { fault } from "../error.ts";
import { composed } from "../format/format.ts";
import type { HostAccess } from "../host.ts";
import type { Limits } from "../limits.ts";
import { normal } from "../operator/compare.ts";
import { showDynamic } from "../operator/text.ts";
import { boolean, char, dynamic, enumType, int32, listOf, scalar, string, type Type } from "../type.ts";
import { Sequence } from "../value/sequence.ts";
import { type MethodRow, type MethodTable, methodTable } from "./method.ts";
import { ignoresCase, ordinal, stringComparison, stringSplitOptions } from "./system-enum.ts";

const any: Type = scalar("String");

/** Long texts are paid for by length; a search by both lengths. */
const searchCost = (text: unknown, part: unknown): number =>
  typeof text === "string" && typeof part === "string" ? (text.length * Math.min(part.length, 64)) >> 10 : 0;
const copyCost = (text: unknown): number => (typeof text === "string" ? text.length >> 4 : 0);
const madeCost = (_: unknown, length: unknown): number =>
  typeof length === "number" ? Math.min(Math.max(length, 0), 1 << 20) >> 4 : 0;

const bounds = (text: string, start: number, length = 0): void => {
  if (start < 0 || length < 0 || start + length > text.length)
    throw fault("out_of_range", "Index and length must refer to a location within the string", "look at Length first");
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

const needed = (value: unknown, what = "The argument"): string => {
  if (typeof value === "string") return value;
  throw fault("null_reference", `${what} is null`, "give a text, or test for null first");
};

const strip = (text: string, set: string | null, from: "start" | "end" | "both"): string => {
  const isOut = (unit: string): boolean => (set === null ? unit.trim() === "" : set.includes(unit));
  let start = 0;
  let end = text.length;
  if (from !== "end") while (start < end && isOut(text.charAt(start))) start++;
  if (from !== "start") while (end > start && isOut(text.charAt(end - 1))) end--;
  return text.slice(start, end);
};

const compareText = (a: string, b: string | null): number => (b === null ? 1 : a < b ? -1 : a > b ? 1 : 0);

/** A method with a StringComparison behind its argument. */
const compared = (name: string, returns: Type, run: (text: string, part: string) => unknown): MethodRow => [
  name,
  [any, enumType(stringComparison)],
  returns,
  (text: string, part: string | null, comparison: number) =>
    run(cased(text, comparison), cased(needed(part), comparison)),
  { cost: searchCost },
];

const cased = (text: string, comparison: number): string => (ignoresCase(comparison) ? upper(text) : text);

/** Unit by unit, so that places stay: `ß` has no single upper case. */
const upper = (text: string): string => {
  const all = text.toUpperCase();
  if (all.length === text.length) return all;
  const one = (unit: string): string => (unit.toUpperCase().length === 1 ? unit.toUpperCase() : unit);
  return text.split("").map(one).join("");
};

/** The pieces between the places where a text is found, in some case. */
const piecesOf = (text: string, part: string, comparison: number): readonly string[] => {
  const [where, what] = [cased(text, comparison), cased(part, comparison)];
  const pieces: string[] = [];
  let from = 0;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, from)) {
    pieces.push(text.slice(from, at));
    from = at + what.length;
  }
  return [...pieces, text.slice(from)];
};

const lastIndexOfAny = (text: string, units: Sequence): number => {
  const wanted = new Set(units.items);
  for (let index = text.length - 1; index >= 0; index--) if (wanted.has(text.charAt(index))) return index;
  return -1;
};

const removesEmpty = 1;
const trimsEntries = 2;

const withOptions = (parts: readonly string[], options: number): Sequence => {
  const trimmed = (options & trimsEntries) === 0 ? parts : parts.map((part) => part.trim());
  return new Sequence((options & removesEmpty) === 0 ? trimmed : trimmed.filter((part) => part !== ""));
};

const indexOfAny = (text: string, units: Sequence): number => {
  const wanted = new Set(units.items);
  for (let index = 0; index < text.length; index++) if (wanted.has(text.charAt(index))) return index;
  return -1;
};

export const stringMethods = (limits: Limits): MethodTable => {
  const known = tables.get(limits) ?? stringTable(limits);
  tables.set(limits, known);
  return known;
};

const tables = new WeakMap<Limits, MethodTable>();

const stringTable = (limits: Limits): MethodTable => {
  const admit = (length: number): void => {
    if (length > limits.stringLength)
      throw fault("text_too_long", `The text would be longer than ${limits.stringLength} characters`);
  };
  const pad =
    (side: "padStart" | "padEnd") =>
    (text: string, width: number, fill: string | undefined): string => {
      if (width < 0) throw fault("out_of_range", "The width must not be negative");
      admit(width);
      return text[side](width, fill ?? " ");
    };
  const replaced = (text: string, part: string | null, by: string | null, comparison = ordinal): string => {
    if (part === null || part === "") throw fault("wrong_arguments", "The text to replace must not be empty");
    const pieces = piecesOf(text, part, comparison);
    const put = by ?? "";
    admit(text.length + (pieces.length - 1) * (put.length - part.length));
    return pieces.join(put);
  };
  const partsOf = (text: string, by: string | null): readonly string[] =>
    by === null || by === "" ? [text] : text.split(by);
  const splitAny = (text: string, units: readonly unknown[]): Sequence => {
    const parts = [""];
    for (const unit of text.split("")) {
      if (units.includes(unit)) parts.push("");
      else parts[parts.length - 1] += unit;
    }
    return new Sequence(parts);
  };
  const splitTo = (text: string, by: string | null, most: number): Sequence => {
    if (most < 0) throw fault("out_of_range", "The count must not be negative");
    const parts = partsOf(text, by);
    if (parts.length <= most) return new Sequence(parts);
    return new Sequence(most === 0 ? [] : [...parts.slice(0, most - 1), parts.slice(most - 1).join(by ?? "")]);
  };
  const cost = { cost: copyCost };
  return methodTable([
    search("includes", "Contains"),
    search("startsWith", "StartsWith"),
    search("endsWith", "EndsWith"),
    ["IndexOf", [any], int32, (text: string, part: string) => text.indexOf(needed(part)), { cost: searchCost }],
    [
      "IndexOf",
      [any, int32],
      int32,
      (text: string, part: string, from: number) => {
        bounds(text, from);
        return text.indexOf(needed(part), from);
      },
      { cost: searchCost },
    ],
    compared("Contains", boolean, (text, part) => text.includes(part)),
    compared("StartsWith", boolean, (text, part) => text.startsWith(part)),
    compared("EndsWith", boolean, (text, part) => text.endsWith(part)),
    compared("IndexOf", int32, (text, part) => text.indexOf(part)),
    compared("Equals", boolean, (text, part) => text === part),
    ["IndexOfAny", [listOf(char)], int32, (text: string, any: Sequence) => indexOfAny(text, any)],
    ["LastIndexOfAny", [listOf(char)], int32, (text: string, any: Sequence) => lastIndexOfAny(text, any)],
    [
      "IndexOf",
      [any, int32, int32],
      int32,
      (text: string, part: string, from: number, count: number) => {
        bounds(text, from, count);
        const found = text.slice(from, from + count).indexOf(needed(part));
        return found < 0 ? -1 : found + from;
      },
      { cost: searchCost },
    ],
    [
      "LastIndexOf",
      [any, int32],
      int32,
      (text: string, part: string, from: number) => {
        bounds(text, from);
        return text.slice(0, from + 1).lastIndexOf(needed(part));
      },
      { cost: searchCost },
    ],
    compared("LastIndexOf", int32, (text, part) => text.lastIndexOf(part)),
    ["IsNormalized", [], boolean, (text: string) => text.normalize() === text, cost],
    [
      "ReplaceLineEndings",
      [any],
      string,
      (text: string, by = "\n") => {
        const lines = text.split(/\r\n|[\r\n\f\u0085\u2028\u2029]/);
        admit(text.length + (lines.length - 1) * by.length);
        return lines.join(by);
      },
      { required: 0, ...cost },
    ],
    [
      "ToCharArray",
      [int32, int32],
      listOf(char),
      (text: string, start: number, length: number) => {
        bounds(text, start, length);
        return new Sequence(text.slice(start, start + length).split(""));
      },
      cost,
    ],
    ["Normalize", [], string, (text: string) => text.normalize(), cost],
    ["LastIndexOf", [any], int32, (text: string, part: string) => text.lastIndexOf(needed(part)), { cost: searchCost }],
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
    ["ToUpper", [], string, (text: string) => text.toUpperCase(), cost],
    ["ToLower", [], string, (text: string) => text.toLowerCase(), cost],
    ["ToUpperInvariant", [], string, (text: string) => text.toUpperCase(), cost],
    ["ToLowerInvariant", [], string, (text: string) => text.toLowerCase(), cost],
    ["Trim", [any], string, (text: string, set?: string) => strip(text, set ?? null, "both"), { required: 0, ...cost }],
    [
      "TrimStart",
      [any],
      string,
      (text: string, set?: string) => strip(text, set ?? null, "start"),
      { required: 0, ...cost },
    ],
    [
      "TrimEnd",
      [any],
      string,
      (text: string, set?: string) => strip(text, set ?? null, "end"),
      { required: 0, ...cost },
    ],
    ["Replace", [any, any], string, replaced, cost],
    ["Replace", [any, any, enumType(stringComparison)], string, replaced, cost],
    ["Split", [any], listOf(string), (text: string, by: string | null) => new Sequence(partsOf(text, by)), cost],
    ["Split", [any, int32], listOf(string), splitTo, cost],
    [
      "Split",
      [any, enumType(stringSplitOptions)],
      listOf(string),
      (text: string, by: string | null, options: number) => withOptions(partsOf(text, by), options),
      cost,
    ],
    ["Split", [char, char], listOf(string), (text: string, ...units: readonly string[]) => splitAny(text, units), cost],
    ["Split", [listOf(char)], listOf(string), (text: string, units: Sequence) => splitAny(text, units.items), cost],
    ["PadLeft", [int32, char], string, pad("padStart"), { required: 1, cost: madeCost }],
    ["PadRight", [int32, char], string, pad("padEnd"), { required: 1, cost: madeCost }],
    [
      "Insert",
      [int32, any],
      string,
      (text: string, at: number, part: string) => {
        bounds(text, at);
        admit(text.length + needed(part).length);
        return text.slice(0, at) + part + text.slice(at);
      },
      cost,
    ],
    [
      "Remove",
      [int32, int32],
      string,
      (text: string, start: number, length?: number) => {
        bounds(text, start, length);
        return text.slice(0, start) + (length === undefined ? "" : text.slice(start + length));
      },
      { required: 1, ...cost },
    ],
    ["CompareTo", [any], int32, compareText],
    ["Equals", [any], boolean, (a: string, b: string | null) => a === b],
    ["ToCharArray", [], listOf(char), (text: string) => new Sequence([...text.split("")]), cost],
    ["ToString", [], string, (text: string) => text],
    ["GetHashCode", [], int32, (text: string) => hashText(text), cost],
  ]);
};

/** FNV-1a over UTF-16 units, as an Int32. Stable between runs, which .NET's is not. */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5 | 0;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
};

const compareTexts = (a: string | null, b: string | null): number =>
  a === null ? (b === null ? 0 : -1) : compareText(a, b);

/** `string.…` */
export const stringStatics = (limits: Limits, host: HostAccess): MethodTable => {
  const show = (value: unknown): string => showDynamic(value, host);
  return methodTable([
    ["IsNullOrEmpty", [any], boolean, (text: string | null) => text === null || text === ""],
    ["IsNullOrWhiteSpace", [any], boolean, (text: string | null) => text === null || text.trim() === ""],
    ["Compare", [any, any], int32, compareTexts],
    ["CompareOrdinal", [any, any], int32, compareTexts],
    [
      "Compare",
      [any, any, enumType(stringComparison)],
      int32,
      (a: string | null, b: string | null, comparison: number) =>
        compareTexts(a === null ? null : cased(a, comparison), b === null ? null : cased(b, comparison)),
    ],
    [
      "Compare",
      [any, any, boolean],
      int32,
      (a: string | null, b: string | null, ignoring: boolean) =>
        ignoring ? compareTexts(a === null ? null : upper(a), b === null ? null : upper(b)) : compareTexts(a, b),
    ],
    ["Equals", [any, any], boolean, (a: string | null, b: string | null) => a === b],
    [
      "Equals",
      [any, any, enumType(stringComparison)],
      boolean,
      (a: string | null, b: string | null, comparison: number) =>
        a === null || b === null ? a === b : cased(a, comparison) === cased(b, comparison),
    ],
    ["Join", [any, listOf(dynamic)], string, joined(limits)],
    ...severalOf((values) => ["Join", [any, ...values], string, joinedValues({ limits, show })], 1),
    ...severalOf(
      (values) => ["Concat", values, string, (...parts: readonly unknown[]) => joinAll(parts.map(show), "", limits)],
      1,
    ),
    ...severalOf(
      (values) => [
        "Format",
        [any, ...values],
        string,
        (text: string | null, ...given: readonly unknown[]) =>
          composed(needed(text), { values: given.map((each) => normal(each, host)), show, most: limits.stringLength }),
      ],
      0,
    ),
  ]);
};

/** Most values of a method that takes any number of them. */
const mostValues = 16;

/** A row for each number of values, from `least` up. */
const severalOf = (row: (values: readonly Type[]) => MethodRow, least: number): readonly MethodRow[] =>
  Array.from({ length: mostValues - least + 1 }, (_, index) =>
    row(Array.from({ length: least + index }, () => dynamic)),
  );

const joinAll = (parts: readonly string[], by: string, limits: Limits): string => {
  const length = parts.reduce((sum, part) => sum + part.length + by.length, 0);
  if (length > limits.stringLength + by.length)
    throw fault("text_too_long", `The text would be longer than ${limits.stringLength} characters`);
  return parts.join(by);
};

/** One value that is a list by itself is joined as one. */
const joinedValues =
  ({ limits, show }: { readonly limits: Limits; readonly show: (value: unknown) => string }) =>
  (by: string | null, ...values: readonly unknown[]): string => {
    const [only] = values;
    return joinAll((values.length === 1 && Sequence.is(only) ? only.items : values).map(show), by ?? "", limits);
  };

/** Elements must be text already; the binder shows them first. */
const joined =
  (limits: Limits) =>
  (by: string | null, list: Sequence | null): string => {
    if (list === null) throw fault("null_reference", "The list to join is null");
    const parts = list.items.map((item) => (typeof item === "string" ? item : ""));
    return joinAll(parts, by ?? "", limits);
  };
