/** Methods that make another string. What could grow is measured before it is made. */
import { fault } from "../core/error.ts";
import type { Limits } from "../core/limits.ts";
import { ordinal, stringComparison } from "../type/system-enum.ts";
import { char, enumType, int32, scalar, string, type Type } from "../type/type.ts";
import type { MethodRow } from "./method.ts";
import { bounds, copyCost, needed } from "./string-search.ts";
import { splitText } from "./string-split.ts";

const any: Type = scalar("String");
const cost = { cost: copyCost };

const padCost = (_: unknown, length: unknown): number =>
  typeof length === "number" ? Math.min(Math.max(length, 0), 1 << 20) >> 4 : 0;

/** Throws before a text is made that would be too long. */
type Admit = (length: number) => void;

const admitter =
  ({ stringLength }: Limits): Admit =>
  (length) => {
    if (length > stringLength) throw fault("text_too_long", `The text would be longer than ${stringLength} characters`);
  };

const padder =
  (side: "padStart" | "padEnd", admit: Admit) =>
  (text: string, width: number, fill: string | undefined): string => {
    if (width < 0) throw fault("out_of_range", "The width must not be negative");
    admit(width);
    return text[side](width, fill ?? " ");
  };

const replacer =
  (admit: Admit) =>
  (text: string, part: string | null, by: string | null, comparison = ordinal): string => {
    if (part === null || part === "") throw fault("wrong_arguments", "The text to replace must not be empty");
    const pieces = splitText(text, part, comparison);
    const put = by ?? "";
    admit(text.length + (pieces.length - 1) * (put.length - part.length));
    return pieces.join(put);
  };

/** A text of the host's may be longer than one that is made. */
const copier =
  (admit: Admit) =>
  (change: (text: string) => string) =>
  (text: string): string => {
    admit(text.length);
    return change(text);
  };

/** Rows for texts up to a limit. */
export const changeRows = (limits: Limits): readonly MethodRow[] => {
  const admit = admitter(limits);
  return [...copyRows(admit), ...replaceRows(admit), ...padRows(admit), ...editRows(admit)];
};

const copyRows = (admit: Admit): readonly MethodRow[] => {
  const copy = copier(admit);
  return [
    ["Normalize", [], string, copy((text) => text.normalize()), cost],
    ["ToUpper", [], string, copy((text) => text.toUpperCase()), cost],
    ["ToLower", [], string, copy((text) => text.toLowerCase()), cost],
    ["ToUpperInvariant", [], string, copy((text) => text.toUpperCase()), cost],
    ["ToLowerInvariant", [], string, copy((text) => text.toLowerCase()), cost],
  ];
};

const replaceRows = (admit: Admit): readonly MethodRow[] => {
  const replace = replacer(admit);
  return [
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
    ["Replace", [any, any], string, replace, cost],
    ["Replace", [any, any, enumType(stringComparison)], string, replace, cost],
  ];
};

const padRows = (admit: Admit): readonly MethodRow[] => [
  ["PadLeft", [int32, char], string, padder("padStart", admit), { required: 1, cost: padCost }],
  ["PadRight", [int32, char], string, padder("padEnd", admit), { required: 1, cost: padCost }],
];

const editRows = (admit: Admit): readonly MethodRow[] => [
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
];
