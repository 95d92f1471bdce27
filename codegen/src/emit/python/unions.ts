/** Literals and unions of Python types, as text. Pure. Not here: what they are made from (`types`). */
import { pythonString } from "./text.ts";

/** `Literal` takes texts, whole numbers and truth values; any other number is one. */
export const literal = (values: readonly unknown[]): string => {
  const literals = values.flatMap((value) => {
    if (typeof value === "string") return [pythonString(value)];
    if (typeof value === "boolean") return [value ? "True" : "False"];
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? [String(value)] : [];
  });
  const others = values.flatMap((value) => {
    if (value === null) return ["None"];
    if (typeof value === "number") return Number.isSafeInteger(value) && !Object.is(value, -0) ? [] : ["float"];
    return typeof value === "object" ? ["object"] : [];
  });
  return union([...(literals.length === 0 ? [] : [`Literal[${[...new Set(literals)].join(", ")}]`]), ...others]);
};

/** Branches without repeats; `None` last, as people write it. */
export const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  if (distinct.includes("object")) return "object";
  return distinct.toSorted((a, b) => Number(a === "None") - Number(b === "None")).join(" | ");
};
