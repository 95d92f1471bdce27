/**
 * What a model reads of an answer, within its limit of tokens. A short answer is left as it is. Of a long one the text is cut where that loses least,
 * and says so: what was left out, and the arguments that get it. `structuredContent` stays whole for programs, and is cut as the text is for clients that
 * show it to the model.
 *
 * Loaded when an answer is long or a call says how long it may be. Not here: results and errors (`result.ts`), and what upstreams answer, which is
 * passed on as it is.
 */
import type { WireError } from "@fairlead/contracts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { failure } from "../../../call/error.ts";
import { isRecord, readMember } from "../../../call/record.ts";
import type { ToolEntry } from "../../../host/manifest.ts";
import { type Cut, cutValue } from "./cut.ts";
import { estimateTokens } from "./tokens.ts";

/** How a call wants its answer. */
export interface AnswerTerms {
  /** Tokens that a model may read of it. */
  readonly limitTokens: number;
  /** The members of the output that it wants, or of the items where the output is a list; all of them when left out. */
  readonly fields?: readonly string[] | undefined;
}

/** Tokens of an answer whose call does not say how many. */
export const defaultTokens = 2_000;
const fewestTokens = 100;
const mostTokens = 200_000;
const mostFields = 64;
const longestField = 128;

/** Where clients that read `structuredContent` alone find what was cut. No output has a field of this name. */
const cutKey = "$cut";

/** By the name of their handshake: clients whose model sees `structuredContent` in place of the text. */
const structuredReaders: ReadonlySet<string> = new Set(["claude-code", "codex-mcp-client"]);

/** Parts the arguments that say how the answer is wanted from those of the procedure. */
export const splitAnswerTerms = (
  input: Readonly<Record<string, unknown>>,
  taken: readonly string[],
): { readonly terms: AnswerTerms; readonly input: unknown } | WireError => {
  const rest: Record<string, unknown> = { ...input };
  let limitTokens = defaultTokens;
  let fields: readonly string[] | undefined;
  if (taken.includes("limitTokens") && rest.limitTokens !== undefined) {
    const wanted = rest.limitTokens;
    if (typeof wanted !== "number" || !Number.isInteger(wanted) || wanted < fewestTokens || wanted > mostTokens)
      return wrong("limitTokens", `a whole number of tokens from ${fewestTokens} to ${mostTokens}`);
    limitTokens = wanted;
    delete rest.limitTokens;
  }
  if (taken.includes("fields") && rest.fields !== undefined) {
    const wanted: unknown = rest.fields;
    if (!Array.isArray(wanted) || wanted.length === 0 || wanted.length > mostFields || !wanted.every(isFieldName))
      return wrong("fields", `a list of 1 to ${mostFields} names of the output's fields`);
    fields = wanted;
    delete rest.fields;
  }
  return { terms: { limitTokens, fields }, input: rest };
};

const isFieldName = (name: unknown): name is string => typeof name === "string" && name.length <= longestField;

const wrong = (path: string, expected: string): WireError =>
  failure("invalid_argument", `${path} must be ${expected}`, {
    issues: [{ path, expected, fix: `send ${expected}, or leave it out` }],
  }).toJSON();

interface Reader {
  readonly entry: ToolEntry;
  readonly terms: AnswerTerms;
  /** The client's name in its handshake. */
  readonly app: string | undefined;
  /** True where the list has complete output schemas, which nothing that is cut would fit. */
  readonly full: boolean;
}

