/** Static methods of characters. */
import { boolean, char, double } from "../type/type.ts";
import { type MethodRow, methodTable } from "./method.ts";
import { propertyTable } from "./property.ts";
import type { StaticMembers } from "./statics.ts";

const is = (name: string, kind: RegExp): MethodRow => [name, [char], boolean, (value: string) => kind.test(value)];

/** @NOTE The patterns are ours, and meet one character. */
export const characters: StaticMembers = {
  properties: propertyTable([
    ["MinValue", char, () => "\0"],
    ["MaxValue", char, () => "\uffff"],
  ]),
  methods: methodTable([
    is("IsDigit", /\p{Nd}/u),
    is("IsNumber", /\p{N}/u),
    is("IsLetter", /\p{L}/u),
    is("IsLetterOrDigit", /[\p{L}\p{Nd}]/u),
    is("IsUpper", /\p{Lu}/u),
    is("IsLower", /\p{Ll}/u),
    is("IsPunctuation", /\p{P}/u),
    is("IsSymbol", /\p{S}/u),
    is("IsControl", /\p{Cc}/u),
    is("IsWhiteSpace", /\s/u),
    is("IsSeparator", /\p{Z}/u),
    is("IsAscii", /[\0-\x7f]/),
    is("IsAsciiDigit", /[0-9]/),
    is("IsAsciiLetter", /[A-Za-z]/),
    is("IsAsciiLetterOrDigit", /[A-Za-z0-9]/),
    is("IsAsciiHexDigit", /[0-9A-Fa-f]/),
    is("IsSurrogate", /[\ud800-\udfff]/),
    [
      "IsBetween",
      [char, char, char],
      boolean,
      (value: string, low: string, high: string) => low <= value && value <= high,
    ],
    ["GetNumericValue", [char], double, (value: string) => (/\d/.test(value) ? Number(value) : -1)],
    ["ToUpperInvariant", [char], char, (value: string) => value.toUpperCase().charAt(0)],
    ["ToLowerInvariant", [char], char, (value: string) => value.toLowerCase().charAt(0)],
    ["ToUpper", [char], char, (value: string) => value.toUpperCase().charAt(0)],
    ["ToLower", [char], char, (value: string) => value.toLowerCase().charAt(0)],
  ]),
};
