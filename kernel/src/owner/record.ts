/**
 * What an owner of a state folder writes down about itself, and how others read it. Pure.
 *
 * Not here: where it is kept (`lock.ts`), and what follows from it (`decide.ts`).
 */
import { isRecord } from "../call/record.ts";

/** What the owning process was started for. A `call` ends with one call; the other two stay. */
export type OwnerCommand = "up" | "dev" | "mcp serve" | "call";

/**
 * `open`: it takes callers, or will once its services are loaded. `ending`: it takes no more, and finishes what it has begun. `released`:
 * it has closed its state, and the folder is free.
 */
export type OwnerPhase = "open" | "ending" | "released";

/** The owner of a state folder, as written in its lock file. */
export interface OwnerRecord {
  readonly schema: typeof recordSchema;
  readonly pid: number;
  /** When the process of that pid began, as the system counts it: distinguishes it from a later one with the same pid. Empty where unknown. */
  readonly processStart: string;
  /** Names the processes that the pid is counted among: those of one container. Empty where unknown. */
  readonly pidSpace: string;
  /** Of the system's last start. Empty where unknown. */
  readonly bootId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly command: OwnerCommand;
  /** Of Fairlead. */
  readonly version: string;
  /** Id of the user, as text. */
  readonly user: string;
  /** Digest of what its services were configured with. */
  readonly configuration: string;
  /** Digest of the text of its configuration file; left out where there is none. */
  readonly source?: string;
  /** Path of the manifest that its configuration names; left out where it names none. */
  readonly manifest?: string;
  /** Path of its private socket. It listens before the record is written. Empty where no place takes a socket. */
  readonly socket: string;
  /** What callers on the socket must send: only who may read the lock file knows it. */
  readonly key: string;
  /** Address of its HTTP server; `null` while it has none. */
  readonly url: string | null;
  readonly phase: OwnerPhase;
}

/** Version of the record. A record of another version is left alone. */
export const recordSchema = 1;

export const formatOwnerRecord = (record: OwnerRecord): string => `${JSON.stringify(record)}\n`;

/**
 * `unreadable`: no JSON object, as a power cut may leave a file behind. `foreign`: of a Fairlead that writes another schema; its pid is
 * all that is read of it.
 */
export type ParsedOwner =
  | { readonly kind: "owner"; readonly record: OwnerRecord }
  | { readonly kind: "foreign"; readonly pid: number | undefined }
  | { readonly kind: "unreadable" };

export const parseOwnerRecord = (text: string): ParsedOwner => {
  const value = parseObject(text);
  if (value === undefined) return { kind: "unreadable" };
  if (isOwnerRecord(value)) return { kind: "owner", record: value };
  return { kind: "foreign", pid: Number.isSafeInteger(value.pid) ? Number(value.pid) : undefined };
};

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const texts = [
  "processStart",
  "pidSpace",
  "bootId",
  "startedAt",
  "version",
  "user",
  "configuration",
  "socket",
  "key",
] as const satisfies readonly (keyof OwnerRecord)[];
const optionalTexts = ["source", "manifest"] as const satisfies readonly (keyof OwnerRecord)[];
const commands: readonly unknown[] = ["up", "dev", "mcp serve", "call"] satisfies readonly OwnerCommand[];
const phases: readonly unknown[] = ["open", "ending", "released"] satisfies readonly OwnerPhase[];

const isOwnerRecord = (value: object): value is OwnerRecord => {
  const read = (key: keyof OwnerRecord): unknown => Reflect.get(value, key);
  return (
    read("schema") === recordSchema &&
    Number.isSafeInteger(read("pid")) &&
    texts.every((key) => typeof read(key) === "string") &&
    optionalTexts.every((key) => read(key) === undefined || typeof read(key) === "string") &&
    (read("url") === null || typeof read("url") === "string") &&
    commands.includes(read("command")) &&
    phases.includes(read("phase"))
  );
};
