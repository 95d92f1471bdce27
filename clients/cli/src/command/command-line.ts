/**
 * A first look at the command line, enough to know which command is meant: the words that are not flags, and whether help or JSON
 * is requested. Pure.
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
