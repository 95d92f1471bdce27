/**
 * One change of a client's file, planned before anything is written: by the client's own command where that can do it, else as an edit
 * of the file. Not here: what people see of it (`../commands/mcp-add.ts`).
 */
import { isDeepStrictEqual } from "node:util";
import { CommandError, UsageError } from "../command/failure.ts";
import { isRecord } from "../text/record.ts";
import type { FileScope, McpClient, Places } from "./clients.ts";
import { type ConfigFile, keepCopy, readConfigFile, replaceConfigFile } from "./config-file.ts";
import { addEntry, readEntries, removeEntry } from "./config-text.ts";
import type { ServerEntry } from "./entry.ts";
import { findProgram, runCommand } from "./own-command.ts";

interface ChangeTarget {
  readonly client: McpClient;
  readonly scope: FileScope;
  readonly name: string;
}

/** A client's file, and the entry of this name in it. */
interface FoundEntry {
  readonly file: ConfigFile;
  /** `undefined` where there is none. */
  readonly entry: unknown;
}

export interface PlannedChange {
  readonly file: ConfigFile;
  /** The file as it will be, comments and all; also where a command of the client writes it. */
  readonly after: string;
  /** Commands of the client, in order; without one the file is edited. */
  readonly commands: readonly (readonly string[])[];
}

export const findEntry = ({ client, scope, name }: ChangeTarget, places: Places): FoundEntry => {
  const file = readConfigFile(filePath(client, scope, places));
  const entries = inFile(file, () => readEntries(file.text, client));
  return { file, entry: Object.hasOwn(entries, name) ? entries[name] : undefined };
};

const filePath = (client: McpClient, scope: FileScope, places: Places): string => {
  const path = client.files[scope]?.(places);
  if (path !== undefined) return path;
  throw new UsageError(
    `${client.title} has no file for the ${scope}`,
    `leave --scope out: ${Object.keys(client.files).join(" or ")} it is`,
  );
};

interface PlanOptions {
  readonly places: Places;
  /** Whether to edit the file even where the client has a command. */
  readonly edit: boolean;
}

export const planAdd = (
  { client, scope, name }: ChangeTarget,
  { file, entry }: FoundEntry,
  { server, ...options }: PlanOptions & { readonly server: ServerEntry },
): PlannedChange => {
  const { value, inputs } = client.write(server);
  const others = isRecord(entry) ? Object.entries(entry).filter(([key]) => !writtenKeys.has(key)) : [];
  const whole = { ...Object.fromEntries(others), ...value };
  if (isDeepStrictEqual(entry, whole)) return { file, after: file.text, commands: [] };
  const after = inFile(file, () => addEntry(file.text, client, { name, value: whole, ...(inputs && { inputs }) }));
  const add = others.length > 0 ? undefined : client.command?.add(name, value, scope);
  const remove = entry === undefined ? [] : [client.command?.remove(name, scope)];
  return { file, after, commands: ownCommands(client, [...remove, add], options) };
};

/** Members of entries that are ours to write. What else a user has in one, like a time limit, stays. */
const writtenKeys: ReadonlySet<string> = new Set(
  "type command args env url httpUrl serverUrl headers env_vars bearer_token_env_var".split(" "),
);

export const planRemove = (
  { client, scope, name }: ChangeTarget,
  { file }: FoundEntry,
  options: PlanOptions,
): PlannedChange => {
  const after = inFile(file, () => removeEntry(file.text, client, name));
  return { file, after, commands: ownCommands(client, [client.command?.remove(name, scope)], options) };
};

/** The client's commands where all of them can be run. */
const ownCommands = (
  { command }: McpClient,
  wanted: readonly (readonly string[] | undefined)[],
  { places, edit }: PlanOptions,
): PlannedChange["commands"] => {
  if (edit || command === undefined || wanted.includes(undefined)) return [];
  const program = findProgram(command.program, places);
  return program === undefined ? [] : wanted.flatMap((words) => (words === undefined ? [] : [[program, ...words]]));
};

/** Gives the path of the copy that was kept of the file; `undefined` where there was none. */
export const apply = async (
  { file, after, commands }: PlannedChange,
  { project, env }: Places,
  copies: string,
): Promise<string | undefined> => {
  if (commands.length === 0) return replaceConfigFile(file, after, copies);
  const copy = file.exists ? keepCopy(file, copies) : undefined;
  for (const words of commands) await runCommand(words, { cwd: project, env, copy });
  return copy;
};

/** Runs what reads a file's text; what it refuses names the file. */
const inFile = <A>({ path }: Pick<ConfigFile, "path">, read: () => A): A => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new CommandError(
      { code: "failed_precondition", exit: 8 },
      { message: `${path}: ${error.message}`, hint: error.hint },
      { cause: error },
    );
  }
};
