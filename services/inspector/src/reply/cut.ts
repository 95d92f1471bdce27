/**
 * Answers within a bound in tokens: whole rows, elements and members from the start, and how to go on. Only what is said is cut; what was asked of
 * the program is the same.
 */
import type { Json } from "../encode/encode.ts";
import type { ToolName } from "../protocol/message.ts";
import { countTokens } from "./tokens.ts";

/** What a cut answer says. */
interface CutInfo {
  /** Rows, elements or members in this answer. */
  readonly shown: number;
  /** Those there are, as far as they were counted. */
  readonly of: number;
  /** Fields of the input that ask for the rest. */
  readonly next: Readonly<Record<string, string | number>>;
}

type JsonFields = Readonly<Record<string, Json>>;

interface CutRequest {
  readonly tool: ToolName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly maxTokens: number;
}

/** Tokens for the cut itself. */
const reserved = 40;

/** The answer, or as much of it as the bound allows. */
export const cutAnswer = (answer: Json, request: CutRequest): Json => {
  if (countTokens(answer) <= request.maxTokens) return answer;
  const room = request.maxTokens - reserved;
  switch (request.tool) {
    case "query":
      return isObject(answer) ? cutRows(answer, request, room) : answer;
    case "explore":
      return isObject(answer) ? cutParts(answer, request, room) : answer;
    case "eval":
      return cutEvaluation(answer, request, room);
  }
};

const isObject = (value: Json | undefined): value is JsonFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const asNumber = (value: unknown): number => (typeof value === "number" ? value : 0);

/** How many of the parts fit into the room. */
const countFitting = (parts: readonly Json[], room: number): number => {
  let left = room;
  let shown = 0;
  for (const part of parts) {
    left -= countTokens(part);
    if (left < 0) break;
    shown++;
  }
  return shown;
};

interface Rest {
  readonly shown: number;
  /** Tokens that the parts had. */
  readonly left: number;
  /** The first part that does not fit. */
  readonly first: Json | undefined;
}

/** Fields that ask for the rest. Where not even one part fits, more room is the only way on. */
const goOn = ({ shown, left, first }: Rest, { maxTokens }: CutRequest, next: CutInfo["next"]): CutInfo["next"] =>
  shown > 0 ? next : { ...next, maxTokens: Math.ceil(maxTokens - left + countTokens(first)) };

const tooNarrow = (first: Json | undefined, what: string): string =>
  `the first ${what} alone needs about ${countTokens(first)} tokens: ask for less of it, or raise maxTokens`;

/** Joins sentences, the missing ones left out. */
const joined = (...texts: readonly (Json | undefined)[]): string =>
  texts.filter((text) => typeof text === "string" && text !== "").join("; ");

const cutRows = ({ counts, ...answer }: JsonFields, request: CutRequest, room: number): JsonFields => {
  const rows = asList(answer.rows);
  const left = room - countTokens({ ...answer, rows: [] });
  const allCounts = asList(counts);
  // The counts say more than the rows that they count.
  const shownCounts = allCounts.slice(0, countFitting(allCounts, left / 2));
  const leftForRows = left - countTokens(shownCounts);
  const shown = countFitting(rows, leftForRows);
  const skipped = asNumber(request.input.skip);
  const next = goOn({ shown, left: leftForRows, first: rows[0] }, request, { skip: skipped + shown });
  const cut: CutInfo = { shown, of: asNumber(answer.matched), next };
  const isCut = shown < rows.length;
  const note = shown === 0 && isCut ? { note: joined(answer.note, tooNarrow(rows[0], "row")) } : {};
  return {
    ...answer,
    rows: rows.slice(0, shown),
    count: shown,
    ...(counts === undefined ? {} : { counts: shownCounts }),
    ...note,
    ...(isCut ? { more: true, cut: asJson(cut) } : {}),
  };
};

/** Lists of an answer of `explore`, in the order in which `offset` counts them. */
const exploredLists = ["types", "members", "items", "changes"] as const;

