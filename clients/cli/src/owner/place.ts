/**
 * Where the kernel of a command keeps its state, who owns that folder now, and what the two must have in common. Reads the lock file, tries the
 * socket and looks at the process.
 */
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Manifest } from "@fairlead/kernel";
import {
  configurationDigest,
  defaultStateDir,
  examineProcess,
  isPidUsed,
  judgeOwner,
  makeFolder,
  type OwnerEvidence,
  type OwnerRecord,
  type OwnerState,
  type OwnerTerms,
  ownerFolder,
  ownIdentity,
  projectStateFolder,
  readLatestOwner,
  sourceDigest,
  version,
} from "@fairlead/kernel/owner";
import { type Context, text } from "../command/context.ts";

export interface StatePlace {
  /** Absolute path of the state folder. */
  readonly folder: string;
  /** Root of the project; `undefined` outside of any. */
  readonly project: string | undefined;
  /** The folder that the project has where none is configured. Another one is noted there. */
  readonly usual: string;
  /** Why the configuration cannot be evaluated in this shell; `folder` is then the one that the project's last kernel had. */
  readonly unevaluated?: unknown;
}

/** What is configured, else the folder of the project, else the user's own. Throws only where a configuration is named that does not exist. */
export const statePlace = async (context: Context): Promise<StatePlace> => {
  const { env } = context.io;
  const path = context.configPath();
  const project = path === undefined ? gitRoot(context.cwd) : realPath(dirname(path));
  const usual = projectStateFolder(defaultStateDir(env), project);
  const named = text(env.FAIRLEAD_STATE_DIR);
  const { value, unevaluated } = await evaluated(context);
  const configured = named ?? (value === undefined ? notedFolder(usual) : text(value.stateDir));
  const root = path === undefined ? context.cwd : dirname(path);
  const folder = configured === undefined ? usual : resolve(root, configured);
  return { folder, project, usual, ...(value === undefined && { unevaluated }) };
};

type EvaluatedConfig =
  | { readonly value: Readonly<Record<string, unknown>>; readonly unevaluated?: never }
  | { readonly value?: never; readonly unevaluated: unknown };

/** A configuration may need secrets that only the shell of the kernel has. */
const evaluated = async (context: Context): Promise<EvaluatedConfig> => {
  try {
    return { value: (await context.configFile()).value };
  } catch (unevaluated) {
    return { unevaluated };
  }
};

const noteFile = (usual: string): string => join(usual, "state-folder");

const notedFolder = (usual: string): string | undefined => {
  try {
    return readFileSync(noteFile(usual), "utf8") || undefined;
  } catch {
    return undefined;
  }
};

/** Writes down where the owner of a project keeps its state, for commands that cannot evaluate its configuration. */
export const noteFolder = ({ folder, project, usual }: StatePlace, { io }: Context): void => {
  if (project === undefined || io.env.FAIRLEAD_STATE_DIR !== undefined) return;
  const noted = folder === usual ? undefined : folder;
  if (noted === notedFolder(usual)) return;
  try {
    if (noted === undefined) {
      rmSync(noteFile(usual), { force: true });
      return;
    }
    makeFolder(usual);
    const made = `${noteFile(usual)}-${process.pid}`;
    writeFileSync(made, noted, { mode: 0o600 });
    renameSync(made, noteFile(usual));
  } catch {
    // A home folder that cannot be written to: commands then need what the configuration needs.
  }
};

/** What this command's kernel would be. Outside of projects its services work in the folder that it runs in. */
export const ownTerms = async (context: Context, { project }: StatePlace): Promise<OwnerTerms> => {
  const { env } = context.io;
  const folder = project ?? realPath(context.cwd);
  const { value } = await evaluated(context);
  const path = context.configPath();
  return {
    user: userId(context),
    version,
    configuration: value === undefined ? "" : configurationDigest({ folder, value, env }),
    // What was built runs without the file that its configuration comes from.
    ...(path !== undefined &&
      existsSync(path) && { source: sourceDigest({ folder, text: readFileSync(path, "utf8"), env }) }),
  };
};

/** The manifest that the configuration names, as it names it; where it cannot be evaluated, as the project's last kernel had it. */
export const manifestPath = async (context: Context): Promise<string | undefined> => {
  const { value, unevaluated } = await evaluated(context);
  const named = text(context.io.env.FAIRLEAD_MANIFEST);
  if (value !== undefined || named !== undefined) return named ?? text(value?.manifest);
  const { record } = await findOwner((await statePlace(context)).folder);
  if (record === undefined) throw unevaluated;
  return record.manifest;
};

/** The services of the project, without a kernel. */
export const projectManifest = async (context: Context): Promise<Manifest> => {
  const { loadManifest } = await import("@fairlead/kernel/manifest");
  const path = context.configPath();
  const root = path === undefined ? context.cwd : dirname(path);
  return loadManifest(await manifestPath(context), pathToFileURL(`${root}/`).href);
};

/** Id of the user, as text; the name where the system has no ids. */
export const userId = ({ io }: Context): string => String(process.getuid?.() ?? io.env.USERNAME ?? "");

const gitRoot = (from: string): string | undefined => {
  for (let folder = realPath(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
};

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

export interface FoundOwner {
  readonly state: OwnerState;
  /** Of its lock file; 0 where there never was an owner. */
  readonly number: number;
  /** `undefined` where none can be read. */
  readonly record: OwnerRecord | undefined;
  /** Of its process, where the record says that much. */
  readonly pid: number | undefined;
}

/** The owner of the folder, as it is now. */
export const findOwner = async (stateFolder: string): Promise<FoundOwner> => {
  const { number, parsed } = readLatestOwner(ownerFolder(stateFolder));
  switch (parsed.kind) {
    case "unreadable":
      return { state: "free", number, record: undefined, pid: undefined };
    case "foreign": {
      const isRunning = parsed.pid !== undefined && isPidUsed(parsed.pid);
      return { state: isRunning ? "unreachable" : "free", number, record: undefined, pid: parsed.pid };
    }
    case "owner": {
      const { record } = parsed;
      // The process after the socket: one that was killed between them has closed its socket, and is seen to end.
      const socket = await trySocket(record.socket);
      const evidence = { ...examineProcess(record, ownIdentity()), socket };
      return { state: judgeOwner(record, evidence), number, record, pid: record.pid };
    }
  }
};

const trySocket = (path: string): Promise<OwnerEvidence["socket"]> =>
  new Promise((resolve) => {
    if (path === "") return resolve("missing");
    const socket = connect({ path });
    socket.once("connect", () => {
      socket.destroy();
      resolve("accepted");
    });
    socket.once("error", (error) => {
      // A socket whose owner is too busy to take one more connection has an owner.
      const code = "code" in error ? error.code : undefined;
      if (code === "EACCES" || code === "EPERM") resolve("denied");
      else if (code === "EAGAIN") resolve("accepted");
      else resolve(code === "ECONNREFUSED" ? "refused" : "missing");
    });
  });
