/**
 * A first look at the command line, enough to know which command is meant: the words that are not flags, and whether help or JSON
 * is requested; and which command of a list the words mean. Pure.
 *
 * Not here: the flags themselves, which the argument parser reads when the command is known (`program.ts`).
 */

export interface CommandLine {
  /** Words before `--` that are neither flags nor the values of global flags, in order. */
  readonly positionals: readonly string[];
  readonly help: boolean;
  readonly json: boolean;
  readonly verbose: boolean;
  /** Values of the global flags that say where the project or the kernel is, by the parser's names. */
  readonly place: Readonly<Record<string, string>>;
  /** The command line without the command's own words. */
  without(command: readonly string[]): readonly string[];
}

/** Global flags whose value may be a word of its own. */
const valued: ReadonlySet<string> = new Set(["--config", "--url", "--token-file", "--timeout", "--color", "--cwd"]);

export const parseCommandLine = (argv: readonly string[]): CommandLine => {
  const places: number[] = [];
  let flags = argv;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (word === "--") {
      flags = argv.slice(0, at);
      break;
    }
    if (valued.has(word)) at += 1;
    else if (word === "-" || !word.startsWith("-")) places.push(at);
  }
  const isHelp = (word: string): boolean => word === "--help" || word === "-h";
  return {
    positionals: places.map((at) => argv[at] ?? ""),
    help: flags.some(isHelp),
    json: flags.includes("--json"),
    verbose: flags.some((word) => word === "-v" || word === "--verbose"),
    place: placeFlags(flags),
    without: (command) => {
      const own = new Set(places.slice(0, command.length));
      return argv.filter((_, at) => !own.has(at));
    },
  };
};

/** What of a command line is read without the argument parser, for a command that must start fast. */
export interface PlainWords {
  /** Its own flags, none of which takes a value. */
  readonly flags: readonly string[];
  /** Most words that are no flags. */
  readonly words: number;
}

/** A command line that needs no argument parser. */
interface PlainLine {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/**
 * Reads the words after a command's name by themselves: its flags, and the global ones that say where the project is. `undefined` where there
 * is anything else, which is the parser's business, mistakes among it.
 */
export const readPlain = (argv: readonly string[], { flags: own, words }: PlainWords): PlainLine | undefined => {
  const args: string[] = [];
  const flags: Record<string, unknown> = {};
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    const name = placeNames.get(word);
    const value = argv[at + 1];
    if (own.includes(word)) flags[word.slice(2)] = true;
    else if (name !== undefined && value !== undefined && !value.startsWith("-")) {
      flags[name] = value;
      at += 1;
    } else if (word !== "" && !word.startsWith("-") && args.length < words) args.push(word);
    else return undefined;
  }
  return { args, flags };
};

/** Flags that say where the project and its kernel are, and the parser's names for them. */
const placeNames: ReadonlyMap<string, string> = new Map([
  ["--config", "config"],
  ["--url", "url"],
  ["--token-file", "tokenFile"],
  ["--cwd", "cwd"],
]);

const placeFlags = (argv: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    argv.flatMap((word, index) => {
      const [flag = "", inline] = word.split(/=(.*)/s);
      const name = placeNames.get(flag);
      const value = inline ?? argv[index + 1];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );

/** A command in a list, by its name as typed. */
interface NamedRow {
  readonly name: string;
}

/** What the words mean; `R` is a row of the list of commands. */
export type FoundCommand<R extends NamedRow> =
  | { readonly kind: "none" }
  | { readonly kind: "group"; readonly group: string; readonly hint: string }
  | { readonly kind: "command"; readonly command: R }
  /** Without a hint where no command begins like it. */
  | { readonly kind: "unknown"; readonly message: string; readonly hint?: string };

/** Commands of a group that a hint names one by one. */
const mostNamed = 6;

/** Which of the commands the words mean. Pure. */
export const findCommand = <R extends NamedRow>(words: readonly string[], rows: readonly R[]): FoundCommand<R> => {
  const [first, second] = words;
  if (first === undefined) return { kind: "none" };
  const single = rows.find(({ name }) => name === first);
  if (single !== undefined) return { kind: "command", command: single };
  const group = groupCommands(first, rows);
  if (group.length > 0) {
    const command = group.find(({ name }) => name === `${first} ${second}`);
    if (command !== undefined) return { kind: "command", command };
    const names = group.map(({ name }) => `\`fairlead ${name}\``);
    const hint = names.length > mostNamed ? `\`fairlead ${first} --help\` lists them` : `try ${names.join(" or ")}`;
    if (second === undefined) return { kind: "group", group: first, hint };
    const message = `there is no command \`fairlead ${first} ${second}\``;
    return { kind: "unknown", message, hint };
  }
  return { kind: "unknown", message: `there is no command \`fairlead ${first}\`` };
};

/** The commands whose first word this is, when there are two. */
export const groupCommands = <R extends NamedRow>(group: string, rows: readonly R[]): readonly R[] =>
  rows.filter(({ name }) => name.startsWith(`${group} `));
