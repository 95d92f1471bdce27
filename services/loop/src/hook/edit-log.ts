/**
 * Notes for the server when the agent's tools were at work, and which file an editing tool was about: with the times of files it can be known whose
 * an edit is. Written by the client's hooks, a line before and a line after each tool, and by the server around its own runs. A failure to note something
 * stops no tool. Not here: what follows from it (`working-tree/edit-times.ts`).
 */
import { appendFileSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { readSession, toProjectPath } from "./scope.ts";

/** Relative to `.promptwheel`. */
export const editLogName = "tool-log.ndjson";

/**
 * Written by the hook after a shell command, which is a line of the shell: its time is when the last one ended. Only a command that succeeded has that
 * hook in Claude Code.
 */
export const shellEndName = "tool-end";

/** A line of the log. */
export interface ToolMark {
  /** Milliseconds since the epoch, by the system's clock, as the times of files are. */
  readonly at: number;
  /** `begin`: a ticket was taken. */
  readonly when: "begin" | "before" | "after";
  /** The call that it is about, the same before and after; at the beginning the ticket. */
  readonly call: string;
  /** The file that the tool edits, relative to the project; left out where it is not about one. */
  readonly path?: string;
  /** When that file was last changed, in milliseconds; left out where it is not there. */
  readonly changed?: number;
  /** When the last shell command had ended by then, in milliseconds. */
  readonly ended?: number;
}

interface ToolUse {
  readonly call: string;
  /** Empty where the tool is not about a file. */
  readonly file: string;
  readonly from: string;
}

/** Where the log is not small any more nothing is added: the server begins a new one with each ticket, and reads it as a whole. */
export const mostLogBytes = 1_048_576;

export const noteTool = (root: string, when: ToolMark["when"], { call, file, from }: ToolUse): void => {
  try {
    if (readSession(root) === undefined) return;
    const log = join(root, ".promptwheel", editLogName);
    // The server makes it: without it the session does not look at tools.
    if (lstatSync(log).size > mostLogBytes) return;
    const path = file === "" ? undefined : toProjectPath(root, resolve(from, file));
    const changed = path === undefined ? undefined : lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs;
    const ended = when === "before" ? readShellEnd(join(root, ".promptwheel")) : undefined;
    const named = { ...(path !== undefined && { path }), ...(changed && { changed }), ...(ended && { ended }) };
    const mark = { at: Date.now(), when, call, ...named };
    appendFileSync(log, `${JSON.stringify(mark)}\n`);
  } catch {
    // No tool waits for a note.
  }
};

/** When the last shell command ended; nothing where none has. */
export const readShellEnd = (home: string): number | undefined => {
  const found = lstatSync(join(home, shellEndName), { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0 ? found.mtimeMs : undefined;
};