/** The result as this reader gets it. */
export const fitAnswer = (result: CallToolResult, { entry, terms, app, full }: Reader): CallToolResult => {
  const { structuredContent } = result;
  const value = entry.wrapped ? readMember(structuredContent, "value") : structuredContent;
  const picked = terms.fields === undefined ? { value, missing: [] } : pickFields(value, terms.fields);
  const text = toText(picked.value);
  const tokens = estimateTokens(text);
  const note = tokens <= terms.limitTokens ? undefined : { tokens: Math.ceil(tokens / 100) * 100 };
  if (note === undefined && terms.fields === undefined) return result;
  const shorter =
    note === undefined ? { value: picked.value, cuts: [] } : cutValue(picked.value, terms.limitTokens - roomForNote);
  const words = [
    ...(picked.missing.length === 0 ? [] : [missingText(picked.missing, value)]),
    ...(note === undefined ? [] : [cutText(shorter.cuts, { ...note, limit: terms.limitTokens, value, entry })]),
  ].join(" ");
  return {
    ...result,
    content: [
      { type: "text", text: toText(shorter.value) },
      ...(words === "" ? [] : [{ type: "text" as const, text: words }]),
    ],
    ...(!full &&
      app !== undefined &&
      structuredReaders.has(app) && {
        structuredContent: {
          ...toStructured(fitsList(entry, picked.value) ? shorter.value : value, { entry, terms }),
          ...(words !== "" && { [cutKey]: words }),
        },
      }),
  };
};

/** Tokens of what is said beside an answer that was cut. */
const roomForNote = 80;

/** A text alone is no JSON; the rest is. */
const toText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "null"));

/** What a client that checks results by the listed schema takes: cut where the fields that were asked for would not do. */
const toStructured = (
  value: unknown,
  { entry, terms }: Pick<Reader, "entry" | "terms">,
): Readonly<Record<string, unknown>> => {
  const short = cutValue(value, terms.limitTokens - roomForNote).value;
  return entry.wrapped ? { value: short } : isRecord(short) ? short : {};
};

/** True where the fields that were asked for are all that the listed schema requires. */
const fitsList = ({ wrapped, tool }: ToolEntry, value: unknown): boolean => {
  const required = readMember(tool.outputSchema, "required");
  if (wrapped) return !Array.isArray(value);
  return isRecord(value) && (!Array.isArray(required) || required.every((name) => name in value));
};

const pickFields = (
  value: unknown,
  fields: readonly string[],
): { readonly value: unknown; readonly missing: readonly string[] } => {
  const found = new Set<string>();
  const pick = (record: unknown): unknown => {
    if (!isRecord(record)) return record;
    return Object.fromEntries(
      fields.flatMap((name) => {
        if (!Object.hasOwn(record, name)) return [];
        found.add(name);
        return [[name, record[name]]];
      }),
    );
  };
  const picked = Array.isArray(value) ? value.map(pick) : pick(value);
  return { value: picked, missing: isRecord(value) ? fields.filter((name) => !found.has(name)) : [] };
};

const mostNamed = 12;

/** Members of the answer, or of its first item. */
const memberNames = (value: unknown): readonly string[] => {
  const record: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(record) ? Object.keys(record).slice(0, mostNamed) : [];
};

const missingText = (missing: readonly string[], value: unknown): string =>
  `This answer has no ${missing.slice(0, mostNamed).join(", ")}; it has ${memberNames(value).join(", ")}.`;

interface CutNote {
  readonly tokens: number;
  readonly limit: number;
  readonly value: unknown;
  readonly entry: ToolEntry;
}

const mostCuts = 4;

/** What was left out, and the arguments that get it. */
const cutText = (cuts: readonly Cut[], { tokens, limit, value, entry }: CutNote): string => {
  const places = cuts
    .slice(0, mostCuts)
    .map(({ path, kept, of, unit }) => `${path === "" ? "" : `${path}: `}${kept} of ${of} ${unit}`);
  const more = cuts.length > mostCuts ? [`${cuts.length - mostCuts} more places`] : [];
  const { limits, fields } = answerArguments(entry);
  const names = memberNames(value);
  const next = [
    ...(limits && tokens <= mostTokens
      ? [`\`limitTokens\` ${Math.ceil((tokens * 11) / 1_000) * 100} for all of it`]
      : []),
    ...(fields && names.length > 1 ? [`\`fields\` for some of ${names.join(", ")}`] : []),
  ];
  return `Cut to ${limit} tokens of about ${tokens} (${[...places, ...more].join("; ")}).${next.length === 0 ? "" : ` To go on, call again with ${next.join(", or ")}.`}`;
};

const answerArguments = ({ ownArguments = [] }: ToolEntry): { readonly limits: boolean; readonly fields: boolean } => ({
  limits: !ownArguments.includes("limitTokens"),
  fields: !ownArguments.includes("fields"),
});
