/**
 * Where an owner's private socket may be. A path of a Unix socket can be no longer than about a hundred bytes, and not every file system
 * takes one, hence several places. Windows has named pipes instead. Pure.
 */
import { join } from "node:path";

export interface SocketPlace {
  readonly path: string;
  /** The folder that must be private to the user; `undefined` for a named pipe, which is in none. */
  readonly folder: string | undefined;
}

export interface SocketPlaceOptions {
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
