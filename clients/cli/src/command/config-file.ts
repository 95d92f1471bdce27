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
  const path = named === undefined ? findUpwards(from) : resolve(from, named.value);
  if (path === undefined) return { path, root: from, value: {} };
  if (!existsSync(path)) {
    throw new UsageError(`the configuration file ${path} does not exist`, `correct ${named?.by ?? "its name"}`);
  }
  const value = await (path.endsWith(".json") ? parse(path) : evaluate(path, edition));
  if (isRecord(value)) return { path, root: dirname(path), value };
  throw new UsageError(`${path} holds no configuration`, "export an object: `export default { port: 5099 }`");
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
    throw new UsageError(message, `fix ${place}; \`node\` runs it the same way`, { cause });
  }
};
