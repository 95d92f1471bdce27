/** Cutting strings: `Split`, by one text, by several, by characters. */
import { fault } from "../core/error.ts";
import { stringSplitOptions } from "../type/system-enum.ts";
import { char, enumType, int32, listType, scalar, string, type Type } from "../type/type.ts";
import { Sequence } from "../value/sequence.ts";
import type { MethodRow } from "./method.ts";
import { cased, copyCost, needed } from "./string-search.ts";

const any: Type = scalar("String");

/** The pieces between the places where a text is found, in some case. */
export const splitText = (text: string, part: string, comparison: number): readonly string[] => {
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

const splitByText = (text: string, by: string | null): readonly string[] =>
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
  const parts = splitByText(text, by);
  if (parts.length <= most) return new Sequence(parts);
  return new Sequence(most === 0 ? [] : [...parts.slice(0, most - 1), parts.slice(most - 1).join(by ?? "")]);
};

const cost = { cost: copyCost };

/** The overloads of `Split`. */
export const splitRows: readonly MethodRow[] = [
  ["Split", [any], listType(string), (text: string, by: string | null) => new Sequence(splitByText(text, by)), cost],
  ["Split", [any, int32], listType(string), splitTo, cost],
  [
    "Split",
    [any, enumType(stringSplitOptions)],
    listType(string),
    (text: string, by: string | null, options: number) => withOptions(splitByText(text, by), options),
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
  ["Split", [char, char], listType(string), (text: string, ...units: readonly string[]) => splitAny(text, units), cost],
  ["Split", [listType(char)], listType(string), (text: string, units: Sequence) => splitAny(text, units.items), cost],
];
