/**
 * Judges a run: were the expected calls made, in their order and with success, was none made that is forbidden, and do the model's last words hold what the
 * task wants. A task is done where all three hold. Pure.
 *
 * Tokens are those of o200k_base: of the tool definitions and instructions, once; of the arguments of each call; and of what the model read of each answer.
 */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { MadeCall, Run } from "./agent.ts";
import type { EvalTask, ExpectedCall } from "./task.ts";

export interface Score {
  readonly task: string;
  /** Each expected call was made. */
  readonly called: boolean;
  /** No forbidden one was. */
  readonly kept: boolean;
  readonly answered: boolean;
  readonly done: boolean;
  readonly calls: number;
  /** Searches for a tool, and those that found the one that was then called. */
  readonly searches: number;
  readonly found: number;
  readonly tokens: Tokens;
}

interface Tokens {
  readonly definitions: number;
  readonly arguments: number;
  readonly answers: number;
}

/** What a name of a call means: a prefix of relayed tools is left out, and a call through another tool is one of its target. */
export interface Reading {
  readonly prefix: string;
  /** True for a tool that destroys. */
  readonly isDestructive: (tool: string) => boolean;
}

export const score = (task: EvalTask, run: Run, reading: Reading): Score => {
  const made = run.calls.flatMap((call) => target(call, reading) ?? []);
  const called = madeInOrder(task.expect, made);
  const kept = !made.some(({ tool }) => isForbidden(task, tool, reading));
  const answered = task.answer.every((pattern) => pattern.test(run.said));
  return {
    task: task.id,
    called,
    kept,
    answered,
    done: called && kept && answered,
    calls: run.calls.length,
    searches: run.calls.filter(isSearch).length,
    found: run.calls.filter((call, at) => isSearch(call) && callers.includes(run.calls[at + 1]?.tool ?? "")).length,
    tokens: {
      definitions: definitionTokens(run),
      arguments: sum(run.calls, ({ tool, input }) => countTokens(tool) + countTokens(JSON.stringify(input ?? {}))),
      answers: sum(run.calls, ({ answer }) => countTokens(answer)),
    },
  };
};

const callers = ["call_read", "call_write", "call_destructive"];

const isSearch = ({ tool }: MadeCall): boolean => tool === "search_tools";

/** The tool that a call is about; none for a search. */
const target = (call: MadeCall, { prefix }: Reading): MadeCall | undefined => {
  const plain = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  if (isSearch(call) || call.tool === "describe_tool") return undefined;
  if (!callers.includes(call.tool)) return { ...call, tool: plain(call.tool) };
  const { name, arguments: input } = Object(call.input);
  return { ...call, tool: plain(String(name)), input };
};

const madeInOrder = (expected: readonly ExpectedCall[], made: readonly MadeCall[]): boolean => {
  let at = 0;
  for (const call of made) {
    const next = expected[at];
    if (next !== undefined && fits(next, call)) at += 1;
  }
  return at === expected.length;
};

const fits = ({ tool, where = {} }: ExpectedCall, call: MadeCall): boolean => {
  if (call.failed || ![tool].flat().includes(call.tool)) return false;
  const sent: Readonly<Record<string, unknown>> = { ...Object(call.input) };
  return Object.entries(where).every(([name, pattern]) => pattern.test(asText(sent[name])));
};

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const isForbidden = ({ forbid = [], expect }: EvalTask, tool: string, { isDestructive }: Reading): boolean =>
  forbid.includes(tool) || (isDestructive(tool) && !expect.some((call) => [call.tool].flat().includes(tool)));

/** The same list is counted once. */
const counted = new WeakMap<Run["tools"], number>();
const byText = new Map<string, number>();

const definitionTokens = ({ tools, instructions }: Run): number => {
  const known = counted.get(tools);
  if (known !== undefined) return known;
  const text = JSON.stringify([
    instructions,
    tools.map(({ name, description, input_schema: schema }) => [name, description, schema]),
  ]);
  const tokens = byText.get(text) ?? countTokens(text);
  byText.set(text, tokens);
  counted.set(tools, tokens);
  return tokens;
};

const sum = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((total, item) => total + value(item), 0);

export interface Summary {
  readonly tasks: number;
  readonly done: number;
  /** Shares from 0 to 1. */
  readonly called: number;
  readonly kept: number;
  readonly answered: number;
  readonly callsPerTask: number;
  /** Share of the searches that found what was called next; `undefined` without any. */
  readonly recall: number | undefined;
  readonly definitions: number;
  /** All tokens of all tasks, by those that were done; infinite without any. */
  readonly tokensPerDone: number;
}

export const summarize = (scores: readonly Score[]): Summary => {
  const share = (key: "called" | "kept" | "answered"): number =>
    scores.filter((one) => one[key]).length / scores.length;
  const done = scores.filter((one) => one.done).length;
  const searches = sum(scores, (one) => one.searches);
  const tokens = sum(scores, ({ tokens: { definitions, arguments: sent, answers } }) => definitions + sent + answers);
  return {
    tasks: scores.length,
    done,
    called: share("called"),
    kept: share("kept"),
    answered: share("answered"),
    recall: searches === 0 ? undefined : sum(scores, ({ found }) => found) / searches,
    callsPerTask: sum(scores, ({ calls }) => calls) / scores.length,
    definitions: sum(scores, (one) => one.tokens.definitions) / scores.length,
    tokensPerDone: done === 0 ? Number.POSITIVE_INFINITY : tokens / done,
  };
};
