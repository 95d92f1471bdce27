/** Enums of .NET that expressions know by their simple names. */
import type { EnumDefinition } from "../value/enum.ts";

const system = (name: string, values: readonly string[]): EnumDefinition => ({
  kind: "enum",
  name,
  fullName: `System.${name}`,
  flags: false,
  underlying: "Int32",
  values: new Map(values.map((value, index) => [value, index])),
});

export const dayOfWeek = system("DayOfWeek", [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
]);

export const stringComparison = system("StringComparison", [
  "CurrentCulture",
  "CurrentCultureIgnoreCase",
  "InvariantCulture",
  "InvariantCultureIgnoreCase",
  "Ordinal",
  "OrdinalIgnoreCase",
]);

export const stringSplitOptions = system("StringSplitOptions", ["None", "RemoveEmptyEntries", "TrimEntries"]);

export const midpointRounding = system("MidpointRounding", [
  "ToEven",
  "AwayFromZero",
  "ToZero",
  "ToNegativeInfinity",
  "ToPositiveInfinity",
]);

/** `StringComparison.Ordinal`. */
export const ordinal = 4;

/** True for the members of StringComparison that ignore case: every second one. */
export const ignoresCase = (comparison: number): boolean => comparison % 2 === 1;

const known: ReadonlyMap<string, EnumDefinition> = new Map(
  [dayOfWeek, stringComparison, stringSplitOptions, midpointRounding].flatMap((each) => [
    [each.name, each],
    [each.fullName, each],
  ]),
);

export const systemEnum = (name: string): EnumDefinition | undefined => known.get(name);
