/** The log of tools as the server begins, adds to and reads it. Not here: what clients' hooks write (`hook/edit-log.ts`), and what follows (`edit-times.ts`). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { editLogName, mostLogBytes, readShellEnd, shellEndName, type ToolMark } from "../hook/edit-log.ts";
import { appendInside, readInside, replaceInside } from "../project/safe-file.ts";
import type { Project } from "../session/project.ts";
import type { TicketId } from "../value/id.ts";
import { readToolTimes, type ToolTimes } from "./edit-times.ts";

/** The system's clock: these times are compared with those of files. */
const mark = (when: ToolMark["when"], call: string): string => `${JSON.stringify({ at: Date.now(), when, call })}\n`;

/** A ticket is taken: what was noted before is not about it. */
export const beginToolLog = ({ home }: Project, id: TicketId): void => {
  replaceInside(home, shellEndName, "");
  replaceInside(home, editLogName, mark("begin", id));
};

/** Runs something of the server's that may write files, which are not a person's then. */
export const duringRun = async <T>({ home }: Project, call: string, run: () => Promise<T>): Promise<T> => {
  const note = (when: ToolMark["when"]): void => {
    try {
      if (existsSync(join(home, editLogName))) appendInside(home, editLogName, mark(when, call));
    } catch {
      // What cannot be noted neither stops the run nor takes the place of its result.
    }
  };
  note("before");
  try {
    return await run();
  } finally {
    note("after");
  }
};

/** When tools were at work on the ticket; `undefined` where no client has noted it. */
export const findToolTimes = ({ home }: Project, id: TicketId): ToolTimes | undefined => {
  const marks = readToolLog(home);
  return marks && readToolTimes(marks, id, readShellEnd(home));
};

/** Bytes that hooks may have added beside one another to a log that was full. */
const slackBytes = 65_536;

/** What the log of `home` holds, as it was written; nothing where there is none, or none that hooks have written: an agent may write it. */
export const readToolLog = (home: string): readonly ToolMark[] | undefined => {
  const found = readInside(home, editLogName, mostLogBytes + slackBytes);
  if (found.kind !== "text") return undefined;
  return found.text.split("\n").flatMap((line) => {
    try {
      const mark: unknown = JSON.parse(line);
      return isMark(mark) ? [mark] : [];
    } catch {
      return [];
    }
  });
};

const isMark = (value: unknown): value is ToolMark =>
  typeof value === "object" &&
  value !== null &&
  "at" in value &&
  Number.isFinite(value.at) &&
  "when" in value &&
  (value.when === "begin" || value.when === "before" || value.when === "after") &&
  "call" in value &&
  typeof value.call === "string" &&
  (!("path" in value) || typeof value.path === "string") &&
  (!("changed" in value) || Number.isFinite(value.changed)) &&
  (!("ended" in value) || Number.isFinite(value.ended));
