/** The log of tools as the server begins, adds to and reads it. Not here: what clients' hooks write (`hook/edit-log.ts`), and what follows (`edit-times.ts`). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { editLogName, readShellEnd, readToolLog, shellEndName, type ToolMark } from "../hook/edit-log.ts";
import { appendInside, replaceInside } from "../project/safe-file.ts";
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
