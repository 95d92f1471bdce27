/**
 * Runs the startup script that the configuration names. The script alone says what is connected; nothing of it is stored.
 */
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { faultPlace } from "@fairlead/contracts";
import { FairleadError } from "@fairlead/kernel/service";
import { type LuaLimits, runLua, runModule } from "./lua-script.ts";
import { type StartupTools, scriptTools } from "./script-tools.ts";

interface StartupContext {
  readonly tools: StartupTools;
  readonly print: (text: string) => void;
  readonly limits?: Partial<LuaLimits>;
}

/** A startup module's default export. */
export type StartupModule = (tools: StartupTools) => void | Promise<void>;

/** Rejects with what is wrong with the script. */
export const runStartup = async (path: string, { tools, print, limits = {} }: StartupContext): Promise<void> => {
  const checked = scriptTools(tools);
  switch (extname(path)) {
    case ".lua":
      return runLua({ source: await readFile(path, "utf8"), name: basename(path), tools: checked, print, limits });
    case ".ts":
    case ".js":
    case ".mjs":
      return withPlace(path, () =>
        runModule({ url: pathToFileURL(path).href, name: basename(path), tools: checked, print, limits }),
      );
    default:
      throw unsupportedScript(`${path} is neither Lua nor TypeScript`);
  }
};

/** Runs the script; its errors name their line in it. */
const withPlace = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    const place = placeIn(path, cause) ?? faultPlace(cause) ?? basename(path);
    const text = errorText(cause);
    throw new Error(text.startsWith(basename(path)) ? text : `${place}: ${text}`, { cause });
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
