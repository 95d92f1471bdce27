/**
 * Whether an answer is too deep or too large to be sent: writing it down could overflow the stack, or hold everybody up for seconds.
 *
 * Not here: inputs, which are measured exactly (`scan.ts`).
 */
import type { OutputLimits } from "@fairlead/contracts";

const tooDeep = Number.NEGATIVE_INFINITY;

/** The limit that the value passes, if it passes one. Sizes are taken at their least: a character is a byte. */
export const exceededLimit = (value: unknown, { bytes, depth }: OutputLimits): "bytes" | "depth" | undefined => {
  const left = spend(value, bytes, depth);
  return left >= 0 ? undefined : left === tooDeep ? "depth" : "bytes";
};

/** What is left of the bytes once the value is paid for; below zero when they do not do. The depth bounds the recursion. */
const spend = (value: unknown, bytes: number, depth: number): number => {
  if (typeof value === "string") return bytes - value.length - 2;
  if (typeof value !== "object" || value === null) return bytes - 1;
  if (depth === 0) return tooDeep;
  let left = bytes - 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = spend(item, left - 1, depth - 1);
      if (left < 0) return left;
    }
    return left;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) {
    left = spend(members[key], left - key.length - 4, depth - 1);
    if (left < 0) return left;
  }
  return left;
};
