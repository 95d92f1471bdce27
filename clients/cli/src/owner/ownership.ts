/**
 * What a command does about the state folder of its project: becomes its owner, uses the owner's kernel, or works on a throw-away folder.
 * Decides before any service is loaded.
 */
import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  claimLock,
  decide,
  makeFolder,
  mismatches,
  type OwnerCommand,
  type OwnerLock,
  type OwnerRecord,
  type OwnerTerms,
  ownerFolder,
  ownIdentity,
  recordSchema,
} from "@fairlead/kernel/owner";
import type { Context } from "../command/context.ts";
import { listen, type OwnerListener } from "./listener.ts";
import {
  type FoundOwner,
  findOwner,
  manifestPath,
  noteFolder,
  ownTerms,
  type StatePlace,
  statePlace,
  userId,
} from "./place.ts";

/** A state folder that this process may use until it lets go of it. */
export interface OwnFolder {
  readonly kind: "own";
  readonly folder: string;
  /** What callers on the socket must send; `undefined` where there are none. */
  readonly key: string | undefined;
  /** Gives callers on the socket to a kernel. */
  serve(accept: Parameters<OwnerListener["serve"]>[0]): void;
  /** Writes down where the kernel's HTTP server is. */
  announce(url: string): void;
  /** Takes no more callers; the others learn that the folder will be free soon. */
  end(): void;
  /** After the state is closed: the folder is free. */
  release(): void;
}

export type Ownership = OwnFolder | { readonly kind: "attach"; readonly owner: OwnerRecord };

interface OwnershipRequest {
  readonly command: OwnerCommand;
  /** Work on a throw-away folder, whoever owns the project's. */
  readonly local: boolean;
}

/** Milliseconds that an owner has to leave. */
const leaveMs = 30_000;
/** Milliseconds that a command which is over soon has to be over. */
const callMs = 10_000;
const lookEveryMs = 25;

/** Read only where something is to be said. */
const words = () => import("./words.ts");

/** For a command that cannot use another process's kernel. */
export const requireFolder = async (context: Context, request: OwnershipRequest): Promise<OwnFolder> => {
  const settled = await settleOwnership(context, request);
  if (settled.kind === "own") return settled;
  const { owner } = settled;
  const { ownedError } = await words();
  throw ownedError({ record: owner, pid: owner.pid }, (await statePlace(context)).folder, request.command);
};

export const settleOwnership = async (
  context: Context,
  { command, local }: OwnershipRequest,
  openSocket = listen,
): Promise<Ownership> => {
  const place = await statePlace(context);
  if (local) return throwAway(place);
  const terms = await ownTerms(context, place);
  const began = performance.now();
  for (;;) {
    const found = await findOwner(place.folder);
    const { record, state } = found;
    const decision = decide({
      command,
      state,
      owner: { command: record?.command ?? "up" },
      mismatch: record === undefined ? ["version"] : mismatches(record, terms),
    });
    // Its own services would need the configuration; an owner's do not.
    if (place.unevaluated !== undefined && decision.do !== "attach" && decision.do !== "refuse")
      throw place.unevaluated;
    switch (decision.do) {
      case "claim": {
        const claimed = await claimFolder(context, place, { command, terms, found, openSocket });
        if (claimed !== undefined) return claimed;
        break;
      }
      case "attach":
        if (record !== undefined) return { kind: "attach", owner: record };
        break;
      case "wait":
        if (performance.now() - began > (state === "ending" ? leaveMs : callMs)) {
          const { ownedError, unreachableError } = await words();
          throw state === "ending"
            ? unreachableError(found, place.folder, command)
            : ownedError(found, place.folder, command);
        }
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
        break;
      case "local":
        context.io.err((await words()).localNotice(found, decision.because));
        return throwAway(place);
      case "refuse": {
        const { ownedError, unreachableError } = await words();
        throw decision.because === "owned"
          ? ownedError(found, place.folder, command)
          : unreachableError(found, place.folder, command);
      }
    }
  }
};

/** A folder for this process alone. Whoever needs a token for the project's kernel needs it here, too. */
const throwAway = ({ folder: project }: Pick<StatePlace, "folder">): OwnFolder => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-local-"));
  const tokens = join(project, "tokens.json");
  if (existsSync(tokens)) copyFileSync(tokens, join(folder, "tokens.json"));
  return alone(folder, () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
};

/** A folder without a lock: no process can attach. */
const alone = (folder: string, release: () => void): OwnFolder => ({
  kind: "own",
  folder,
  key: undefined,
  serve: () => undefined,
  announce: () => undefined,
  end: () => undefined,
  release,
});

interface ClaimRequest {
  readonly command: OwnerCommand;
  readonly terms: OwnerTerms;
  readonly found: FoundOwner;
  readonly openSocket: typeof listen;
}

/** `undefined` when another process was faster. */
const claimFolder = async (
  context: Context,
  place: StatePlace,
  { command, terms, found, openSocket }: ClaimRequest,
): Promise<OwnFolder | undefined> => {
  const { folder } = place;
  const locks = ownerFolder(folder);
  try {
    makeFolder(locks);
  } catch {
    // Nothing can be kept there, so there is nothing to own. What needs the folder says so when it is called.
    return alone(folder, () => undefined);
  }
  const owner = statSync(locks).uid;
  if (process.getuid !== undefined && String(owner) !== userId(context)) {
    context.io.err((await words()).foreignFolderNotice(folder));
    return throwAway({ folder });
  }
  // Without a socket the folder is owned all the same: others see an owner that they cannot reach.
  const listener = await openSocket(context, folder);
  const manifest = await manifestPath(context);
  const record: OwnerRecord = {
    ...ownIdentity(),
    ...terms,
    schema: recordSchema,
    startedAt: new Date().toISOString(),
    command,
    socket: listener?.path ?? "",
    key: randomBytes(24).toString("base64url"),
    url: null,
    phase: "open",
    ...(manifest !== undefined && { manifest }),
  };
  const lock = claimLock(locks, found.number + 1, record);
  if (lock === undefined) {
    listener?.close();
    return undefined;
  }
  noteFolder(place, context);
  // What a killed owner left behind; a named pipe ends with its process.
  if (found.record?.socket.endsWith(".sock") === true) rmSync(found.record.socket, { force: true });
  return owned(folder, lock, listener);
};

const owned = (folder: string, lock: OwnerLock, listener: OwnerListener | undefined): OwnFolder => ({
  kind: "own",
  folder,
  key: listener === undefined ? undefined : lock.record.key,
  serve: (accept) => listener?.serve(accept),
  announce: (url) => note(lock, { url }),
  end: () => {
    note(lock, { phase: "ending" });
    listener?.close();
  },
  release: () => note(lock, { phase: "released" }),
});

/** A full disk, or a folder that is gone, must not keep a kernel from ending: its process is the proof that counts. */
const note = (lock: OwnerLock, change: Parameters<OwnerLock["update"]>[0]): void => {
  try {
    lock.update(change);
  } catch {
    // Others see that the process is gone.
  }
};
