/** What differs between two answers to one question. Members and elements are compared by their name, key or place. */
import type { Json } from "../encode/encode.ts";

/** One place that differs; `before` or `after` is absent where there was or is nothing. */
export interface AnswerChange {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** Fields of an answer that say something about the answer and not about the program. */
const asides: ReadonlySet<string> = new Set(["handle", "hint", "note", "pause", "slowMs", "cut"]);

/** All changes, in the order of the answers. */
export const findChanges = (before: Json, after: Json): readonly AnswerChange[] => {
  const found: AnswerChange[] = [];
  compare(before, after, { path: "", found });
  return found;
};

interface ComparePlace {
  readonly path: string;
  readonly found: AnswerChange[];
}

const compare = (before: Json | undefined, after: Json | undefined, { path, found }: ComparePlace): void => {
  const [left, right] = [namedParts(before), namedParts(after)];
  if (left === undefined || right === undefined) {
    if (before === after || (left === undefined && right === undefined && Object.is(before, after))) return;
    found.push({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
    return;
  }
  for (const [name, part] of left) compare(part, right.get(name), { path: path + name, found });
  for (const [name, part] of right) if (!left.has(name)) compare(undefined, part, { path: path + name, found });
};

/** Parts of a list or object by what they are called in a path; undefined for anything else. */
const namedParts = (value: Json | undefined): ReadonlyMap<string, Json> | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return byPlace(value);
  const entries = Object.entries(value).filter(([name]) => !asides.has(name));
  return new Map(entries.map(([name, part]) => [`.${name}`, part as Json]));
};

const byPlace = (list: readonly Json[]): ReadonlyMap<string, Json> => {
  const parts = new Map<string, Json>();
  for (const [index, part] of list.entries()) {
    const name = identity(part);
    parts.set(name === undefined || parts.has(`[${name}]`) ? `[${index}]` : `[${name}]`, part);
  }
  return parts;
};

/** What a member or an element of a map is called. */
const identity = (part: Json): string | undefined => {
  if (typeof part !== "object" || part === null || !("kind" in part || "type" in part)) return undefined;
  if ("name" in part && typeof part.name === "string") return part.name;
  return "key" in part ? JSON.stringify(part.key) : undefined;
};
