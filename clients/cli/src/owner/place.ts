/**
 * Where the kernel of a command keeps its state, who owns that folder now, and what the two must have in common. Reads the lock file, tries the
 * socket, looks at the process, and changes nothing.
 */
import { existsSync, realpathSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join, resolve } from "node:path";
import {
  configurationDigest,
  defaultStateDir,
  examineProcess,
  isPidUsed,
  judgeOwner,
  type OwnerEvidence,
  type OwnerRecord,
  type OwnerState,
  type OwnerTerms,
  ownerFolder,
  ownIdentity,
  projectStateFolder,
  readLatestOwner,
  version,
} from "@fairlead/kernel/owner";
import { type Context, text } from "../command/context.ts";

export interface StatePlace {
  /** Absolute path of the state folder. */
  readonly folder: string;
  /** Root of the project; `undefined` outside of any. */
  readonly project: string | undefined;
}

/** What is configured, else the folder of the project, else the user's own. */
export const statePlace = async (context: Context): Promise<StatePlace> => {
  const { path, root, value } = await context.configFile();
  const { env } = context.io;
  const project = path === undefined ? gitRoot(context.cwd) : realPath(root);
  const configured = text(env.FAIRLEAD_STATE_DIR) ?? text(value.stateDir);
  const folder =
    configured === undefined ? projectStateFolder(defaultStateDir(env), project) : resolve(root, configured);
  return { folder, project };
};

/** What this command's kernel would be. Outside of projects its services work in the folder that it runs in. */
export const ownTerms = async (context: Context, { project }: StatePlace): Promise<OwnerTerms> => {
  const { value } = await context.configFile();
  return {
    user: userId(context),
    version,
    configuration: configurationDigest({ folder: project ?? realPath(context.cwd), value, env: context.io.env }),
  };
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
