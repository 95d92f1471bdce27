/** Files that a client's hooks read: whether a session is active and in which process, and what its tickets may touch. Projections too. */

import { editLogName, shellEndName } from "../hook/edit-log.ts";
import { statusFile } from "../hook/scope.ts";
import { readInside, removeInside, replaceInside } from "../project/safe-file.ts";
import type { RunState } from "../state/run-state.ts";
import { ticketPolicy } from "../state/state-document.ts";
import { isWaiting } from "../state/waiting.ts";

const policyFile = "scope-policy.json";

/** Writes both files for the state; an ended session has none. `home` is the real path of `.promptwheel`. */
export const writeHookFiles = (home: string, state: RunState): void => {
  if (state.ended) {
    for (const name of [statusFile, policyFile, editLogName, shellEndName]) removeInside(home, name);
    return;
  }
  const { runId, sessionId, phase, current, workers } = state;
  const works = [...(current === null ? [] : [current]), ...workers];
  const status = { run_id: runId, session_id: sessionId, phase, pid: process.pid, waits: isWaiting(state) };
  const tickets = Object.fromEntries(works.map((work) => [work.ticket.id, ticketPolicy(state, work)]));
  replaceInside(home, statusFile, `${JSON.stringify(status)}\n`);
  replaceInside(home, policyFile, `${JSON.stringify({ run_id: runId, tickets }, null, 2)}\n`);
};

/** Id of the process that last held the session; null when the file does not say. */
export const readOwnerPid = (home: string): number | null => {
  const found = readInside(home, statusFile, 4_096);
  const pid = found.kind === "text" ? /"pid":(\d+)/.exec(found.text)?.[1] : undefined;
  return pid === undefined ? null : Number(pid);
};
