/**
 * The verbs of `fairlead session` and `fairlead run`, as data: which procedure each calls, which words and flags fill which
 * fields, and how people read the answer. What has no flag goes in with `-d`.
 */

export interface VerbWord {
  /** As shown in help. */
  readonly name: string;
  readonly field: string;
  readonly about: string;
  /** Takes all the words that are left, as a list. */
  readonly many?: true;
  readonly optional?: true;
}

export interface VerbFlag {
  /** As commander reads it, like `--scope <glob>`. */
  readonly flags: string;
  /** Commander's name for it. */
  readonly key: string;
  readonly field: string;
  readonly about: string;
  readonly kind: "text" | "number" | "switch";
}

export interface VerbPages {
  /** Field of the answer with the items. */
  readonly items: string;
  /** Field of the answer that says where the next page begins; null at the end. */
  readonly next: string;
  /** Field of the input that takes it. */
  readonly after: string;
  /** Field of the input with the most items of a page. */
  readonly limit: string;
}

type Answer = Readonly<Record<string, unknown>>;

export interface Verb {
  readonly name: string;
  readonly procedure: string;
  readonly summary: string;
  readonly words: readonly VerbWord[];
  readonly flags: readonly VerbFlag[];
  /** Field that `-d` fills; the whole input when left out. */
  readonly data?: string;
  /** Where the answer is one page of a list, all pages are read, unless the flag is given that says how long one may be. */
  readonly pages?: VerbPages;
  readonly example: string;
  readonly text: (answer: Answer) => string;
  /** What people are told besides, on stderr. */
  readonly notes?: (answer: Answer) => readonly string[];
}

const ticket: VerbWord = { name: "ticket", field: "ticketId", about: "Id of the ticket" };
const run: VerbWord = { name: "run", field: "runId", about: "Id of the run" };

