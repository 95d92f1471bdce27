/**
 * Who changed the tokens, what and when: one line of JSON a change, written before the change (`begun`) and after it (`done`). Only hashes and
 * names are in it. Each line is on the disk when the call returns.
 *
 * Not here: the change itself (`token-changes.ts`), under whose lock all of this runs.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import * as z from "zod";

export const auditPath = (tokenFile: string): string => `${tokenFile}.audit.ndjson`;

const entrySchema = z.object({
  /** Random; the same for the two lines of one change. */
  id: z.string(),
  /** UTC. */
  at: z.iso.datetime(),
  state: z.enum(["begun", "done", "undone"]),
  /** The system's user and process that made the change. */
  user: z.string(),
  pid: z.int(),
  change: z.enum(["create", "rotate", "revoke"]),
  /** The caller that asked a kernel for it; absent for a command of the terminal. */
  by: z.string().optional(),
  /** The caller whose tokens were changed. */
  name: z.string(),
  /** SHA-256 of the new token, where there is one. */
  token: z.string().optional(),
  /** SHA-256 of the file after the change. */
  file: z.string(),
});

/** One change of the tokens: when, by which command, of which caller. */
export type AuditEntry = z.output<typeof entrySchema>;

/** All entries, oldest first; a line that was cut off by a crash is left out. */
export const readAudit = (tokenFile: string): readonly AuditEntry[] => {
  let text: string;
  try {
    text = readFileSync(auditPath(tokenFile), "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return [];
    throw cause;
  }
  return text.split("\n").flatMap(parseLine);
};

const parseLine = (line: string): readonly AuditEntry[] => {
  try {
    const entry = entrySchema.safeParse(JSON.parse(line));
    return entry.success ? [entry.data] : [];
  } catch {
    return [];
  }
};

export const writeAudit = (tokenFile: string, entry: Omit<AuditEntry, "at" | "user" | "pid">): void => {
  const file = openSync(auditPath(tokenFile), "a", 0o600);
  try {
    const { id, ...rest } = entry;
    const stamp = { at: new Date().toISOString(), user: userName(), pid: process.pid };
    // It begins with a line break: the line before it may have been cut off.
    writeFileSync(file, `\n${JSON.stringify({ id, ...stamp, ...rest })}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
};
