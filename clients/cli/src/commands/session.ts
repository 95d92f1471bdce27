/** The commands `fairlead session ...` and `fairlead run ...`, made from the table of verbs. */
import { createClient } from "@fairlead/client";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { readInput } from "../command/input.ts";
import { withKernel } from "../kernel/connect.ts";
import { type Verb, type VerbFlag, type VerbPages, verbs } from "../kernel/session-verbs.ts";
import { inCommands } from "../kernel/tool-command.ts";

interface AnyService {
  readonly run: {
    readonly input: unknown;
    readonly output: Readonly<Record<string, unknown>>;
    readonly errors: Record<never, never>;
  };
}

type Input = Readonly<Record<string, unknown>>;
type Call = (input: Input) => Promise<AnyService["run"]["output"]>;

type Flags = Readonly<Record<string, unknown>>;

/** The command of a verb. */
export const verbCommand = (name: string): CommandModule => {
  const verb = verbs.find((one) => one.name === name);
  if (verb === undefined) throw new Error(`there is no verb ${name}`);
  return {
    define: (command) => {
      for (const { name: word, about, many, optional } of verb.words)
        command.argument(optional === true ? `[${word}]` : many === true ? `<${word}...>` : `<${word}>`, about);
      command.option("--project <name>", "A project of the server's configuration; the default one when left out");
      for (const { flags, about } of verb.flags) command.option(flags, about);
      command
        .option(
          "-d, --data <json>",
          `${verb.data === undefined ? "Further input" : "Its payload"}: JSON, @file, or - for stdin`,
        )
        .addHelpText("after", `\nExamples:\n  ${verb.example}\n`);
    },
    run: async (context, { args, flags }) => {
      const input = await inputOf(verb, context, { args, flags });
      const { answer, tools } = await withKernel(context, async ({ transport, procedure, tools }) => {
        const descriptor = await procedure(verb.procedure);
        const kind = descriptor.kind === "query" ? "query" : "mutation";
        const client = createClient<AnyService>({ id: "cli", procedures: { run: { ...descriptor, kind } } }, transport);
        const call: Call = (given) =>
          client.run(given, {
            signal: context.io.signal,
            ...(context.timeoutMs !== undefined && { timeoutMs: context.timeoutMs }),
          });
        const { pages } = verb;
        const wantsOne = pages === undefined || input[pages.limit] !== undefined;
        return { answer: await (wantsOne ? call(input) : allPages(call, input, pages)), tools: await tools() };
      });
      for (const note of verb.notes?.(answer) ?? []) context.say(inCommands(note, tools));
      const words = inCommands(verb.text(answer), tools);
      if (context.json || words !== "") context.print(answer, () => words);
      return 0;
    },
  };
};

/** The first answer with the items of all. */
const allPages = async (call: Call, input: Input, { items, next, after }: VerbPages): ReturnType<Call> => {
  const first = await call(input);
  const all: unknown[] = [];
  let page = first;
  for (;;) {
    const found = page[items];
    if (Array.isArray(found)) all.push(...found);
    if (page[next] === null || page[next] === undefined) return { ...first, [items]: all, [next]: null };
    page = await call({ ...input, [after]: page[next] });
  }
};

const inputOf = async (
  verb: Verb,
  context: Context,
  { args, flags }: { readonly args: readonly string[]; readonly flags: Flags },
): Promise<Input> => {
  const data = await readInput(text(flags.data), { cwd: context.cwd, stdin: context.io.stdin });
  const words = verb.words.flatMap(({ field, many }, index): (readonly [string, unknown])[] => {
    const value = many === true ? args.slice(index) : args[index];
    return value === undefined ? [] : [[field, value]];
  });
  const given = verb.flags.flatMap((flag): (readonly [string, unknown])[] => {
    const value = readFlag(flag, flags[flag.key]);
    return value === undefined ? [] : [[flag.field, value]];
  });
  const base = verb.data === undefined ? data : { [verb.data]: data };
  return {
    ...(typeof base === "object" && base !== null ? base : {}),
    ...(text(flags.project) !== undefined && { project: flags.project }),
    ...Object.fromEntries([...words, ...given]),
  };
};

const readFlag = ({ kind, flags }: VerbFlag, value: unknown): unknown => {
  if (value === undefined) return undefined;
  if (kind === "switch") return value === true;
  if (kind === "text") return text(value);
  const number = Number(text(value));
  if (text(value) !== "" && Number.isFinite(number)) return number;
  throw new UsageError(`${flags.split(" ")[0]} takes a number, not ${JSON.stringify(value)}`, "give a number");
};
