/**
 * Prompts of contracts as MCP has them: the list, a prompt with its arguments filled in, and values that complete an argument. Loaded when a client uses them.
 *
 * Not here: which prompts a caller sees (`endpoint.ts`), and what a prompt says (the contracts).
 */
import { type Contract, didYouMean, type Prompt, promptPlace } from "@fairlead/contracts";
import {
  type CompleteResult,
  type GetPromptResult,
  type Prompt as ListedPrompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { memberName } from "../../../resources/address.ts";
import { type AskQuery, complete, listChoices, type TypedValue } from "../../../resources/choices.ts";

/** What is offered at an address. */
export interface PromptSource {
  readonly contracts: readonly Contract[];
  /** The tool of a procedure, by its full name; `undefined` without one. */
  readonly tool: (procedure: string) => string | undefined;
}

interface NamedPrompt {
  readonly name: string;
  readonly service: string;
  readonly prompt: Prompt;
}

type Values = Readonly<Record<string, unknown>>;

export const listPrompts = (source: PromptSource): readonly ListedPrompt[] =>
  promptsIn(source).map(({ name, prompt: { title, summary, arguments: args = {} } }) => ({
    name,
    title,
    description: summary,
    arguments: Object.entries(args).map(([argument, { about, default: otherwise }]) => ({
      name: argument,
      description: otherwise === undefined ? about : `${about}; left out: ${otherwise}`,
      required: otherwise === undefined,
    })),
  }));

/** Throws a `ProtocolError` for a prompt that there is not, an argument that it does not have, and one that is missing. */
export const fillPrompt = (source: PromptSource, name: string, given: Values = {}): GetPromptResult => {
  const { service, prompt } = findPrompt(source, name);
  const { summary, text, arguments: args = {} } = prompt;
  const stray = Object.keys(given).find((argument) => !Object.hasOwn(args, argument));
  if (stray !== undefined) throw invalid(`the prompt ${name} has no argument of that name; ${listNames(args)}`);
  const filled = text.replace(promptPlace, (_, place: string) => {
    const value = Object.hasOwn(given, place) ? given[place] : undefined;
    const words = typeof value === "string" && value.trim() !== "" ? value : args[place]?.default;
    if (words === undefined)
      throw invalid(`the prompt ${name} needs its argument ${place}: ${args[place]?.about ?? ""}`);
    return words;
  });
  return {
    description: summary,
    messages: [
      { role: "user", content: { type: "text", text: withTools(filled, prompt, { service, tool: source.tool }) } },
    ],
  };
};

interface ArgumentCompletion extends TypedValue {
  readonly name: string;
  readonly argument: string;
}

/** Values that begin with what is typed, then those that have it elsewhere. */
export const completeArgument = async (
  source: PromptSource,
  { name, argument, ...typed }: ArgumentCompletion,
  ask: AskQuery,
): Promise<CompleteResult> => {
  const { service, prompt } = findPrompt(source, name);
  const { arguments: args = {} } = prompt;
  const choices = Object.hasOwn(args, argument) ? args[argument]?.choices : undefined;
  const { values, total } = complete(await listChoices(service, choices, { ...typed, ask }), typed.typed);
  return { completion: { values: [...values], total, hasMore: total > values.length } };
};

const promptsIn = ({ contracts }: PromptSource): readonly NamedPrompt[] =>
  contracts.flatMap(({ id, prompts = {} }) =>
    Object.entries(prompts).map(([key, prompt]) => ({
      name: memberName(id, key),
      service: id,
      prompt,
    })),
  );

const findPrompt = (source: PromptSource, name: string): NamedPrompt => {
  const all = promptsIn(source);
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = all.map((each) => each.name);
  const meant = didYouMean(name, names);
  throw invalid(
    `there is no such prompt here; ${meant === undefined ? `there are ${names.join(", ")}` : `did you mean ${meant}?`}`,
  );
};

interface ToolNames extends Pick<PromptSource, "tool"> {
  readonly service: string;
}

/** Procedures in backticks are written as their tools; only those of the contract's own text, not of what was filled in. */
const withTools = (filled: string, { text }: Prompt, { service, tool }: ToolNames): string => {
  const named = new Set([...text.matchAll(/`([A-Za-z]\w*)`/g)].flatMap(([, name = ""]) => name));
  return filled.replace(/`([A-Za-z]\w*)`/g, (word, name: string) => {
    const found = named.has(name) ? tool(`${service}.${name}`) : undefined;
    return found === undefined ? word : `\`${found}\``;
  });
};

const listNames = (args: Values): string => {
  const names = Object.keys(args);
  return names.length === 0 ? "it has none" : `there are ${names.join(", ")}`;
};

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
