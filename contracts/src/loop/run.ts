/** Procedures of the loop contract that are about whole runs: listing, showing, replaying. Not on MCP: they are for people. */
import * as z from "zod";
import { query } from "../core/index.ts";
import * as errors from "./error.ts";
import { found, logLine, phase, project, runId } from "./session.ts";

export const runProcedures = {
  listRuns: query({
    summary: "Lists the project's runs, newest first.",
    input: z.object({ project, limit: z.int().min(1).max(200).default(20).describe("At most so many.") }),
    output: z.object({
      runs: z
        .array(
          z.object({
            run_id: runId,
            started_at: z.string().describe("UTC."),
            ended_at: z.string().nullable().describe("UTC; null while active."),
            phase,
            events: z.int().describe("Lines of its log."),
          }),
        )
        .describe("Runs."),
    }),
    errors: found,
    examples: [{ summary: "The last twenty", input: {} }],
    tool: false,
  }),
  showRun: query({
    summary: "Shows a run: its state and its log.",
    input: z.object({
      project,
      run_id: runId,
      after: z.int().min(0).default(0).describe("Only lines after this position."),
      limit: z.int().min(1).max(500).default(200).describe("At most so many lines."),
    }),
    output: z.object({
      run_id: runId,
      state: z.record(z.string(), z.unknown()).describe("The content of state.json, from the log."),
      events: z.array(logLine).describe("The log."),
      next: z.int().nullable().describe("Send as `after` for more; null at the end."),
    }),
    errors: { ...found, unknown_run: errors.unknownRun },
    examples: [{ summary: "A run", input: { run_id: "run_000000000001" } }],
    tool: false,
  }),
  replayRun: query({
    summary: "Computes a run's state again from its event log and compares it with what is stored.",
    input: z.object({ project, run_id: runId }),
    output: z.object({
      run_id: runId,
      events: z.int().describe("Events applied."),
      derived: z.int().describe("Lines the machine had added, compared one by one."),
      equal: z.boolean().describe("True when everything agrees."),
      differences: z.array(z.string()).describe("What does not; at most 20."),
      phase,
    }),
    errors: { ...found, unknown_run: errors.unknownRun },
    examples: [{ summary: "A run", input: { run_id: "run_000000000001" } }],
    policy: { deadlineMs: 120_000, concurrency: 2 },
    tool: false,
  }),
};
