/** What was typed after a verb: the values of its arguments and flags, and the input that they make. */
import type { NamedVerb, VerbArgument, VerbFlag } from "@fairlead/contracts";
import { type Command, Option } from "commander";
import type { ParsedArguments } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { readInput } from "../command/input.ts";
import { isRecord } from "../text/record.ts";
import { nearest, suggestHint } from "../text/suggest.ts";

interface TypedValues {
  /** By the names of arguments and flags, and `input`: what the procedure is called with. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Declares a verb's arguments and flags to the parser. */
export const defineVerb = (verb: NamedVerb, command: Command): void => {
  for (const argument of verb.arguments ?? []) command.argument(argumentWords(argument), argument.about);
  for (const { flags, about, choices } of verb.flags ?? []) {
    const more = choices === undefined ? "" : ` (${choices.join(", ")})`;
    command.addOption(new Option(flags, `${about}${more}`));
  }
  if (verb.data !== undefined) command.option("-d, --data <json>", verb.data.about);
  if (verb.watch !== undefined && verb.watch.always !== true)
    command.option(verb.watch.flag === "follow" ? "-f, --follow" : "-w, --watch", verb.watch.about);
  const description = verb.description === undefined ? "" : `\n${verb.description}\n`;
  const examples = verb.examples.map((example) => `  ${example}\n`).join("");
  command.addHelpText("after", `${description}\nExamples:\n${examples}`);
};

const argumentWords = ({ name, many, optional }: VerbArgument): string => {
  const words = many === true ? `${name}...` : name;
  return optional === true ? `[${words}]` : `<${words}>`;
};

/** Reads the values, and the files that they name. */
export const readValues = async (
  verb: NamedVerb,
  context: Context,
  { args, flags }: ParsedArguments,
): Promise<TypedValues> => {
  const ownArguments = (verb.arguments ?? []).map((argument, index) => {
    const words = argument.many === true ? args.slice(index) : args[index];
    const isEmpty = words === undefined || words.length === 0;
    return { argument, words: isEmpty ? undefined : words };
  });
  const file = ownArguments.find(({ argument }) => argument.file === true)?.words;
  const data = await readData(verb, context, { file, data: text(flags.data) });
  const values = [
    ...ownArguments.map(({ argument, words }) => ({
      name: argument.name,
      field: argument.field,
      value: words === undefined ? undefined : readValue(argument, argument.name, words),
    })),
    ...(verb.flags ?? []).map((flag) => {
      const typed = flags[flagKey(flag)];
      const name = flag.flags.split(" ").find((word) => word.startsWith("--")) ?? flag.flags;
      return {
        name: flagKey(flag),
        field: flag.field,
        value: typed === undefined ? undefined : readValue(flag, name, typed),
      };
    }),
  ].filter(({ value }) => value !== undefined);
  const fields = values.flatMap(({ field, value }) => (field === undefined ? [] : [[field, value] as const]));
  const input = { ...data, ...Object.fromEntries(fields) };
  return { variables: { ...Object.fromEntries(values.map(({ name, value }) => [name, value])), input } };
};

/** The parser's name for a flag: `stepBudget` for `--step-budget <n>`. */
const flagKey = ({ flags }: VerbFlag): string => new Option(flags).attributeName();

const readData = async (
  verb: NamedVerb,
  context: Context,
  { file, data }: { readonly file: string | readonly string[] | undefined; readonly data: string | undefined },
): Promise<Readonly<Record<string, unknown>>> => {
  const source = typeof file === "string" ? fileSource(file) : data;
  const read = await readInput(source, { cwd: context.cwd, stdin: context.io.stdin });
  if (verb.data?.field !== undefined) return { [verb.data.field]: read };
  if (isRecord(read)) return read;
  throw new UsageError("the input is not a JSON object", `like ${verb.examples[0] ?? "{}"}`);
};

/** A file by its path; also as `readInput` takes it. */
const fileSource = (file: string): string =>
  file === "-" || file.startsWith("@") || file.startsWith("{") ? file : `@${file}`;

const readValue = (value: VerbArgument | VerbFlag, name: string, typed: unknown): unknown => {
  const { kind = "text", choices } = value;
  if (kind === "switch") return typed === true || typed === "true";
  if (kind === "number") return readNumber(name, typed);
  if (kind === "list") return Array.isArray(typed) ? typed : [typed];
  if (kind === "pairs") return Object.fromEntries((Array.isArray(typed) ? typed : [typed]).map(readPair(name)));
  if (choices !== undefined && typeof typed === "string" && !choices.includes(typed)) {
    const hint = suggestHint([nearest(typed, choices)], `use one of ${choices.join(", ")}`);
    throw new UsageError(`${name} does not take ${JSON.stringify(typed)}`, hint);
  }
  return typed;
};

const readNumber = (name: string, typed: unknown): number => {
  const number = Number(typed);
  if (typed !== "" && Number.isFinite(number)) return number;
  throw new UsageError(`${name} takes a number, not ${JSON.stringify(typed)}`, "give a number");
};

/** `name: value`, where the name is one that HTTP headers can have, too. */
const readPair =
  (flag: string) =>
  (typed: unknown): readonly [string, string] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/s.exec(String(typed)) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`${flag} takes \`name: value\`, not ${JSON.stringify(typed)}`, "like `x-team: red`");
    }
    return [name, value.trim()];
  };
