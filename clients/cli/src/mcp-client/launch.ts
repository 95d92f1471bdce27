/**
 * What a client does with an entry of its file: the program that it starts, or the address that it asks, with the variables in it replaced.
 * Which entries are Fairlead's own. Pure.
 */
import { isRecord } from "../text/record.ts";
import type { Places } from "./clients.ts";

export type Launch =
  | {
      readonly kind: "program";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Variables that the entry names and the environment lacks. */
      readonly missing: readonly string[];
    }
  | {
      readonly kind: "address";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly missing: readonly string[];
    };

/** `undefined` of an entry that is neither a program nor an address. */
export const readLaunch = (entry: unknown, environment: Places["env"]): Launch | undefined => {
  if (!isRecord(entry)) return undefined;
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replace(reference, (whole: string, name: string, otherwise?: string) => {
      const value = environment[name] ?? otherwise;
      if (value === undefined) missing.add(name);
      return value ?? whole;
    });
  const pairs = (value: unknown): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(isRecord(value) ? value : {}).map(([name, text]) => [name, expand(String(text))]),
    );
  const { command, args, url, httpUrl, serverUrl, env_vars: passed, bearer_token_env_var: token } = entry;
  if (typeof command === "string") {
    const words = Array.isArray(args) ? args.map((word) => expand(String(word))) : [];
    const given = Array.isArray(passed) ? pairs(Object.fromEntries(passed.map((name) => [name, `\${${name}}`]))) : {};
    const env = { ...pairs(entry.env), ...given };
    return { kind: "program", command: expand(command), args: words, env, missing: [...missing] };
  }
  const address = [url, httpUrl, serverUrl].find((one) => typeof one === "string");
  if (address === undefined) return undefined;
  const authorization = typeof token === "string" ? { Authorization: expand(`Bearer \${${token}}`) } : {};
  const headers = { ...pairs(entry.headers), ...authorization };
  return { kind: "address", url: expand(address), headers, missing: [...missing] };
};

/** `${NAME}`, `${NAME:-otherwise}`, `${env:NAME}`, `${input:NAME}`. */
const reference = /\$\{(?:env:|input:)?([A-Za-z_]\w{0,99})(?::-([^{}$]{0,999}))?\}/g;

/** A program that starts `fairlead mcp serve`. */
interface OwnProgram {
  /** Folder of its project; `undefined` where it is the folder that it is started in. */
  readonly project: string | undefined;
  /** Found by `npx` or PATH: the same entry on another machine. */
  readonly portable: boolean;
}

/** `fairlead mcp serve …`, `npx [-y] fairlead[@version] mcp serve …`, `node <path>/fairlead.js mcp serve …`; `undefined` of any other. */
export const readOwnProgram = (entry: unknown): OwnProgram | undefined => {
  const launch = readLaunch(entry, {});
  if (launch?.kind !== "program") return undefined;
  const { command, args } = launch;
  const words = ownWords(baseName(command), args);
  if (words?.[0] !== "mcp" || words[1] !== "serve") return undefined;
  const at = words.indexOf("--cwd");
  return { project: at < 0 ? undefined : words[at + 1], portable: baseName(command) !== "node" };
};

/** The words for `fairlead`. */
const ownWords = (program: string, args: readonly string[]): readonly string[] | undefined => {
  if (program === "fairlead") return args;
  const words = program === "npx" ? args.filter((word) => word !== "-y" && word !== "--yes") : args;
  const [first = "", ...rest] = words;
  const isOwn =
    program === "npx"
      ? /^fairlead(?:@[\w.^~-]+)?$/.test(first)
      : program === "node" && baseName(first) === "fairlead.js";
  return isOwn ? rest : undefined;
};

/** Of a path of this system or another. */
const baseName = (path: string): string => (path.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd)$/i, "");

interface OwnPlace {
  /** Folder of the project. */
  readonly project: string;
  /** Origin of its kernel, where one is known. */
  readonly origin: string | undefined;
}

/** Whether an entry reaches this project: by its program, or by the address of its kernel. */
export const isOwnEntry = (entry: unknown, { project, origin }: OwnPlace): boolean => {
  const program = readOwnProgram(entry);
  if (program !== undefined) return program.project === undefined || program.project === project;
  const launch = readLaunch(entry, {});
  return origin !== undefined && launch?.kind === "address" && URL.parse(launch.url)?.origin === origin;
};
