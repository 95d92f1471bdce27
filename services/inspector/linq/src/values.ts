/** The values that expressions make, for who shows them: decimals, enums, rows, sequences, and how each is checked and written. */
export { linkedCheck } from "./operator/check.ts";
export { isLanguageValue, normalizeValue } from "./operator/compare.ts";
export { findListing } from "./operator/elements.ts";
export { showDynamic, singleText } from "./operator/text.ts";
export { Decimal } from "./value/decimal.ts";
export { type EnumDefinition, EnumValue, enumName, enumNumber } from "./value/enum.ts";
export { blockedNames, isRow, type Row } from "./value/row.ts";
export { Group, Sequence } from "./value/sequence.ts";
export { SimpleValue } from "./value/simple.ts";
