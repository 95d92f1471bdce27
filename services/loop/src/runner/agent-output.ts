/**
 * Reads what an agent printed: the words of its answer and what they cost, also from the JSON of agents that wrap them, and in those words
 * the report that the prompt asked for. Pure, and never throws: what is not there is not found.
 */

/** The events that an agent reports in its answer. Commands are run by the server. */
export const reportTypes = [
  "SCOUT_OUTPUT",
  "PROPOSALS_REVIEWED",
  "PLAN_SUBMITTED",
  "TICKET_RESULT",
  "PR_CREATED",
] as const;

export type ReportType = (typeof reportTypes)[number];

type Fields = Readonly<Record<string, unknown>>;

/** As an event's payload may have it. */
export interface AgentUsage {
  readonly cost_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

interface AgentAnswer {
  readonly text: string;
  readonly usage: AgentUsage | undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Levels of lists and objects in each other; what is deeper would end the readers that follow, which call themselves. */
const deepest = 100;

const parse = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isShallow = (value: unknown): boolean => {
  let level = [value];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1)
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  return level.length === 0;
};

const amount = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

const count = (value: unknown): number => Math.min(Number.MAX_SAFE_INTEGER, Math.round(amount(value)));

/** `claude -p --output-format json` and `stream-json` end with a result; `codex exec --json` has the agent's messages and turns. */
export const readAnswer = (output: string): AgentAnswer => {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  const whole = parse(output);
  const events = whole === undefined ? lines.map(parse).filter(isFields) : [whole].flat().filter(isFields);
  const result = events.findLast(({ type, result }) => type === "result" && typeof result === "string");
  if (result !== undefined) {
    const usage = isFields(result.usage) ? result.usage : {};
    return { text: String(result.result), usage: toUsage(usage, amount(result.total_cost_usd)) };
  }
  const message = events
    .flatMap(({ type, item }) => (type === "item.completed" && isFields(item) ? [item] : []))
    .findLast(({ type, text }) => type === "agent_message" && typeof text === "string");
  if (message === undefined) return { text: output, usage: undefined };
  const turns = events.flatMap(({ type, usage }) => (type === "turn.completed" && isFields(usage) ? [usage] : []));
  const sum = (field: string): number => turns.reduce((total, turn) => total + count(turn[field]), 0);
  const totals = { input_tokens: sum("input_tokens"), output_tokens: sum("output_tokens") };
  return { text: String(message.text), usage: toUsage(totals, 0) };
};

const toUsage = (usage: Fields, cost: number): AgentUsage => ({
  cost_usd: Math.min(cost, 1e6),
  input_tokens: count(usage.input_tokens),
  output_tokens: count(usage.output_tokens),
});

/** Fields by which a payload without its envelope is known. */
const marks: Readonly<Record<ReportType, readonly string[]>> = {
  SCOUT_OUTPUT: ["proposals"],
  PROPOSALS_REVIEWED: ["reviewed_proposals"],
  PLAN_SUBMITTED: ["files_to_touch", "touched_files"],
  TICKET_RESULT: ["status"],
  PR_CREATED: ["url"],
};

/** Characters at the end of an answer, and lines in them, that are searched for a report outside of a block. */
const searched = { characters: 262_144, lines: 100 } as const;

/** The payload of the last report of that type; one that says its type comes before one that only looks like it. `undefined` where there is none. */
export const findReport = (text: string, type: ReportType): Fields | undefined => {
  for (const read of [readEnvelope, readMarked]) {
    for (const candidate of candidates(text)) {
      const payload = readReport(parse(candidate), (value) => read(value, type));
      if (payload !== undefined) return payload;
    }
  }
  return undefined;
};

interface AgentQuestion {
  readonly text: string;
  /** Whether the answer ends with it. */
  readonly isLast: boolean;
}

/** What the agent wants a person to decide, in place of a report; `undefined` where it asks nothing. */
export const findQuestion = (text: string): AgentQuestion | undefined => {
  for (const candidate of candidates(text)) {
    const found = parse(candidate);
    if (!isFields(found) || found.type !== "QUESTION" || !isFields(found.payload)) continue;
    const { question } = found.payload;
    if (typeof question !== "string" || /^[.\u2026\s]*$/.test(question)) continue;
    return { text: question.trim().slice(0, 8_192), isLast: isAtEnd(candidate, text) };
  }
  return undefined;
};

const isAtEnd = (candidate: string, text: string): boolean => {
  const lines = text.trimEnd().split("\n");
  if (isFence(lines.at(-1) ?? "")) lines.pop();
  return lines.join("\n").trimEnd().endsWith(candidate.trim());
};

const isFence = (line: string): boolean => line.trimStart().startsWith("```");

/** Texts that may be JSON, the most likely first: blocks from the last one, single lines, then all from a line's brace to the last one. */
function* candidates(text: string): Generator<string> {
  yield* fencedBlocks(text).reverse();
  const end = text.slice(-searched.characters);
  const lines = end.split("\n");
  const starts = lines.flatMap((line, index) => (/^\s*[[{]/.test(line) ? [index] : [])).slice(-searched.lines);
  for (const index of [...starts].reverse()) yield lines[index] ?? "";
  const last = end.slice(0, Math.max(end.lastIndexOf("}"), end.lastIndexOf("]")) + 1).split("\n");
  for (const index of starts) yield last.slice(index).join("\n");
}

const fencedBlocks = (text: string): string[] => {
  const blocks: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split("\n")) {
    if (!isFence(line)) open?.push(line);
    else if (open === undefined) open = [];
    else {
      blocks.push(open.join("\n"));
      open = undefined;
    }
  }
  if (open !== undefined) blocks.push(open.join("\n"));
  return blocks;
};

type ReportReader = (value: Fields) => Fields | undefined;

/** A report alone, or the last in a list of them. */
const readReport = (value: unknown, read: ReportReader): Fields | undefined => {
  if (Array.isArray(value)) return value.map((one) => readReport(one, read)).findLast((one) => one !== undefined);
  if (!isFields(value)) return undefined;
  return read(value) ?? (Array.isArray(value.events) ? readReport(value.events, read) : undefined);
};

const readEnvelope = (value: Fields, type: ReportType): Fields | undefined =>
  value.type === type && isFields(value.payload) ? value.payload : undefined;

const readMarked = (value: Fields, type: ReportType): Fields | undefined =>
  "payload" in value || !marks[type].some((mark) => mark in value) ? undefined : value;
