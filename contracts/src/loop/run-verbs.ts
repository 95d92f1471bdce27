/** Runs of the loop, those of before, too: `fairlead run` on the command line, and by addresses. */
import type { Resource, Verb, VerbArgument, VerbFlag, VerbView } from "../core/index.ts";

export const project: VerbFlag = {
  flags: "--project <name>",
  field: "project",
  about: "A project of the server's configuration; the default one when left out",
};
export const runArgument: VerbArgument = { name: "run", field: "run_id", about: "Id of the run" };

const data = { about: "Further input: JSON, @file, or - for stdin" };
const fields: VerbView = { fields: "." };

/** How a run went, from its stored state. */
const runState = [
  "phase",
  "started_at",
  "step_count",
  "step_budget",
  "tickets_completed",
  "tickets_failed",
  "tickets_blocked",
  "prs_created",
  "stop_reason",
];

export const runVerbs: Readonly<Record<string, Verb>> = {
  "run ls": {
    summary: "List runs",
    flags: [project, { flags: "--limit <n>", field: "limit", about: "At most so many" }],
    data,
    examples: ["fairlead run ls"],
    steps: [{ call: "listRuns" }],
    show: {
      table: "runs",
      columns: [{ cell: "{run_id}" }, { cell: "{started_at}" }, { cell: "{phase}" }, { cell: "{events}" }],
    },
    notes: [{ first: [{ when: [{ missing: "runs" }], show: "there are no runs" }] }],
  },
  "run metrics": {
    summary: "Sum up the last runs: tickets, cost, time, commands",
    flags: [project, { flags: "--last <n>", field: "last", about: "So many runs; 50 when left out" }],
    data,
    examples: ["fairlead run metrics --last 20"],
    steps: [{ call: "runMetrics" }],
    show: [
      { fields: "total" },
      "",
      {
        table: "formulas",
        columns: [
          { cell: "{formula}" },
          { cell: "{runs} runs" },
          { cell: "{tickets_done} done" },
          { cell: "{tickets_verified} verified" },
          { cell: "{tickets_failed} failed" },
          { cell: "{cost_usd} USD" },
        ],
      },
      "",
      {
        table: "commands",
        columns: [{ cell: "{failed} of {runs} failed" }, { cell: "{mean_ms} ms" }, { cell: "{command}" }],
      },
    ],
  },
  "run show": {
    summary: "Show a run: its state and its log",
    arguments: [runArgument],
    flags: [
      project,
      { flags: "--after <n>", field: "after", about: "Only lines after this position" },
      { flags: "--limit <n>", field: "limit", about: "At most so many lines" },
    ],
    data,
    examples: ["fairlead run show run_000000000001"],
    steps: [{ call: "showRun", pages: { items: "events", next: "next", after: "after", limit: "limit" } }],
    show: [
      { fields: ".", only: ["run_id"] },
      { fields: "state", only: runState },
      "",
      { each: "events", show: "{seq}  {ts}  {step}  {type}  {payload}" },
    ],
  },
  "run files": {
    summary: "List what a run has left: diffs, prompts, artifacts",
    arguments: [runArgument],
    flags: [project],
    data,
    examples: ["fairlead run files run_000000000001"],
    steps: [{ call: "listRunFiles" }],
    show: { table: "files", columns: [{ cell: "{kind}" }, { cell: "{bytes}" }, { cell: "{path}" }] },
    notes: [{ first: [{ when: [{ missing: "files" }], show: "it has left none" }] }],
  },
  "run file": {
    summary: "Print a file that a run has left",
    arguments: [runArgument, { name: "path", field: "path", about: "As `run files` lists it" }],
    flags: [project],
    examples: ["fairlead run file run_000000000001 prompts/1-scout.md"],
    steps: [{ call: "readRunFile" }],
    show: "{text}",
  },
  "run view": {
    summary: "Show a run as it was after a line of its log",
    arguments: [runArgument],
    flags: [project, { flags: "--at <n>", field: "at", about: "Position in its log; its end when left out" }],
    data,
    examples: ["fairlead run view run_000000000001 --at 12"],
    steps: [{ call: "viewRun" }],
    show: [
      { fields: ".", only: ["run_id", "at", "last", "phase"] },
      "",
      { table: "tickets", columns: [{ cell: "{ticket_id}" }, { cell: "{status}" }, { cell: "{title}" }] },
    ],
  },
  "run replay": {
    summary: "Compute a run again from its log and compare",
    arguments: [runArgument],
    flags: [project],
    data,
    examples: ["fairlead run replay run_000000000001"],
    steps: [{ call: "replayRun" }],
    show: fields,
  },
};

const runField = { about: "Id of the run", choices: { call: "listRuns", path: "runs.run_id" } } as const;
const inDefaultProject = { run_id: "{run}" } as const;
/** A run is read from the files of its project, which other processes write as well. */
const asFilesChange = { everyMs: 2_000 } as const;

/** Runs of the default project, as a person may attach them to what they ask. */
export const resources: Readonly<Record<string, Resource>> = {
  runs: {
    title: "Runs",
    summary: "Improvement sessions of the project, newest first.",
    path: "runs",
    read: "listRuns",
    changes: asFilesChange,
  },
  run: {
    title: "Run",
    summary: "An improvement session: its state, and the beginning of its log.",
    path: "runs/{run}",
    read: "showRun",
    input: inDefaultProject,
    fields: { run: runField },
    changes: asFilesChange,
  },
  runReport: {
    title: "Report of a run",
    summary: "What an improvement session did, ticket by ticket.",
    path: "runs/{run}/report",
    read: "sessionReport",
    input: inDefaultProject,
    text: "markdown",
    type: "text/markdown",
    fields: { run: runField },
    changes: asFilesChange,
  },
  runFiles: {
    title: "Files of a run",
    summary: "Diffs, prompts as they were handed out, and artifacts of an improvement session.",
    path: "runs/{run}/files",
    read: "listRunFiles",
    input: inDefaultProject,
    fields: { run: runField },
    changes: asFilesChange,
  },
  runFile: {
    title: "File of a run",
    summary: "A prompt, a diff or an artifact that an improvement session has left.",
    path: "runs/{run}/files/{path}",
    read: "readRunFile",
    input: { ...inDefaultProject, path: "{path}" },
    text: "text",
    fields: {
      run: runField,
      path: {
        about: "Where it is in the run's folder",
        choices: { call: "listRunFiles", input: inDefaultProject, path: "files.path" },
      },
    },
  },
};
