/** `followSession`: the lines of the session's log as they are added. They are read from the database, so that a slow reader misses none and holds none. */

import { nextChange } from "../session/next-change.ts";
import type { Project } from "../session/project.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { loggedRow } from "./run.ts";

const pageSize = 100;

export async function* followSession(
  project: Project,
  { after }: ToolInput<"followSession">,
  signal: AbortSignal,
): AsyncGenerator<ToolOutput<"followSession">> {
  const { runId } = project.requireSession();
  let position = after ?? project.store.run(runId)?.last_seq ?? 0;
  while (!signal.aborted) {
    const changed = nextChange(project, signal);
    const isOpen = project.peek()?.runId === runId;
    const rows = project.store.rows(runId, position, pageSize);
    for (const row of rows) {
      yield { run_id: runId, ...loggedRow(row) };
      position = row.seq;
    }
    if (rows.length > 0) continue;
    if (!isOpen) return;
    await changed;
  }
}
