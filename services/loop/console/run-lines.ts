/** The log of a run: read page by page, and of an open session followed as it grows. */
import { readCallError, type StreamStatus } from "@fairlead/console/kit";
import { useCallback, useEffect, useState } from "react";
import { api, type LogPage, type SessionLine } from "./api.ts";
import { mergeLines } from "./merge-lines.ts";

interface RunLines {
  readonly lines: readonly SessionLine[];
  readonly add: (added: readonly SessionLine[]) => void;
  /** Why it could not be read; empty where it could. */
  readonly problem: string;
}

/** `read`: false for an open session, whose stream begins with its first line. */
export const useRunLines = (project: string, runId: string, read: boolean): RunLines => {
  const [lines, setLines] = useState<readonly SessionLine[]>([]);
  const [problem, setProblem] = useState("");
  const add = useCallback((added: readonly SessionLine[]) => setLines((known) => mergeLines(known, added)), []);
  useEffect(() => {
    if (!read) return;
    let isOver = false;
    const readAll = async (): Promise<void> => {
      for (let after: number | null = 0; after !== null && !isOver; ) {
        const page: LogPage = await api.query("showRun", { project, run_id: runId, after, limit: 500 });
        if (!isOver) add(page.events);
        after = page.next;
      }
    };
    readAll().catch((error: unknown) => {
      if (!isOver) setProblem(readCallError(error).message);
    });
    return () => {
      isOver = true;
    };
  }, [project, runId, read, add]);
  return { lines, add, problem };
};

/** Follows the session that is open in a project, from its first line. */
export const useFollow = (project: string, onLines: (lines: readonly SessionLine[]) => void): StreamStatus =>
  api.useStream("followSession", { project, after: 0 }, onLines);
