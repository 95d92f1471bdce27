/**
 * Who owns a state folder, who attaches to the owner, and who takes over: decided from what the lock file says and what was seen of its
 * writer. Pure.
 *
 * Not here: reading and writing the lock (`lock.ts`), looking at processes (`process-identity.ts`), trying the socket (the caller).
 */
import { createHash } from "node:crypto";
import type { OwnerCommand, OwnerRecord } from "./record.ts";

/** What was seen of the process that a record names. */
export interface OwnerEvidence {
  /** Whether the system was started again since the record was written; `unknown` where the system does not say. */
  readonly boot: "same" | "other" | "unknown";
  /** `unknown` where a process with this pid cannot be distinguished from the one that wrote the record. */
  readonly process: "same" | "gone" | "unknown";
  /**
   * The result of connecting: no process accepts it (`refused`), there is no such socket, or none that can be seen from here (`missing`), or this
   * user may not connect (`denied`).
   */
  readonly socket: "accepted" | "refused" | "missing" | "denied";
}

/** `unreachable`: the process runs, and no other can connect to it. */
export type OwnerState = "free" | "open" | "ending" | "unreachable";

/**
 * The state of the owner that a record names. A socket that accepts is proof that its process runs: each owner has a socket of its own,
 * and the system closes it with the process. So the pid counts only where the socket says nothing.
 *
 * Where the process cannot be identified either, the owner counts as gone only by proof: by another start of the system, or by a socket that
 * refuses on the same one. A socket that is missing may be in another container's folder, and macOS refuses for an owner that is busy.
 */
export const judgeOwner = (
  { phase }: Pick<OwnerRecord, "phase">,
  { boot, process, socket }: OwnerEvidence,
): OwnerState => {
  if (phase === "released") return "free";
  const isRunning =
    socket === "accepted" ||
    (boot !== "other" && (process === "same" || (process === "unknown" && !(boot === "same" && socket === "refused"))));
  if (!isRunning) return "free";
  if (phase === "ending") return "ending";
  return socket === "accepted" ? "open" : "unreachable";
};

/** What must be the same for a process to use an owner's services. */
export type OwnerTerms = Pick<OwnerRecord, "configuration" | "source" | "version" | "user">;

/** What two processes must agree on to share a state folder. */
export type OwnerMismatch = Exclude<keyof OwnerTerms, "source">;

/**
 * In what the owner differs from who comes. The same text of a configuration file is the same configuration: what it reads from the environment
 * is the owner's, and a command in another shell need not have the owner's secrets.
 */
export const mismatches = (owner: OwnerTerms, own: OwnerTerms): readonly OwnerMismatch[] => {
  const sameSource = owner.source !== undefined && owner.source === own.source;
  return (["user", "version", "configuration"] as const).filter(
    (term) => owner[term] !== own[term] && !(term === "configuration" && sameSource),
  );
};

interface ConfigurationSource {
  /** Folder that the services work in. */
  readonly folder: string;
  /** What the configuration file exports. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Settings of the process and of its network: two processes may differ in these and still have the same services. */
const ownSettings: ReadonlySet<string> = new Set([
  "host",
  "port",
  "hosts",
  "origins",
  "tokens",
  "lagMs",
  "admin",
  "log",
  "otlp",
  "gen",
  "stateDir",
]);

/** Variables that choose or change services. */
const serviceVariables = ["FAIRLEAD_ONLY", "FAIRLEAD_MANIFEST", "WITHIN_FAIRLEAD"] as const;

/** A digest of all that makes services differ. */
export const configurationDigest = ({ folder, value, env }: ConfigurationSource): string => {
  const settings = Object.entries(value).filter(([key]) => !ownSettings.has(key));
  return digest([folder, sorted(Object.fromEntries(settings)), variablesIn(env)]);
};

/** A digest of a configuration file as it is written. Pure: `text` is the file's. */
export const sourceDigest = ({
  folder,
  text,
  env,
}: Pick<ConfigurationSource, "folder" | "env"> & { readonly text: string }): string =>
  digest([folder, text, variablesIn(env)]);

const variablesIn = (env: ConfigurationSource["env"]): unknown =>
  serviceVariables.map((name) => [name, env[name] ?? null]);

const digest = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

/** The same value with the members of its objects in one order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return typeof value === "function" ? String(value) : value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
};

/** What a process does about a state folder. */
type OwnerDecision =
  /** Become the owner. */
  | { readonly do: "claim" }
  /** Use the owner's services through its socket. */
  | { readonly do: "attach" }
  /** Look again in a moment: the owner is about to leave. */
  | { readonly do: "wait" }
  /** Run on a throw-away folder. */
  | { readonly do: "local"; readonly because: readonly OwnerMismatch[] }
  | { readonly do: "refuse"; readonly because: "owned" | "unreachable" };

/** A process that needs a state folder, and the owner that it found there. */
interface OwnerMeeting {
  readonly command: OwnerCommand;
  readonly state: OwnerState;
  /** Of the owner. */
  readonly owner: Pick<OwnerRecord, "command">;
  readonly mismatch: readonly OwnerMismatch[];
}

/** Decides for one process. No process waits for ever: the caller counts its own time and gives up. */
export const decide = ({ command, state, owner, mismatch }: OwnerMeeting): OwnerDecision => {
  const serves = command === "up" || command === "dev";
  switch (state) {
    case "free":
      return { do: "claim" };
    case "ending":
      return { do: "wait" };
    case "open":
      // A call is over soon, and then the folder is free for what stays.
      if (serves) return owner.command === "call" ? { do: "wait" } : { do: "refuse", because: "owned" };
      return mismatch.length === 0 ? { do: "attach" } : { do: "local", because: mismatch };
    case "unreachable":
      if (serves || mismatch.length === 0) return { do: "refuse", because: "unreachable" };
      return { do: "local", because: mismatch };
  }
};