const flag = (flags: string, field: string, about: string, kind: VerbFlag["kind"] = "text"): VerbFlag => ({
  flags,
  key: (/--([a-z-]+)/.exec(flags)?.[1] ?? "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  field,
  about,
  kind,
});

const repeatId = flag("--id <event>", "event_id", "Makes a repeat harmless: evt_ and twelve letters or digits");

const shown = (value: unknown): string =>
  typeof value === "string" ? value : value === null ? "-" : (JSON.stringify(value) ?? "");

/** One line a field. */
const fields = (answer: Answer): string => {
  const width = Math.max(0, ...Object.keys(answer).map((key) => key.length));
  return Object.entries(answer)
    .map(([key, value]) => `${key.padEnd(width)}  ${shown(value)}`)
    .join("\n");
};

const message = (answer: Answer): string => shown(answer.message);

/** One line an item of a list. */
const list =
  (field: string, columns: readonly string[]) =>
  (answer: Answer): string => {
    const items: unknown = answer[field];
    return (Array.isArray(items) ? items : [])
      .map((item: Answer) => columns.map((column) => shown(item[column])).join("  "))
      .join("\n");
  };

const prompts = (answer: Answer): string => {
  const parallel: unknown = answer.parallel_tickets;
  if (Array.isArray(parallel)) return parallel.map((one: Answer) => shown(one.prompt)).join("\n\n");
  return answer.prompt === null ? `${shown(answer.next_action)}: ${shown(answer.reason)}` : shown(answer.prompt);
};

/** The lines of a run's state that say how it went. */
const stateOf = ({ run_id, state }: Answer): string => {
  const all: Answer = typeof state === "object" && state !== null ? { ...state } : {};
  const names = [
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
  return fields({ run_id, ...Object.fromEntries(names.map((name) => [name, all[name]])) });
};

export const verbs: readonly Verb[] = [
  {
    name: "session start",
    procedure: "loop.startSession",
    summary: "Start an improvement session",
    words: [],
    flags: [
      flag("--scope <glob>", "scope", "Files to improve"),
      flag("--formula <name>", "formula", "What to look for"),
      flag("--hours <n>", "hours", "Hours until it expires", "number"),
      flag("--step-budget <n>", "step_budget", "Prompts it may hand out", "number"),
      flag("--draft-prs", "draft_prs", "Open a draft pull request for each ticket", "switch"),
      repeatId,
    ],
    example: "fairlead session start --scope 'src/**' --formula security-audit",
    text: (answer) => `${shown(answer.run_id)}: ${shown(answer.message)}`,
    notes: ({ warnings }) => (Array.isArray(warnings) ? warnings.map((warning) => `warning: ${shown(warning)}`) : []),
  },
  {
    name: "session advance",
    procedure: "loop.advance",
    summary: "Say what to do next",
    words: [],
    flags: [repeatId],
    example: "fairlead session advance",
    text: prompts,
  },
  {
    name: "session event",
    procedure: "loop.ingestEvent",
    summary: "Report an event",
    words: [{ name: "type", field: "type", about: "Type of the event, like TICKET_RESULT" }],
    flags: [repeatId],
    data: "payload",
    example: "fairlead session event SCOUT_OUTPUT -d '{\"proposals\":[]}'",
    text: message,
  },
  {
    name: "session status",
    procedure: "loop.sessionStatus",
    summary: "Show where the session stands",
    words: [],
    flags: [],
    example: "fairlead session status",
    text: fields,
  },
  {
    name: "session end",
    procedure: "loop.endSession",
    summary: "End the session and sum it up",
    words: [],
    flags: [repeatId],
    example: "fairlead session end",
    text: fields,
  },
  {
    name: "session nudge",
    procedure: "loop.nudge",
    summary: "Add a hint for the next scout",
    words: [{ name: "hint", field: "hint", about: "What to look at" }],
    flags: [repeatId],
    example: "fairlead session nudge 'look at the parser'",
    text: message,
  },
  {
    name: "session formulas",
    procedure: "loop.listFormulas",
    summary: "List the formulas",
    words: [],
    flags: [],
    example: "fairlead session formulas",
    text: list("formulas", ["name", "description"]),
  },
  {
    name: "session policy",
    procedure: "loop.getScopePolicy",
    summary: "Show what the current ticket may touch",
    words: [{ name: "file", field: "file_path", about: "A path to check", optional: true }],
    flags: [flag("--ticket <id>", "ticketId", "One of several parallel tickets")],
    example: "fairlead session policy src/parser.ts",
    text: fields,
  },
  {
    name: "session next",
    procedure: "loop.nextTicket",
    summary: "Take the next ticket, or show the current one",
    words: [],
    flags: [],
    example: "fairlead session next",
    // Without a ticket its instructions are the message.
    text: ({ instructions, ...answer }) =>
      fields(instructions === answer.message ? answer : { instructions, ...answer }),
  },
  {
    name: "session scope",
    procedure: "loop.validateScope",
    summary: "Check changed files against a ticket's scope",
    words: [ticket, { name: "files", field: "changedFiles", about: "Paths relative to the project", many: true }],
    flags: [],
    example: "fairlead session scope tkt_000000000001 src/parser.ts",
    text: fields,
  },
  {
    name: "session complete",
    procedure: "loop.completeTicket",
    summary: "Verify a ticket and mark it done",
    words: [ticket, run],
    flags: [flag("--summary <text>", "summary", "What was done"), repeatId],
    example: "fairlead session complete tkt_000000000001 run_000000000001",
    text: message,
  },
  {
    name: "session fail",
    procedure: "loop.failTicket",
    summary: "Give a ticket up",
    words: [ticket, run, { name: "reason", field: "reason", about: "Why" }],
    flags: [repeatId],
    example: "fairlead session fail tkt_000000000001 run_000000000001 'too large'",
    text: message,
  },
  {
    name: "session branch",
    procedure: "loop.gitSetup",
    summary: "Set up a ticket's branch",
    words: [ticket],
    flags: [flag("--base <branch>", "baseBranch", "Where it starts")],
    example: "fairlead session branch tkt_000000000001 --base main",
    text: (answer) => `${shown(answer.branchName)}: ${shown(answer.message)}`,
  },
  {
    name: "run ls",
    procedure: "loop.listRuns",
    summary: "List runs",
    words: [],
    flags: [flag("--limit <n>", "limit", "At most so many", "number")],
    example: "fairlead run ls",
    text: list("runs", ["run_id", "started_at", "phase", "events"]),
    notes: ({ runs }) => (Array.isArray(runs) && runs.length === 0 ? ["there are no runs"] : []),
  },
  {
    name: "run show",
    procedure: "loop.showRun",
    summary: "Show a run: where it stands, and its log",
    words: [{ name: "run", field: "run_id", about: "Id of the run" }],
    flags: [
      flag("--after <n>", "after", "Only lines after this position", "number"),
      flag("--limit <n>", "limit", "At most so many lines", "number"),
    ],
    pages: { items: "events", next: "next", after: "after", limit: "limit" },
    example: "fairlead run show run_000000000001",
    text: (answer) => `${stateOf(answer)}\n\n${list("events", ["seq", "ts", "step", "type", "payload"])(answer)}`,
  },
  {
    name: "run replay",
    procedure: "loop.replayRun",
    summary: "Compute a run anew from its log and compare",
    words: [{ name: "run", field: "run_id", about: "Id of the run" }],
    flags: [],
    example: "fairlead run replay run_000000000001",
    text: fields,
  },
];
