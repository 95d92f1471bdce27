/** `string.…`: what the type itself can do. */
import { fault } from "../core/error.ts";
import type { Limits } from "../core/limits.ts";
import { formatComposite } from "../format/format.ts";
import { normalizeValue } from "../operator/compare.ts";
import { showDynamic } from "../operator/text.ts";
import type { HostAccess } from "../type/host.ts";
import { stringComparison } from "../type/system-enum.ts";
import { boolean, dynamic, enumType, int32, listType, scalar, string, type Type } from "../type/type.ts";
import { Sequence } from "../value/sequence.ts";
import { type MethodRow, type MethodTable, methodTable } from "./method.ts";
import { bounds, cased, compareText, needed, upper } from "./string-search.ts";

const any: Type = scalar("String");

const compareTexts = (a: string | null, b: string | null): number =>
  a === null ? (b === null ? 0 : -1) : compareText(a, b);

/** `Compare(a, atA, b, atB, length[, ignoreCase])`: at most so many characters of two texts, each from a place on. */
const compareParts = (
  a: string | null,
  atA: number,
  b: string | null,
  atB: number,
  ...[length = 0, ignoring = false]: readonly [number?, boolean?]
): number => {
  if (length < 0) throw fault("out_of_range", "The length must not be negative");
  const part = (text: string | null, at: number): string | null => {
    if (text === null) return null;
    bounds(text, at);
    const cut = text.slice(at, at + length);
    return ignoring ? upper(cut) : cut;
  };
  return compareTexts(part(a, atA), part(b, atB));
};

/** The static methods of strings. */
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
    ["Compare", [any, int32, any, int32, int32, boolean], int32, compareParts, { required: 5 }],
    ["CompareOrdinal", [any, int32, any, int32, int32], int32, compareParts],
    ["Join", [any, listType(dynamic)], string, joinText(limits)],
    [
      "Join",
      [any, listType(dynamic), int32, int32],
      string,
      (by: string | null, list: Sequence | null, start: number, count: number) => {
        const items = list?.items ?? [];
        if (start < 0 || count < 0 || start + count > items.length)
          throw fault("out_of_range", "Start and count must lie within the list");
        return joinText(limits)(by, new Sequence(items.slice(start, start + count)));
      },
    ],
    ...repeatParameters((values) => ["Join", [any, ...values], string, joinValues({ limits, show })], 1),
    ...repeatParameters(
      (values) => ["Concat", values, string, (...parts: readonly unknown[]) => joinAll(parts.map(show), "", limits)],
      1,
    ),
    ...repeatParameters(
      (values) => [
        "Format",
        [any, ...values],
        string,
        (text: string | null, ...given: readonly unknown[]) =>
          formatComposite(needed(text), {
            values: given.map((each) => normalizeValue(each, host)),
            show,
            most: limits.stringLength,
          }),
      ],
      0,
    ),
  ]);
};

/** Most values of a method that takes any number of them. */
const mostValues = 16;

/** A row for each number of values, from `least` up. */
const repeatParameters = (row: (values: readonly Type[]) => MethodRow, least: number): readonly MethodRow[] =>
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
const joinValues =
  ({ limits, show }: { readonly limits: Limits; readonly show: (value: unknown) => string }) =>
  (by: string | null, ...values: readonly unknown[]): string => {
    const [only] = values;
    return joinAll((values.length === 1 && Sequence.is(only) ? only.items : values).map(show), by ?? "", limits);
  };

/** Elements must be text already; the binder shows them first. */
const joinText =
  (limits: Limits) =>
  (by: string | null, list: Sequence | null): string => {
    if (list === null) throw fault("null_reference", "The list to join is null");
    const parts = list.items.map((item) => (typeof item === "string" ? item : ""));
    return joinAll(parts, by ?? "", limits);
  };
