/**
 * Runs the startup script that the configuration names. The script alone says what is connected; nothing of it is stored.
 */
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { faultPlace } from "@fairlead/contracts";
import { FairleadError } from "@fairlead/kernel/service";
import { runLua } from "./lua-script.ts";
import { type ScriptTools, type StartupTools, scriptFunctions, scriptTools } from "./script-tools.ts";

interface StartupContext {
  readonly tools: StartupTools;
  readonly print: (text: string) => void;
}

/** A startup module's default export. */
export type StartupModule = (tools: StartupTools) => void | Promise<void>;

/** Rejects with what is wrong with the script. */
export const runStartup = async (path: string, { tools, print }: StartupContext): Promise<void> => {
  const checked = scriptTools(tools);
  switch (extname(path)) {
    case ".lua":
      return runLua({ source: await readFile(path, "utf8"), name: basename(path), tools: checked, print });
    case ".ts":
    case ".js":
    case ".mjs":
      return runModule(path, checked);
    default:
      throw unsupportedScript(`${path} is neither Lua nor TypeScript`);
  }
};

const runModule = async (path: string, tools: ScriptTools): Promise<void> => {
  const { default: main } = await withPlace<{ readonly default?: unknown }>(path, () => import(addressToRead(path)));
  if (typeof main !== "function") throw new Error(`${basename(path)}: it has no function as its default export`);
  const functions = scriptFunctions.map(
    (name) => [name, (...args: unknown[]): unknown => tools.call(name, args)] as const,
  );
  await withPlace(path, async () => main(Object.fromEntries(functions)));
};

/** How often each script was imported. */
const imports = new Map<string, number>();

/** Another address for each reading: a module that was imported before would not be read again. */
const addressToRead = (path: string): string => {
  const before = imports.get(path) ?? 0;
  imports.set(path, before + 1);
  return `${pathToFileURL(path).href}${before === 0 ? "" : `?again=${before}`}`;
};

/** Runs the script; its errors name their line in it. */
const withPlace = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    const place = placeIn(path, cause) ?? faultPlace(cause) ?? basename(path);
    throw new Error(`${place}: ${errorText(cause)}`, { cause });
  }
};

/** The script's own line among those that an error has come through. */
const placeIn = (path: string, cause: unknown): string | undefined => {
  const stack = cause instanceof Error ? (cause.stack ?? "") : "";
  const [, after] = stack.split(`${path}:`);
  const line = /^\d+/.exec(after ?? "")?.[0];
  return line === undefined ? undefined : `${basename(path)}:${line}`;
};

const errorText = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const unsupportedScript = (message: string): FairleadError =>
  new FairleadError({ code: "invalid_argument", message, hint: "name a `.lua`, `.ts`, `.js` or `.mjs` file" });