const cutParts = ({ methods, ...answer }: JsonFields, request: CutRequest, room: number): JsonFields => {
  const lists = exploredLists.filter((name) => answer[name] !== undefined);
  const parts = lists.flatMap((name) => asList(answer[name]).map((part) => ({ name, part })));
  const head = { ...answer, ...Object.fromEntries(lists.map((name) => [name, []])) };
  const left = room - countTokens(head);
  const shown = countFitting(
    parts.map(({ part }) => part),
    left,
  );
  const kept = parts.slice(0, shown);
  const made: JsonFields = {
    ...answer,
    ...Object.fromEntries(
      lists.map((name) => [name, kept.filter((each) => each.name === name).map(({ part }) => part)]),
    ),
  };
  const isCut = shown < parts.length;
  const fitsMethods = methods !== undefined && !isCut && countTokens({ ...made, methods }) <= room;
  const withoutMethods = methods === undefined || fitsMethods ? undefined : "methods are left out: raise maxTokens";
  const offset = asNumber(request.input.offset);
  const cut: CutInfo = {
    shown,
    of: offset + parts.length + asNumber(answer.more),
    next: goOn({ shown, left, first: parts[0]?.part }, request, { offset: offset + shown }),
  };
  const hint = joined(
    answer.hint,
    isCut && shown === 0 ? tooNarrow(parts[0]?.part, "member") : undefined,
    withoutMethods,
  );
  return {
    ...made,
    ...(fitsMethods ? { methods } : {}),
    ...(hint === "" ? {} : { hint }),
    ...(isCut ? { cut: asJson(cut) } : {}),
  };
};

/** The named boundary: an interface of plain data is JSON. */
const asJson = ({ shown, of, next }: CutInfo): Json => ({ shown, of, next });

const cutEvaluation = (answer: Json, request: CutRequest, room: number): Json => {
  const expr = String(request.input.expr);
  if (request.input.pause === true && isObject(answer))
    return { ...answer, value: cutEvaluation(answer.value ?? null, { ...request, input: { expr } }, room) };
  if (typeof answer === "string") return cutText(answer, expr, room);
  if (!isObject(answer)) return answer;
  const isCollection = typeof answer.count === "number";
  if (isCollection && Array.isArray(answer.items)) return cutList(answer, request, room);
  if (isCollection && isObject(answer.entries)) return cutEntries(answer, answer.entries, { request, room });
  const members = Object.entries(answer);
  const shown = countFitting(members, room);
  const next = goOn({ shown, left: room, first: members[0] }, request, { target: expr, offset: shown });
  return { ...Object.fromEntries(members.slice(0, shown)), $cut: asJson({ shown, of: members.length, next }) };
};

/** Half of a character at the end is left out. */
const cutText = (text: string, expr: string, room: number): Json => {
  let shown = Math.min(text.length, Math.max(0, room));
  while (shown > 0 && countTokens(text.slice(0, shown)) > room) shown = Math.floor(shown / 2);
  if (!text.slice(0, shown).isWellFormed()) shown--;
  const cut = asJson({ shown, of: text.length, next: { expr: `(${expr}).Substring(${shown})` } });
  return { value: text.slice(0, shown), cut };
};

const cutElements = ({ count }: JsonFields, rest: Rest, request: CutRequest): Json => {
  const expr = String(request.input.expr);
  return asJson({
    shown: rest.shown,
    of: asNumber(count),
    next: goOn(rest, request, rest.shown > 0 ? { expr: `(${expr}).Skip(${rest.shown})` } : { expr }),
  });
};

const cutList = ({ more: _, ...answer }: JsonFields, request: CutRequest, room: number): Json => {
  const items = asList(answer.items);
  const left = room - countTokens({ ...answer, items: [] });
  const shown = countFitting(items, left);
  const cut = cutElements(answer, { shown, left, first: items[0] }, request);
  return { ...answer, items: items.slice(0, shown), cut };
};

const cutEntries = (
  { more: _, ...answer }: JsonFields,
  entries: JsonFields,
  { request, room }: { readonly request: CutRequest; readonly room: number },
): Json => {
  const all = Object.entries(entries);
  const left = room - countTokens({ ...answer, entries: {} });
  const shown = countFitting(all, left);
  const cut = cutElements(answer, { shown, left, first: all[0] }, request);
  return { ...answer, entries: Object.fromEntries(all.slice(0, shown)), cut };
};
