/**
 * From the words on the command line to an exit code: finds the command, loads it and nothing else, runs it, and reports what went
 * wrong if something did.
 *
 * Help for the whole and mistakes in the command's name are answered here, without the argument parser or the kernel. Words that are no
 * command of its own are looked up among the verbs of services.
 */
import type { CommandRow } from "./command/command.ts";
import {
  type CommandLine,
  type FoundCommand,
  findCommand,
  parseCommandLine,
  readPlain,
} from "./command/command-line.ts";
import { createContext } from "./command/context.ts";
import { report, UsageError } from "./command/failure.ts";
import { commands } from "./commands.ts";
import { type Io, processIo } from "./terminal/io.ts";

export const main = async (argv: readonly string[], io: Io): Promise<number> => {
  const words = parseCommandLine(argv[0] === "help" ? [...argv.slice(1), "--help"] : argv);
  try {
    const { found, rows } = await lookUp(words, io);
    switch (found.kind) {
      case "none":
        if (!words.help && argv.length > 0) {
          throw new UsageError(`no command was given, only ${argv.join(" ")}`, "run `fairlead --help` for the list");
        }
        io.out((await import("./help.ts")).rootHelp(await projectRows(words, io)));
        return 0;
      case "group":
        if (!words.help) throw new UsageError(`\`fairlead ${found.group}\` needs a command after it`, found.hint);
        io.out((await import("./help.ts")).groupHelp(found.group, rows));
        return 0;
      case "unknown":
        throw new UsageError(found.message, await unknownHint(words, { found, rows }, io));
      case "command": {
        const rest = words.without(found.command.name.split(" "));
        const plain = found.command.plain && readPlain(rest, found.command.plain);
        if (plain !== undefined) {
          const { default: module } = await found.command.load();
          return (await module.run(createContext(plain.flags, io), plain)) ?? 0;
        }
        const { runCommand } = await import("./command/program.ts");
        return await runCommand(found.command, rest, io);
      }
    }
  } catch (error) {
    return await report(error, words, io);
  }
};

interface LookUp {
  readonly found: FoundCommand<CommandRow>;
  /** The commands that it was found among. */
  readonly rows: readonly CommandRow[];
}

/** Its own commands first, then the project's verbs, those of the kernel that was named, and the procedures of a service. */
const lookUp = async (words: CommandLine, io: Io): Promise<LookUp> => {
  const own = { found: findCommand(words.positionals, commands), rows: commands };
  const [first] = words.positionals;
  if (own.found.kind !== "unknown" || ownGroup(first)) return own;
  const { kernelVerbs, projectVerbs, verbRows } = await import("./verb/verbs.ts");
  const context = createContext(words.place, io);
  const local = [...commands, ...verbRows(await projectVerbs(context))];
  const found = findCommand(words.positionals, local);
  if (found.kind === "command") return { found, rows: local };
  const offered = context.url === undefined ? local : [...commands, ...verbRows(await kernelVerbs(context))];
  const verb = findCommand(words.positionals, offered);
  if (verb.kind === "command" || !isServiceName(first)) return { found: verb, rows: offered };
  const { procedureRows } = await import("./procedure/procedures.ts");
  const all = [...offered, ...(await procedureRows(context, first))];
  return { found: findCommand(words.positionals, all), rows: all };
};

/** What was meant by words that are no command: one of the group's, else one of all, or a service. */
const unknownHint = async (words: CommandLine, { found, rows }: LookUp, io: Io): Promise<string> => {
  const { groupNearestHint, nearestHint } = await import("./help.ts");
  const [first = "", second = ""] = words.positionals;
  if (found.kind === "unknown" && found.hint !== undefined) return groupNearestHint(first, second, rows) ?? found.hint;
  const { serviceIds } = await import("./procedure/procedures.ts");
  const ids = words.place.url === undefined ? await serviceIds(createContext(words.place, io)).catch(() => []) : [];
  return nearestHint(first, [...rows.map(({ name }) => name), ...ids]);
};

const isServiceName = (word: string | undefined): word is string =>
  word !== undefined && /^[A-Za-z0-9]{1,64}$/.test(word);

/** Whether a word begins commands of its own, so that no verb can begin with it. */
const ownGroup = (word: string | undefined): boolean => commands.some(({ name }) => name.startsWith(`${word} `));

/** Verbs for the help of the whole, which says the rest also where the project is broken. */
const projectRows = async (words: CommandLine, io: Io): Promise<readonly CommandRow[]> => {
  const { projectVerbs, verbRows } = await import("./verb/verbs.ts");
  try {
    return verbRows(await projectVerbs(createContext(words.place, io)));
  } catch {
    return [];
  }
};

/** Called by `bin/fairlead.js`. */
export const start = async (): Promise<void> => {
  const io = processIo();
  // Services cannot end the process, and what nothing caught is reported in their context.
  const exit = process.exit.bind(process);
  process.on("uncaughtException", (error) => {
    // A command that runs services looks for the one that an error belongs to, and ends in order.
    if (process.listenerCount("uncaughtException") > 1) return;
    report(error, parseCommandLine(process.argv.slice(2)), io).finally(() => exit(1));
  });
  const code = await main(process.argv.slice(2), io);
  await io.flush();
  exit(code);
};
