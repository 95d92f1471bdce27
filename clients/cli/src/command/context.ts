/**
 * What every command gets: the global flags as typed values, functions to print, and the configuration on demand.
 */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Io, nameInShell, type Paint, paintFor } from "../terminal/io.ts";
import { type ConfigFile, findConfigFile, loadConfigFile, type SettingSource } from "./config-file.ts";
import { UsageError } from "./failure.ts";

export interface Context {
  readonly io: Io;
  readonly json: boolean;
  /** Whether to ask nothing: `--no-input`. There is no prompt then. */
  readonly noInput: boolean;
  readonly verbose: boolean;
  /** Folder the command runs for. */
  readonly cwd: string;
  /** Address of a running kernel; `undefined` to run one in this process. */
  readonly url: string | undefined;
  /** Whether to use no other process's kernel, and to leave the project's state alone. */
  readonly local: boolean;
  /** Milliseconds; `undefined` leaves it to the contract. */
  readonly timeoutMs: number | undefined;
  /** Colours for stdout. */
  readonly paint: Paint;
  /** Colours for stderr. */
  readonly paintErr: Paint;
  /** One JSON document with --json, else the text for people. */
  print(document: Readonly<Record<string, unknown>>, text: () => string): void;
  /** Writes a line for people to stderr; silent with --quiet, and where --json says that a program reads. */
  say(text: string): void;
  /** Absolute path of the token file, when one was named. */
  readonly tokenFile: string | undefined;
  /** The token for `url`, from a file or the environment; never from a flag. */
  token(): string | undefined;
  /** Evaluates the configuration: throws where the file needs what this shell does not have. */
  configFile(): Promise<ConfigFile>;
  /** Path of the configuration file, which is only looked for; `undefined` where there is none. */
  configPath(): string | undefined;
}

/** Version of every JSON document that a command prints. */
export const schemaVersion = 1;

export const createContext = (flags: Readonly<Record<string, unknown>>, io: Io): Context => {
  const color = parseChoice(flags.color ?? "auto", ["auto", "always", "never"], "--color");
  const cwd = parseFolder(text(flags.cwd));
  const { FAIRLEAD_TOKEN_FILE, FAIRLEAD_CONFIG, FAIRLEAD_URL } = io.env;
  const namedToken = findSetting("--token-file", text(flags.tokenFile), ["FAIRLEAD_TOKEN_FILE", FAIRLEAD_TOKEN_FILE]);
  const tokenFile = namedToken && { ...namedToken, value: resolve(cwd, namedToken.value) };
  const namedConfig = findSetting("--config", text(flags.config), ["FAIRLEAD_CONFIG", FAIRLEAD_CONFIG]);
  const { local } = flags;
  if (local === true && flags.url !== undefined)
    throw new UsageError("--local does not go with --url", "leave one of them out");
  const namedUrl = local === true ? undefined : findSetting("--url", text(flags.url), ["FAIRLEAD_URL", FAIRLEAD_URL]);
  let config: Promise<ConfigFile> | undefined;
  return {
    io: flags.input === false ? withoutPrompt(io) : io,
    json: flags.json === true,
    noInput: flags.input === false,
    verbose: flags.verbose === true,
    cwd,
    url: parseAddress(namedUrl),
    local: flags.local === true,
    timeoutMs: parseMilliseconds(text(flags.timeout)),
    paint: paintFor(color, io, "out"),
    paintErr: paintFor(color, io, "err"),
    print: (document, toText) =>
      io.out(flags.json === true ? JSON.stringify({ schemaVersion, ...document }) : nameInShell(toText(), io.env)),
    say: (words) => {
      if (flags.verbose === true || (flags.quiet !== true && flags.json !== true)) io.err(nameInShell(words, io.env));
    },
    tokenFile: tokenFile?.value,
    token: () => (tokenFile === undefined ? io.env.FAIRLEAD_TOKEN : readToken(tokenFile)),
    configFile: () => {
      config ??= loadConfigFile(cwd, namedConfig);
      return config;
    },
    configPath: () => findConfigFile(cwd, namedConfig),
  };
};

const withoutPrompt = ({ prompt: _, ...io }: Io): Io => io;

/** A flag's value when it has one. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** `undefined` where neither is given; an empty variable is none. */
const findSetting = (
  flag: string,
  given: string | undefined,
  [variable, value]: readonly [string, string | undefined],
): SettingSource | undefined => {
  if (given !== undefined) return { value: given, by: flag };
  return value === undefined || value === "" ? undefined : { value, by: variable };
};

const parseChoice = (value: unknown, allowed: readonly string[], flag: string): string => {
  const found = allowed.find((item) => item === value);
  if (found !== undefined) return found;
  throw new UsageError(`${flag} takes ${allowed.join(", ")}, not ${JSON.stringify(value)}`);
};

const parseFolder = (named: string | undefined): string => {
  const path = resolve(named ?? ".");
  if (named === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new UsageError(`--cwd takes a folder, and ${path} is none`, "correct --cwd");
};

const parseMilliseconds = (value: string | undefined): number | undefined => {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new UsageError(`--timeout takes milliseconds, not ${JSON.stringify(value)}`, "give a whole number above 0");
};

const parseAddress = (given: SettingSource | undefined): string | undefined => {
  if (given === undefined) return undefined;
  const { value, by } = given;
  const parsed = URL.parse(value);
  if (parsed !== null && (parsed.protocol === "http:" || parsed.protocol === "https:")) {
    return parsed.href.replace(/(?<!\/)\/+$/, "");
  }
  throw new UsageError(`${by} takes an address, not ${JSON.stringify(value)}`, "like http://127.0.0.1:5099");
};

const readToken = ({ value: path, by }: SettingSource): string => {
  try {
    const token = readFileSync(path, "utf8").trim();
    if (token !== "") return token;
  } catch (cause) {
    throw new UsageError(`the token file ${path} cannot be read`, `correct ${by}`, { cause });
  }
  throw new UsageError(`the token file ${path} is empty`, "write the token into it");
};
