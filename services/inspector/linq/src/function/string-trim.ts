/** Characters taken off the ends of strings: `Trim`, `TrimStart`, `TrimEnd`. */
import { char, listType, scalar, string, type Type } from "../type/type.ts";
import type { Sequence } from "../value/sequence.ts";
import type { MethodRow } from "./method.ts";
import { copyCost } from "./string-search.ts";

const any: Type = scalar("String");
const cost = { cost: copyCost };

const strip = (text: string, set: string | null, from: "start" | "end" | "both"): string => {
  const isOut = (unit: string): boolean => (set === null ? unit.trim() === "" : set.includes(unit));
  let start = 0;
  let end = text.length;
  if (from !== "end") while (start < end && isOut(text.charAt(start))) start++;
  if (from !== "start") while (end > start && isOut(text.charAt(end - 1))) end--;
  return text.slice(start, end);
};

/** Without an argument white space goes. */
export const trimRows: readonly MethodRow[] = [
  ["Trim", [any], string, (text: string, set?: string) => strip(text, set ?? null, "both"), { required: 0, ...cost }],
  [
    "TrimStart",
    [any],
    string,
    (text: string, set?: string) => strip(text, set ?? null, "start"),
    { required: 0, ...cost },
  ],
  ["TrimEnd", [any], string, (text: string, set?: string) => strip(text, set ?? null, "end"), { required: 0, ...cost }],
  ["Trim", [listType(char)], string, (text: string, set: Sequence) => strip(text, set.items.join(""), "both"), cost],
  [
    "TrimStart",
    [listType(char)],
    string,
    (text: string, set: Sequence) => strip(text, set.items.join(""), "start"),
    cost,
  ],
  ["TrimEnd", [listType(char)], string, (text: string, set: Sequence) => strip(text, set.items.join(""), "end"), cost],
];
