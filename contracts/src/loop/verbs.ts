/** `fairlead session` and `fairlead loop`: the loop's procedures on the command line. What has no flag goes in with `-d`. */
import type { Prompt, Verb, VerbArgument, VerbFlag, VerbView } from "../core/index.ts";
import { project, runArgument, runVerbs } from "./run-verbs.ts";

const repeatId: VerbFlag = {
  flags: "--id <event>",
  field: "event_id",
  about: "Makes a repeat harmless: evt_ and twelve letters or digits",
};
const ticketFlag: VerbFlag = {
  flags: "--ticket <ticket>",
  field: "ticket_id",
  about: "The ticket whose plan is meant, where there are several",
};
const ticket: VerbArgument = { name: "ticket", field: "ticketId", about: "Id of the ticket" };
const ticketRun: VerbArgument = { name: "run", field: "runId", about: "Id of the run" };

const client: VerbArgument = { name: "client", field: "client", about: "The client to install it in" };

const data = { about: "Further input: JSON, @file, or - for stdin" };
const fields: VerbView = { fields: "." };
const message: VerbView = "{message}";

export const verbs: Readonly<Record<string, Verb>> = {
  "session start": {
    summary: "Start an improvement session",
    flags: [
      project,
      { flags: "--scope <glob>", field: "scope", about: "Files to improve" },
      { flags: "--formula <name>", field: "formula", about: "What to look for" },
      { flags: "--deep", field: "deep", about: "The same as --formula deep" },
      { flags: "--categories <name...>", field: "categories", about: "Categories to look for" },
      { flags: "--min-confidence <n>", field: "min_confidence", about: "A hint for the scout: 0 to 100" },
      { flags: "--hours <n>", field: "hours", about: "Hours until it expires" },
      { flags: "--step-budget <n>", field: "step_budget", about: "Prompts it may hand out" },
      { flags: "--ticket-step-budget <n>", field: "ticket_step_budget", about: "Prompts one ticket may use" },
      { flags: "--max-prs <n>", field: "max_prs", about: "Pull requests it may open" },
      { flags: "--max-cost-usd <n>", field: "max_cost_usd", about: "US dollars it may cost" },
      { flags: "--max-tokens <n>", field: "max_tokens", about: "Tokens it may use" },
      { flags: "--own-tree", field: "own_tree", about: "End each ticket as a commit, on a branch, or parked" },
      { flags: "--draft-prs", field: "draft_prs", about: "Open a draft pull request for each ticket" },
      repeatId,
    ],
    data,
    examples: ["fairlead session start --scope 'src/**' --formula security-audit"],
    steps: [{ call: "startSession" }],
    show: "{run_id}: {message}",
    notes: [{ each: "warnings", show: "warning: {.}" }],
  },
  "session advance": {
    summary: "Print what to do next",
    flags: [project, repeatId],
    data,
    examples: ["fairlead session advance"],
    steps: [{ call: "advance" }],
    show: {
      first: [
        {
          when: [{ present: "parallel_tickets" }],
          show: { each: "parallel_tickets", show: "{prompt}", between: "\n\n" },
        },
        { when: [{ present: "prompt" }], show: "{prompt}" },
        { show: "{next_action}: {reason}" },
      ],
    },
  },
  "session event": {
    summary: "Report an event",
    arguments: [{ name: "type", field: "type", about: "Type of the event, like TICKET_RESULT" }],
    flags: [project, repeatId],
    data: { field: "payload", about: "Its payload: JSON, @file, or - for stdin" },
    examples: ["fairlead session event SCOUT_OUTPUT -d '{\"proposals\":[]}'"],
    steps: [{ call: "ingestEvent" }],
    show: message,
  },
  "session status": {
    summary: "Show the state of the session",
    flags: [project],
    data,
    examples: ["fairlead session status", "fairlead session status --follow"],
    steps: [{ call: "sessionStatus" }],
    show: fields,
    watch: {
      flag: "follow",
      call: "followSession",
      input: { project: "$project" },
      about: "Follow its log, until it has ended",
      show: "{ts} {type} {payload}",
    },
  },
  "session end": {
    summary: "End the session and sum it up",
    flags: [
      project,
      { flags: "--remove-merged", field: "remove_merged", about: "Remove parked branches whose content HEAD has" },
      repeatId,
    ],
    data,
    examples: ["fairlead session end"],
    steps: [{ call: "endSession" }],
    show: fields,
  },
  "session report": {
    summary: "Report what a session did, as Markdown",
    arguments: [{ ...runArgument, optional: true }],
    flags: [project],
    examples: ["fairlead session report > pull-request.md"],
    steps: [{ call: "sessionReport" }],
    show: "{markdown}",
  },
  "session nudge": {
    summary: "Add a hint for the next scout",
    arguments: [{ name: "hint", field: "hint", about: "What to look at" }],
    flags: [project, repeatId],
    data,
    examples: ["fairlead session nudge 'look at the parser'"],
    steps: [{ call: "nudge" }],
    show: message,
  },
  "session pause": {
    summary: "Pause the session until it is resumed",
    arguments: [{ name: "reason", field: "reason", about: "Why", optional: true }],
    flags: [project, repeatId],
    data,
    examples: ["fairlead session pause 'I look at the last commit'"],
    steps: [{ call: "pauseSession" }],
    show: message,
  },
  "session resume": {
    summary: "Resume a paused session",
    flags: [project, repeatId],
    data,
    examples: ["fairlead session resume"],
    steps: [{ call: "resumeSession" }],
    show: message,
  },
  "session answer": {
    summary: "Answer the question of the session's agent",
    arguments: [{ name: "answer", field: "answer", about: "The answer; the next prompts have it" }],
    flags: [project, repeatId],
    data,
    examples: ["fairlead session answer 'keep the old name as an alias'"],
    steps: [{ call: "resumeSession" }],
    show: message,
  },
  "session cancel": {
    summary: "Cancel the session: its open tickets are aborted",
    flags: [project, repeatId],
    examples: ["fairlead session cancel"],
    steps: [
      {
        call: "ingestEvent",
        input: { project: "$project", event_id: "$id", type: "USER_OVERRIDE", payload: { cancel: true } },
      },
    ],
    show: message,
  },
  "session approve": {
    summary: "Approve the plan that waits for a person",
    flags: [project, ticketFlag, repeatId],
    data: { about: "The plan as edited: JSON with `plan`, @file, or - for stdin" },
    examples: ["fairlead session approve"],
    steps: [{ call: "approvePlan" }],
    show: message,
  },
  "session reject": {
    summary: "Reject the plan that waits for a person",
    arguments: [{ name: "reason", field: "reason", about: "Why; the agent's next prompt has it" }],
    flags: [project, ticketFlag, repeatId],
    data,
    examples: ["fairlead session reject 'leave the public types as they are'"],
    steps: [{ call: "rejectPlan" }],
    show: message,
  },
  "session formulas": {
    summary: "List the formulas",
    flags: [project],
    data,
    examples: ["fairlead session formulas"],
    steps: [{ call: "listFormulas" }],
    show: { table: "formulas", columns: [{ cell: "{name}" }, { cell: "{description}" }] },
  },
  "session projects": {
    summary: "List the projects, and which has an open session",
    examples: ["fairlead session projects"],
    steps: [{ call: "listProjects" }],
    show: { table: "projects", columns: [{ cell: "{name}" }, { cell: "{phase}" }, { cell: "{run_id}" }] },
  },
  "session policy": {
    summary: "Show what the current ticket may touch",
    arguments: [{ name: "file", field: "file_path", about: "A path to check", optional: true }],
    flags: [project, { flags: "--ticket <id>", field: "ticketId", about: "One of several parallel tickets" }],
    data,
    examples: ["fairlead session policy src/parser.ts"],
    steps: [{ call: "getScopePolicy" }],
    show: fields,
  },
  "session next": {
    summary: "Take the next ticket, or show the current one",
    flags: [project],
    data,
    examples: ["fairlead session next"],
    steps: [{ call: "nextTicket" }],
    show: {
      first: [
        // Without a ticket its instructions are the message.
        { when: [{ value: "instructions", same: "message" }], show: { fields: ".", without: ["instructions"] } },
        {
          show: [
            { fields: ".", only: ["instructions"] },
            { fields: ".", without: ["instructions"] },
          ],
        },
      ],
    },
  },
  "session scope": {
    summary: "Check changed files against a ticket's scope",
    arguments: [ticket, { name: "files", field: "changedFiles", about: "Paths relative to the project", many: true }],
    flags: [project],
    data,
    examples: ["fairlead session scope tkt_000000000001 src/parser.ts"],
    steps: [{ call: "validateScope" }],
    show: fields,
  },
  "session complete": {
    summary: "Verify a ticket and mark it done",
    arguments: [ticket, ticketRun],
    flags: [project, { flags: "--summary <text>", field: "summary", about: "What was done" }, repeatId],
    data,
    examples: ["fairlead session complete tkt_000000000001 run_000000000001"],
    steps: [{ call: "completeTicket" }],
    show: message,
  },
  "session fail": {
    summary: "Give a ticket up",
    arguments: [ticket, ticketRun, { name: "reason", field: "reason", about: "Why" }],
    flags: [project, repeatId],
    data,
    examples: ["fairlead session fail tkt_000000000001 run_000000000001 'too large'"],
    steps: [{ call: "failTicket" }],
    show: message,
  },
  "session branch": {
    summary: "Set up a ticket's branch",
    arguments: [ticket],
    flags: [project, { flags: "--base <branch>", field: "baseBranch", about: "Branch that it starts from" }],
    data,
    examples: ["fairlead session branch tkt_000000000001 --base main"],
    steps: [{ call: "gitSetup" }],
    show: "{branchName}: {message}",
  },
  "loop run": {
    summary: "Drive a headless agent through a whole session",
    description:
      "The agent gets each prompt on standard input and answers on standard output, in a worktree for each ticket; the server verifies what it did. Ended or killed, the same command goes on with the session. Exit code 0: the session is done.",
    flags: [
      project,
      { flags: "--agent <command>", field: "agent", about: "Program and arguments, like 'claude -p'; no shell" },
      { flags: "--scope <glob>", field: "scope", about: "Files to improve" },
      { flags: "--formula <name>", field: "formula", about: "What to look for" },
      { flags: "--categories <name...>", field: "categories", about: "Categories to look for" },
      { flags: "--hours <n>", field: "hours", about: "Hours until it expires" },
      { flags: "--step-budget <n>", field: "step_budget", about: "Prompts it may hand out" },
      { flags: "--max-proposals <n>", field: "max_proposals", about: "Tickets a scout may yield" },
      { flags: "--max-cycles <n>", field: "max_cycles", about: "Scout cycles" },
      { flags: "--max-cost-usd <n>", field: "max_cost_usd", about: "US dollars it may cost, as the agent reports it" },
      { flags: "--max-tokens <n>", field: "max_tokens", about: "Tokens it may use, as the agent reports it" },
      { flags: "--parallel <n>", field: "parallel", about: "Tickets worked on at once, at most 5" },
      { flags: "--verify <command...>", field: "qa_commands", about: "Commands that every ticket has to pass" },
      {
        flags: "--call-minutes <n>",
        about: "Minutes one call of the agent may take; 30 when left out",
        kind: "number",
      },
      { flags: "--pass <name...>", about: "Environment variables that the agent gets", kind: "list" },
      { flags: "--sandbox <mode>", about: "Hold the agent: auto, on or off; auto when left out" },
      { flags: "--network <reach>", about: "The agent's network: host or none; host when left out" },
      { flags: "--write <folder...>", about: "Further folders that the agent may write in", kind: "list" },
    ],
    data,
    examples: ["fairlead loop run --agent 'claude -p --permission-mode acceptEdits' --scope 'src/**'"],
    steps: [{ call: "openAgentSession" }],
    show: message,
    notes: [{ each: "warnings", show: "warning: {.}" }],
    watch: {
      always: true,
      call: "driveAgent",
      input: {
        project: "$project",
        agent: "$agent",
        call_minutes: "$callMinutes",
        pass: "$pass",
        sandbox: "$sandbox",
        network: "$network",
        write: "$write",
      },
      about: "Always",
      show: "{text}",
    },
  },
  "loop install": {
    summary: "Install the loop in a coding agent's client",
    arguments: [client],
    flags: [project],
    data,
    examples: ["fairlead loop install claude-code"],
    steps: [{ call: "installClient" }],
    show: [
      { table: "files", columns: [{ cell: "{action}" }, { cell: "{path}" }] },
      { each: "notes", show: "{.}" },
    ],
  },
  "loop uninstall": {
    summary: "Take the loop out of a coding agent's client",
    arguments: [client],
    flags: [project],
    data,
    examples: ["fairlead loop uninstall claude-code"],
    steps: [{ call: "uninstallClient" }],
    show: { table: "files", columns: [{ cell: "{action}" }, { cell: "{path}" }] },
    notes: [{ first: [{ when: [{ missing: "files" }], show: "it is not installed" }] }],
  },
  ...runVerbs,
};

const promptedProject = { about: "The project, as the configuration names it", default: "the default one" };

/** What a person may ask a model to do with the loop. */
export const prompts: Readonly<Record<string, Prompt>> = {
  improve: {
    title: "Improve code",
    summary: "Leads a whole improvement session in a project.",
    arguments: {
      project: promptedProject,
      formula: {
        about: "Kind of session",
        default: "none",
        choices: { call: "listFormulas", path: "formulas.name" },
      },
      scope: { about: "Glob of the files that may change", default: "all files" },
    },
    text: "Improve the code of a project: {project}. Formula: {formula}. Scope: {scope}.\nCall `startSession`, then `advance`, do what its prompt says, report it with `ingestEvent`, and call `advance` again, until it says STOP. Then call `endSession` and report to me what was done, ticket by ticket.",
  },
  status: {
    title: "Session so far",
    summary: "Says how an improvement session goes.",
    arguments: { project: promptedProject },
    text: "Call `sessionStatus` for a project, {project}, and report to me in a few sentences what was done, what is left of the budget and what needs me.",
  },
};
