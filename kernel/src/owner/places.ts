/**
 * Where state and sockets are. A path of a Unix socket can be no longer than about a hundred bytes, and not every file system takes one, hence
 * several places for it. Windows has named pipes instead.
 */
import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** The user's folder for state: the XDG state folder. */
export const defaultStateDir = (env: Readonly<Record<string, string | undefined>>): string =>
  join(env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "fairlead");

/**
 * The state folder of a project below the user's own, named by the project's root: readable first, unique by its digest. Without a project,
 * the user's own.
 */
export const projectStateFolder = (userFolder: string, projectRoot: string | undefined): string => {
  if (projectRoot === undefined) return userFolder;
  const name =
    basename(projectRoot)
      .replace(/[^\w.-]+/g, "-")
      .slice(0, 40) || "root";
  return join(userFolder, "projects", `${name}-${createHash("sha256").update(projectRoot).digest("hex").slice(0, 12)}`);
};

/** The folder of lock files and sockets of a state folder. */
export const ownerFolder = (stateFolder: string): string => join(stateFolder, "owner");

/**
 * Makes what is missing of an absolute path, for its user alone. One by one: Node's own function that makes several does not end where a file
 * system refuses in its own manner, as `/proc` does. Throws what the system says.
 */
export const makeFolder = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw cause;
  }
};

/** Where an owner may listen. */
export interface SocketPlace {
  readonly path: string;
  /** The folder that must be private to the user; `undefined` for a named pipe, which is in none. */
  readonly folder: string | undefined;
}

interface SocketPlaceOptions {
  /** Of the lock files; tried first. */
  readonly ownerFolder: string;
  /** Unique for this owner. */
  readonly name: string;
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly user: string;
  /** The system's folder for temporary files. */
  readonly temporary: string;
}

/** Bytes of a socket's path that every system takes: macOS has 104 with the zero at the end, Linux 108. */
export const longestSocketPath = 103;

/** Where to listen, in the order in which to try. */
export const socketPlaces = ({
  ownerFolder,
  name,
  platform,
  env,
  user,
  temporary,
}: SocketPlaceOptions): readonly SocketPlace[] => {
  if (platform === "win32") return [{ path: `\\\\.\\pipe\\fairlead-${name}`, folder: undefined }];
  const { XDG_RUNTIME_DIR: runtime } = env;
  const folders = [
    ownerFolder,
    ...(runtime === undefined || runtime === "" ? [] : [join(runtime, "fairlead")]),
    join(temporary, `fairlead-${user}`),
    // The temporary folder may have a long name of its own.
    `/tmp/fairlead-${user}`,
  ];
  return [...new Set(folders)]
    .map((folder) => ({ path: join(folder, `${name}.sock`), folder }))
    .filter(({ path }) => Buffer.byteLength(path) <= longestSocketPath);
};

/**
 * Folders that no program which is held may see: with what is in them it could speak as the owner. Whether they are there or not.
 * @param stateFolder of this kernel
 */
export const ownersFolders = (
  env: Readonly<Record<string, string | undefined>>,
  stateFolder: string,
): readonly string[] => {
  const { XDG_RUNTIME_DIR: runtime } = env;
  const user = String(process.getuid?.() ?? env.USERNAME ?? "");
  const folders = [
    stateFolder,
    defaultStateDir(env),
    ...(runtime === undefined || runtime === "" ? [] : [runtime]),
    join(tmpdir(), `fairlead-${user}`),
    `/tmp/fairlead-${user}`,
  ];
  return [...new Set(folders.map((folder) => resolve(folder)))];
};
