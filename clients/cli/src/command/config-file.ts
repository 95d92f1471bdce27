/**
 * Finds and loads the project's configuration: `fairlead.config.ts`, `.js` or `.json`, from a folder upwards, as Node runs it.
 *
 * Not here: what may be in it, which is the kernel's schema.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord } from "../text/record.ts";
import { UsageError } from "./failure.ts";

const names = ["fairlead.config.ts", "fairlead.config.js", "fairlead.config.json"] as const;

/** What a flag names, or else a variable of the environment, and which of them it was: an error about it has to say so. */
export interface SettingSource {
  readonly value: string;
  /** The flag or the variable that gave it. */
  readonly by: string;
}

export interface ConfigFile {
  /** Absolute path; `undefined` when there is none and the defaults hold. */
  readonly path: string | undefined;
  /** Folder of the file, or the one where the search began: the project's root. */
  readonly root: string;
  /** What the file exports by default. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Loads the file that was named, or the nearest one upwards. With an `edition`, as it is now, whatever was loaded before. */
export const loadConfigFile = async (
  from: string,
  named: SettingSource | undefined,
  edition?: number,
): Promise<ConfigFile> => {
  const path = findConfigFile(from, named);
  if (path === undefined) return { path, root: from, value: {} };
  const value = await (path.endsWith(".json") ? parse(path) : evaluate(path, edition));
  if (isRecord(value)) return { path, root: dirname(path), value };
  throw new UsageError(`${path} holds no configuration`, "export an object: `export default { port: 5099 }`");
};

/** The path of the file that was named, or of the nearest one upwards; `undefined` where there is none. */
export const findConfigFile = (from: string, named: SettingSource | undefined): string | undefined => {
  if (named === undefined) return findUpwards(from);
  const path = resolve(from, named.value);
  if (existsSync(path)) return path;
  throw new UsageError(`the configuration file ${path} does not exist`, `correct ${named.by}`);
};

const findUpwards = (from: string): string | undefined => {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (dirname(folder) === folder) return undefined;
  }
};

const parse = async (path: string): Promise<unknown> => {
  const { parseJson } = await import("../text/json-text.ts");
  const parsed = parseJson(readFileSync(path, "utf8"));
  if (parsed.ok) return parsed.value;
  const { place, fix, cause } = parsed;
  throw new UsageError(`${path} is not valid JSON${place}`, fix, { cause });
};

const evaluate = async (path: string, edition: number | undefined): Promise<unknown> => {
  try {
    const query = edition === undefined ? "" : `?edition=${edition}`;
    const module: Readonly<Record<string, unknown>> = await import(`${pathToFileURL(path).href}${query}`);
    return module.default;
  } catch (cause) {
    const { faultPlace } = await import("@fairlead/contracts");
    const place = faultPlace(cause) ?? path;
    const why = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    const message = `${path} fails while it is loaded${place === path ? "" : `, at ${place}`}: ${why}`;
    const hint = unsetHint(path, process.env) ?? `fix ${place}; \`node\` runs it the same way`;
    throw new UsageError(message, hint, { cause });
  }
};

/** What to do about variables that a configuration file reads and that are not set; `undefined` where there are none. A built project is without its file. */
export const unsetHint = (path: string, env: NodeJS.ProcessEnv): string | undefined => {
  if (!existsSync(path))
    return "set the variables that the configuration reads, or correct it and run `fairlead build` again";
  const unset = unsetVariables(path, env);
  if (unset.length === 0) return undefined;
  const [them, are] = unset.length === 1 ? ["it", "is"] : ["them", "are"];
  return `${path} reads ${unset.join(" and ")}, which ${are} not set in this shell: set ${them}, or correct the file`;
};

/** Names of the variables that a configuration file reads, has no other value for, and that are not set. */
export const unsetVariables = (path: string, env: NodeJS.ProcessEnv): readonly string[] =>
  readVariables(readFileSync(path, "utf8")).filter((name) => (env[name] ?? "") === "");

const memberRead =
  /\benv(?:\?\.|\.)?(?:(?<=\.)([A-Za-z_]\w*)|[[(]\s*["'`]([A-Za-z_]\w*)["'`]\s*[\])])(?!\w|\s*(?:\?\?|\|\|))/g;
const destructured = /\{([^{}]*)\}\s*=\s*process\.env\b/g;

/** Names of the variables that a program reads by `process.env` or `env`, and gives no other value. Pure. */
export const readVariables = (text: string): readonly string[] => {
  const members = [...text.matchAll(memberRead)].map(([, member, index]) => member ?? index);
  const lists = [...text.matchAll(destructured)].flatMap(([, list = ""]) => list.split(","));
  const names = lists.map((one) => /^\s*([A-Za-z_]\w*)\s*(?::[^=]*)?$/.exec(one)?.[1]);
  return [...new Set([...members, ...names].filter((name) => name !== undefined))];
};
