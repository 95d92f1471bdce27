/** What a command line says about a client: which one, which of its files, and where those are. */
import { homedir } from "node:os";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { nearest, suggestHint } from "../text/suggest.ts";
import { type FileScope, type McpClient, mcpClients, type Places } from "./clients.ts";

export const findClient = (id: string): McpClient => {
  const found = mcpClients.find((client) => client.id === id);
  if (found !== undefined) return found;
  const ids = mcpClients.map((client) => client.id);
  const begun = id === "" ? [] : ids.filter((known) => known.startsWith(id));
  const hint = suggestHint(begun.length > 0 ? begun : [nearest(id, ids)], `there are ${ids.join(", ")}`);
  throw new CommandError(
    { code: "not_found", exit: 6 },
    { message: `there is no MCP client ${JSON.stringify(id)}`, hint },
  );
};

/** The scope that was named, else the first that the client has a file for. */
export const readScope = (named: string | undefined, { files }: McpClient): FileScope => {
  if (named === undefined) return files.project === undefined ? "user" : "project";
  if (named === "project" || named === "user") return named;
  throw new UsageError(`--scope takes project or user, not ${JSON.stringify(named)}`);
};

/** The project's folder is the one with the configuration, else the one that the command runs in. */
export const findPlaces = (context: Context): Places => {
  const path = context.configPath();
  return {
    project: path === undefined ? context.cwd : dirname(path),
    home: context.io.env.HOME || homedir(),
    platform: process.platform,
    env: context.io.env,
  };
};

/** The name that an entry gets when none was given: a service alone, else the project's folder. */
export const chooseName = (given: string | undefined, services: readonly string[], project: string): string => {
  if (given === undefined) {
    const [only, ...more] = services;
    if (only !== undefined && more.length === 0) return only;
    const folder = basename(project)
      .replace(/[^A-Za-z0-9_-]/g, "-")
      .slice(0, longestName);
    return namePattern.test(folder) ? folder : "fairlead";
  }
  if (namePattern.test(given) && given.length <= longestName) return given;
  throw new UsageError(
    `--name takes at most ${longestName} letters, digits, - and _, not ${JSON.stringify(given)}`,
    "begin with a letter or a digit; clients put it before the names of tools, which have a limit",
  );
};

const longestName = 32;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Names of variables. What else is given may be a value, which is not repeated. */
export const readVariables = (given: readonly string[]): readonly string[] => {
  if (given.every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))) return given;
  throw new UsageError(
    "--env takes names of variables alone",
    "like --env API_KEY: the client passes its own value on, and none is written",
  );
};

/** Where a kernel is, of whatever address of it was given. */
export const readOriginFlag = (url: string): string => {
  const { username, password, search, hash, pathname, origin } = new URL(url);
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    throw new UsageError(
      "--url takes a plain address here: what else is in it would be written into the client's file",
      "like http://127.0.0.1:5099",
    );
  const path = pathname.replace(/\/$/, "").replace(/\/mcp(?:\/[\w-]+)?$/, "");
  return `${origin}${path}`;
};

/** Absolute path of the `fairlead` that runs. */
export const ownBin = (): string => {
  const root = import.meta.url.endsWith(".ts") ? "../.." : "../../..";
  return fileURLToPath(new URL(`${root}/bin/fairlead.js`, import.meta.url));
};
