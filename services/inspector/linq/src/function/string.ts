/** Methods of strings. Comparison is ordinal; what could grow is measured before it is made. */
import { fault } from "../core/error.ts";
import type { Limits } from "../core/limits.ts";
import { ordinal, stringComparison, stringSplitOptions } from "../type/system-enum.ts";
import { boolean, char, enumType, int32, listType, scalar, string, type Type } from "../type/type.ts";
import { Sequence } from "../value/sequence.ts";
import { type MethodTable, methodTable } from "./method.ts";
import { bounds, cased, compareText, needed, searchRows } from "./string-search.ts";

const any: Type = scalar("String");

const copyCost = (text: unknown): number => (typeof text === "string" ? text.length >> 4 : 0);
const madeCost = (_: unknown, length: unknown): number =>
  typeof length === "number" ? Math.min(Math.max(length, 0), 1 << 20) >> 4 : 0;

const strip = (text: string, set: string | null, from: "start" | "end" | "both"): string => {
  const isOut = (unit: string): boolean => (set === null ? unit.trim() === "" : set.includes(unit));
  let start = 0;
  let end = text.length;
  if (from !== "end") while (start < end && isOut(text.charAt(start))) start++;
  if (from !== "start") while (end > start && isOut(text.charAt(end - 1))) end--;
  return text.slice(start, end);
};

/** The pieces between the places where a text is found, in some case. */
const splitText = (text: string, part: string, comparison: number): readonly string[] => {
  const [where, what] = [cased(text, comparison), cased(part, comparison)];
  const pieces: string[] = [];
  let from = 0;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, from)) {
    pieces.push(text.slice(from, at));
    from = at + what.length;
  }
  return [...pieces, text.slice(from)];
};

/** Cut at whichever of the texts comes first; of two at one place, at the one that is named first. */
const splitBySeveral = (text: string, by: readonly string[]): readonly string[] => {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const found = by.find((each) => each !== "" && text.startsWith(each, at));
    if (found === undefined) {
      at++;
      continue;
    }
    parts.push(text.slice(from, at));
    at += found.length;
    from = at;
  }
  return [...parts, text.slice(from)];
};

const removesEmpty = 1;
const trimsEntries = 2;

const withOptions = (parts: readonly string[], options: number): Sequence => {
  const trimmed = (options & trimsEntries) === 0 ? parts : parts.map((part) => part.trim());
  return new Sequence((options & removesEmpty) === 0 ? trimmed : trimmed.filter((part) => part !== ""));
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
    const pieces = splitText(text, part, comparison);
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
  /** A text of the host's may be longer than one that is made. */
  const copy =
    (change: (text: string) => string) =>
    (text: string): string => {
      admit(text.length);
      return change(text);
    };
  return methodTable([
    ...searchRows,
    ["IsNormalized", [], boolean, (text: string) => text.normalize() === text, cost],
    [
      "ReplaceLineEndings",
      [any],
      string,
      (text: string, given: string | null = "\n") => {
        const by = given ?? "";
        const lines = text.split(/\r\n|[\r\n\f\u0085\u2028\u2029]/);
        admit(text.length + (lines.length - 1) * by.length);
        return lines.join(by);
      },
      { required: 0, ...cost },
    ],
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
    ["Normalize", [], string, copy((text) => text.normalize()), cost],
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
    ["ToUpper", [], string, copy((text) => text.toUpperCase()), cost],
    ["ToLower", [], string, copy((text) => text.toLowerCase()), cost],
    ["ToUpperInvariant", [], string, copy((text) => text.toUpperCase()), cost],
    ["ToLowerInvariant", [], string, copy((text) => text.toLowerCase()), cost],
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
    ["Trim", [listType(char)], string, (text: string, set: Sequence) => strip(text, set.items.join(""), "both"), cost],
    [
      "TrimStart",
      [listType(char)],
      string,
      (text: string, set: Sequence) => strip(text, set.items.join(""), "start"),
      cost,
    ],
    [
      "TrimEnd",
      [listType(char)],
      string,
      (text: string, set: Sequence) => strip(text, set.items.join(""), "end"),
      cost,
    ],
    ["Replace", [any, any], string, replaced, cost],
    ["Replace", [any, any, enumType(stringComparison)], string, replaced, cost],
    ["Split", [any], listType(string), (text: string, by: string | null) => new Sequence(partsOf(text, by)), cost],
    ["Split", [any, int32], listType(string), splitTo, cost],
    [
      "Split",
      [any, enumType(stringSplitOptions)],
      listType(string),
      (text: string, by: string | null, options: number) => withOptions(partsOf(text, by), options),
      cost,
    ],
    [
      "Split",
      [any, int32, enumType(stringSplitOptions)],
      listType(string),
      (text: string, by: string | null, most: number, options: number) =>
        withOptions(splitTo(text, by, most).items.map(String), options),
      cost,
    ],
    [
      "Split",
      [listType(string), enumType(stringSplitOptions)],
      listType(string),
      (text: string, by: Sequence, options: number) =>
        withOptions(
          splitBySeveral(
            text,
            by.items.map((each) => needed(each)),
          ),
          options,
        ),
      cost,
    ],
    [
      "Split",
      [char, char],
      listType(string),
      (text: string, ...units: readonly string[]) => splitAny(text, units),
      cost,
    ],
    ["Split", [listType(char)], listType(string), (text: string, units: Sequence) => splitAny(text, units.items), cost],
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
        if (length !== undefined) admit(text.length - length);
        return text.slice(0, start) + (length === undefined ? "" : text.slice(start + length));
      },
      { required: 1, ...cost },
    ],
    ["CompareTo", [any], int32, compareText],
    ["Clone", [], string, (text: string) => text],
    ["Equals", [any], boolean, (a: string, b: string | null) => a === b],
    ["ToCharArray", [], listType(char), (text: string) => new Sequence([...text.split("")]), cost],
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
