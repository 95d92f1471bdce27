/** What differs between two answers to one question. Members and elements are compared by their name, key or place. */
import type { Json } from "../encode/encode.ts";
import type { ToolName } from "../protocol/message.ts";

/** One place that differs; `before` or `after` is absent where there was or is nothing. */
export interface AnswerChange {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** All changes, in the order of the answers, of which the tool says where they speak of themselves. */
export const findChanges = (before: Json, after: Json, tool: ToolName): readonly AnswerChange[] => {
  const found: AnswerChange[] = [];
  compare(withoutAsides(before, tool), withoutAsides(after, tool), { path: "", found });
  return found;
};

/** Fields of an answer of `explore` and `query` that say something about the answer; inside, such names are the program's own. */
const asides: ReadonlySet<string> = new Set(["handle", "hint", "note", "pause", "cut"]);

/** An answer of `eval` is the program's value and nothing else: what is watched has no pause. */
const withoutAsides = (answer: Json, tool: ToolName): Json => {
  if (tool === "eval" || !isFields(answer)) return answer;
  const rest = omit(answer, (name) => asides.has(name));
  return tool === "explore" ? withoutTimes(rest) : rest;
};

/** Without how long reading took, which only members and elements of `explore` have; their values stay as they are. */
const withoutTimes = (part: Json): Json => {
  if (!isFields(part)) return part;
  const { members, items } = part;
  return {
    ...omit(part, (name) => name === "slowMs"),
    ...(Array.isArray(members) && { members: members.map(withoutTimes) }),
    ...(Array.isArray(items) && { items: items.map(withoutTimes) }),
  };
};

interface AnswerParts {
  readonly [name: string]: Json;
}

const isFields = (value: Json): value is AnswerParts =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const omit = (fields: AnswerParts, isOmitted: (name: string) => boolean): AnswerParts =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isOmitted(name)));

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
  return new Map(Object.entries(value).map(([name, part]) => [`.${name}`, part as Json]));
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
