/**
 * Keeps the last project's session for the next run in this process, so that it need not start a thread and read Zod again. Files are
 * compared by time and size; a session with a file that could not be loaded is not kept, since any change may be the one that repairs it.
 *
 * Not here: what a session knows (`load-session`).
 */
import { statSync } from "node:fs";
import { type LoadSession, loadSession } from "./load-session.ts";

/** Milliseconds without a run before the thread ends. */
const idleMs = 30_000;

/** File systems note times by a clock that runs a few milliseconds late. */
const clockLagMs = 10;

interface KeptSession {
  readonly root: string;
  readonly session: LoadSession;
  /** By file. */
  readonly states: ReadonlyMap<string, string>;
  readonly idle: NodeJS.Timeout;
}

let kept: KeptSession | undefined;

/** Runs `work` in a session of a project, which is kept afterwards when `work` says so. */
export const inKeptSession = async <T extends { readonly keep: boolean }>(
  root: string,
  work: (session: LoadSession) => Promise<T>,
): Promise<T> => {
  const begun = Date.now();
  const session = takeSession(root);
  let keep = false;
  try {
    const result = await work(session);
    keep = result.keep;
    return result;
  } finally {
    // A run at the same time may have kept its own.
    if (keep && kept === undefined) keepSession(root, session, begun);
    else await session.close();
  }
};

const takeSession = (root: string): LoadSession => {
  if (kept === undefined) return loadSession();
  const { session, states, idle, root: before } = kept;
  kept = undefined;
  clearTimeout(idle);
  if (before !== root) {
    void session.close();
    return loadSession();
  }
  for (const [file, state] of states)
    if (fileState(file, Number.POSITIVE_INFINITY) !== state) session.graph.changed(file);
  return session;
};

const keepSession = (root: string, session: LoadSession, begun: number): void => {
  const states = new Map(session.graph.files().map((file) => [file, fileState(file, begun - clockLagMs)]));
  const idle = setTimeout(() => {
    kept = undefined;
    void session.close();
  }, idleMs).unref();
  kept = { root, session, states, idle };
};

/** Differs between two states of a file. One that was written since a time (milliseconds) may have been loaded before: it has none. */
const fileState = (file: string, since: number): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined || stats.mtimeMs >= since ? "" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
};
