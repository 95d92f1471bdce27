/**
 * Words with a meaning of their own. All are case-insensitive; type names are not. Members win over type names and lose against
 * keywords, as in the library: `it.Parent` and `@Parent` reach a member called Parent.
 */
import type { ScopeNode } from "./ast.ts";

export const scopeWords: Readonly<Record<string, ScopeNode["word"]>> = {
  it: "it",
  $: "it",
  parent: "parent",
  "^": "parent",
  root: "root",
  "~": "root",
};

/** Words for comparison signs. */
export const comparisonWords: Readonly<Record<string, "==" | "!=" | "<" | "<=" | ">" | ">=">> = {
  eq: "==",
  equal: "==",
  ne: "!=",
  neq: "!=",
  notequal: "!=",
  lt: "<",
  lessthan: "<",
  le: "<=",
  lessthanequal: "<=",
  gt: ">",
  greaterthan: ">",
  ge: ">=",
  greaterthanequal: ">=",
};

/** Types every expression knows, with the short names of C#. Case-sensitive. */
export const predefinedTypes: Readonly<Record<string, string>> = {
  Boolean: "Boolean",
  bool: "Boolean",
  String: "String",
  string: "String",
  Char: "Char",
  char: "Char",
  SByte: "SByte",
  sbyte: "SByte",
  Byte: "Byte",
  byte: "Byte",
  Int16: "Int16",
  short: "Int16",
  UInt16: "UInt16",
  ushort: "UInt16",
  Int32: "Int32",
  int: "Int32",
  UInt32: "UInt32",
  uint: "UInt32",
  Int64: "Int64",
  long: "Int64",
  UInt64: "UInt64",
  ulong: "UInt64",
  Single: "Single",
  float: "Single",
  Double: "Double",
  double: "Double",
  Decimal: "Decimal",
  decimal: "Decimal",
  DateTime: "DateTime",
  DateTimeOffset: "DateTime",
  TimeSpan: "TimeSpan",
  DateOnly: "DateOnly",
  TimeOnly: "TimeOnly",
  Guid: "Guid",
  Uri: "Uri",
  Math: "Math",
  Convert: "Convert",
  Enum: "Enum",
  Regex: "Regex",
};

/** Types that only have static members: no value is of them. */
export const isStaticType = (canonical: string): boolean => ["Math", "Convert", "Enum", "Regex"].includes(canonical);

/** The canonical name of a predefined type; `System.` in front is allowed. */
export const predefinedType = (name: string): string | undefined => {
  const bare = name.startsWith("System.") ? name.slice(7) : name;
  return Object.hasOwn(predefinedTypes, bare) ? predefinedTypes[bare] : undefined;
};
