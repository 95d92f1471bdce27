/**
 * Scripted models. `right` does each task by its script, with whatever tools it is shown: where these are searched, it can only call what its search finds.
 * The others each do one thing wrong, and show that the score falls.
 *
 * A brain keeps nothing: what it did so far is in the request.
 */
import { type Message, type ModelBlock, type ModelRequest, toolResults, toolUses } from "./messages.ts";
import type { Brain } from "./stand-in.ts";
import type { EvalTask, Step } from "./task.ts";
import { relayedPrefix } from "./world.ts";

/** What a model has done so far, and read. */
interface Past {
  readonly name: string;
  readonly answer: string;
}

const past = (messages: readonly Message[]): readonly Past[] =>
  messages.flatMap((message, at) => {
    if (message.role === "user") return [];
    const results = toolResults(messages[at + 1]);
    return toolUses(message.content).map(({ id, name }) => ({
      name,
      answer: results.find((result) => result.tool_use_id === id)?.content ?? "",
    }));
  });

const use = (request: ModelRequest, name: string, input: unknown): readonly ModelBlock[] => [
  { type: "tool_use", id: `toolu_${request.messages.length}_${name.length}`, name, input },
];

const say = (text: string): readonly ModelBlock[] => [{ type: "text", text }];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const has = ({ tools = [] }: ModelRequest, name: string): boolean => tools.some((tool) => tool.name === name);

const inputOf = ({ input }: Step, answers: readonly Past[]): unknown =>
  typeof input === "function" ? input(answers.map(({ answer }) => parsed(answer))) : input;

/** Of a task in words; a request that is none of them is a fault of the harness. */
const makeFinder = (tasks: readonly EvalTask[]): ((request: ModelRequest) => EvalTask) => {
  const byAsk = new Map(tasks.map((task) => [task.ask, task]));
  return ({ messages: [first] }) => {
    const task = typeof first?.content === "string" ? byAsk.get(first.content) : undefined;
    if (task === undefined) throw new Error("nobody asked that");
    return task;
  };
};

/** It quotes what the tools answered. */
const report = (answers: readonly Past[]): readonly ModelBlock[] =>
  say(`Done: ${answers.map(({ answer }) => answer).join("\n")}`);

const relayed = (request: ModelRequest, tool: string): string =>
  has(request, tool) ? tool : `${relayedPrefix}${tool}`;

const direct = (request: ModelRequest, { script }: EvalTask): readonly ModelBlock[] => {
  const done = past(request.messages);
  const step = script[done.length];
  if (step === undefined) return report(done);
  return use(request, relayed(request, step.tool), inputOf(step, done));
};

/** A search and a call for each step. */
const searching = (request: ModelRequest, { script, ask }: EvalTask): readonly ModelBlock[] => {
  const done = past(request.messages);
  const called = done.filter(({ name }) => name !== "search_tools");
  const step = script[called.length];
  if (step === undefined) return report(called);
  const last = done.at(-1);
  if (last?.name !== "search_tools") return use(request, "search_tools", { query: step.seek ?? ask });
  const line = last.answer.split("\n").find((text) => isLineOf(text, step.tool));
  const [caller, name] = line?.split(/[ (]/) ?? [];
  if (caller === undefined || name === undefined) return say("I found no tool for that.");
  return use(request, caller, { name, arguments: inputOf(step, called) });
};

const isLineOf = (line: string, tool: string): boolean =>
  [tool, `${relayedPrefix}${tool}`].some((name) => line.includes(` ${name}(`));

const play = (request: ModelRequest, task: EvalTask): readonly ModelBlock[] =>
  has(request, "search_tools") ? searching(request, task) : direct(request, task);

/** A tool that exists and is none of the task's. */
const neighbour = ({ tools = [] }: ModelRequest, { expect }: EvalTask): string => {
  const expected = expect.flatMap(({ tool }) => tool);
  return tools.find(({ name }) => !expected.includes(name) && /status|list|services/.test(name))?.name ?? "none";
};

type Play = (request: ModelRequest, task: EvalTask) => readonly ModelBlock[];

const wrong: Readonly<Record<string, Play>> = {
  /** Answers out of its head. */
  silent: () => say("It is 42, as everybody knows."),
  /** Says that it is done, and has called something else. */
  astray: (request, task) =>
    past(request.messages).length === 0 ? use(request, neighbour(request, task), {}) : report(past(request.messages)),
  /** Does the task, and what it must not do before it. */
  careless: (request, task) => {
    const done = past(request.messages);
    if (done.length === 0) return use(request, forbidden(request, task), { id: "1", name: "nothing" });
    // What came of that is forgotten.
    return play({ ...request, messages: [...request.messages.slice(0, 1), ...request.messages.slice(3)] }, task);
  },
  /** Does all, and answers nothing of it. */
  mute: (request, task) =>
    toolUses(play(request, task)).length > 0 ? play(request, task) : say("I did something, but cannot say what."),
  /** Finds the tool, and hands it nonsense. */
  sloppy: (request, task) =>
    past(request.messages).length === 0
      ? use(request, relayed(request, task.script[0]?.tool ?? ""), { nonsense: true })
      : report(past(request.messages)),
  /** Never comes to an end. */
  endless: (request, task) => use(request, neighbour(request, task), {}),
};

/** A tool of the list that the task forbids. */
const forbidden = (request: ModelRequest, { forbid = [] }: EvalTask): string => {
  const named = forbid.map((tool) => relayed(request, tool)).find((tool) => has(request, tool));
  return named ?? relayed(request, "github_delete_issue");
};

export const rightModel = "replay-right";

/** A model for each brain, by name. */
export const makeBrains = (tasks: readonly EvalTask[]): Readonly<Record<string, Brain>> => {
  const find = makeFinder(tasks);
  const brains = Object.entries({ right: play, ...wrong }).map(
    ([name, act]) => [`replay-${name}`, (request: ModelRequest) => act(request, find(request))] as const,
  );
  return Object.fromEntries(brains);
};
