/** Limits of two sides on one question: of each the lower counts. */
import type { Limits } from "@fairlead/linq/limits";

/** The program's own limits, lowered to those that came with the question; what is not a number of at least 1 is ignored. */
export const lowerLimits = (own: Limits, sent: unknown): Limits => {
  if (typeof sent !== "object" || sent === null) return own;
  const lower: { -readonly [name in keyof Limits]: number } = { ...own };
  for (const name of Object.keys(own) as (keyof Limits)[]) {
    const value: unknown = Reflect.get(sent, name);
    if (typeof value === "number" && value >= 1) lower[name] = Math.min(own[name], value);
  }
  return lower;
};
