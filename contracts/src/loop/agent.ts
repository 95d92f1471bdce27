/** Procedures of the loop contract that are about coding agents: driving one through a session, and installing the loop in its client. Not on MCP: they are for people. */
import * as z from "zod";
import { mutation, subscription } from "../core/index.ts";
import * as errors from "./error.ts";
import { ticketsVerified, work } from "./run.ts";
import { driven, found, phase, project, runId, startInput, ticketId } from "./session.ts";

const agent = z
  .string()
  .max(8_192)
  .trim()
  .min(1)
  .describe(
    "The agent's command line: a program and its arguments, in quotes where they hold spaces. No shell reads it. It gets each prompt on its standard input.",
  );

/** How a session that was driven to its end went. */
const summary = z
  .object({
    run_id: runId,
    final_phase: phase,
    tickets_completed: z.int().describe("Tickets done."),
    tickets_verified: ticketsVerified,
    tickets_failed: z.int().describe("Tickets that failed or were given up."),
    agent_calls: z.int().describe("Calls of the agent in this run of the command."),
    reason: z.string().describe("Why it ended."),
    work,
  })
  .describe("How the session went.");

export const agentProcedures = {
  openAgentSession: mutation({
    summary: "Starts a session for an agent that works alone, or finds the one to go on with.",
    description:
      "Where they are not given: `qa` is `server`, `plan_approval` is `hold`, `scope_breach` is `ticket`, `backlog` is `carry`, `own_tree` is true and `direct` is false, so that each ticket has a worktree. An open session goes on as it was started, with a warning for each of these that differs; one in the working tree (`direct`) is refused, unless `direct` is true in the call.",
    retry: "idempotent",
    access: "admin",
    input: startInput.omit({ event_id: true }).extend({ agent }),
    output: z.object({
      run_id: runId,
      continued: z.boolean().describe("True for a session that was open."),
      phase,
      warnings: z.array(z.string()).describe("What was changed or left out, and why."),
      message: z.string().describe("Which session it is."),
    }),
    errors: {
      ...driven,
      session_active: errors.sessionActive,
      unknown_formula: errors.unknownFormula,
      bad_formula: errors.badFormula,
      git_refused: errors.gitRefused,
    },
    examples: [{ summary: "Claude Code, on the sources", input: { agent: "claude -p", scope: "src/**" } }],
    tool: false,
  }),
  driveAgent: subscription({
    summary:
      "Drives an agent through the open session, prompt by prompt, and says what happens, until the session has ended.",
    description:
      "Ending it early, or a kill, stops the agent and leaves the session open: the same call goes on with it. A session that did not end in DONE ends with an error.",
    access: "admin",
    input: z.object({
      project,
      agent,
      call_minutes: z
        .number()
        .positive()
        .max(1_440)
        .default(30)
        .describe("Minutes one call of the agent may take; then it is ended."),
      pass: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable, like OPENAI_API_KEY"))
        .max(100)
        .default([])
        .describe(
          "Names of environment variables that the agent gets beside PATH, HOME, LANG, LC_ALL, TZ, TMPDIR and USER.",
        ),
      sandbox: z
        .enum(["auto", "on", "off"])
        .default("auto")
        .describe(
          "Whether the agent is held: it writes in the folder that it works on, in a temporary one, in its own make's settings folder and in what `write` names, and nowhere else. `auto`: where the system has namespaces. `on`: it is not started without. `off`: it has the rights of who started the server.",
        ),
      network: z
        .enum(["host", "none"])
        .default("host")
        .describe("The agent's network: all of it, or none. Agents that ask a model elsewhere need it."),
      write: z
        .array(z.string().min(1).max(4_096))
        .max(50)
        .default([])
        .describe("Further folders that an agent in a sandbox may write in: absolute paths."),
    }),
    output: z.object({
      at: z.string().describe("When; UTC."),
      kind: z
        .enum(["prompt", "reply", "event", "problem", "wait", "end"])
        .describe(
          "`prompt`: the agent is called. `reply`: it has ended. `event`: what was reported for it. `problem`: what went wrong. `wait`: a person has to decide. `end`: the session is over.",
        ),
      phase,
      ticket_id: ticketId.nullable().describe("The ticket that it is about."),
      text: z.string().describe("What happened, in a line."),
      summary: summary.nullable().describe("At the end; null before."),
    }),
    errors: {
      ...driven,
      git_refused: errors.gitRefused,
      agent_busy: errors.agentBusy,
      agent_unusable: errors.agentUnusable,
      no_sandbox: errors.noSandbox,
      not_done: errors.notDone,
    },
    examples: [{ summary: "Claude Code", input: { agent: "claude -p" } }],
    tool: false,
  }),
};

const client = z.enum(["claude-code", "codex", "cursor"]).describe("The client.");

const files = z
  .array(
    z.object({
      path: z.string().describe("Relative to the project."),
      action: z.enum(["created", "changed", "restored", "removed", "left"]).describe("What was done with it."),
    }),
  )
  .describe("The files that were touched; `left` are those that somebody has changed since.");

const input = z.object({ project, client });

export const installProcedures = {
  installClient: mutation({
    summary: "Installs the loop in a coding agent's files of the project.",
    description:
      "An entry for the MCP server, hooks that hold edits to the ticket's scope and ask what is next, commands, a skill, a status line: what the client has. Hooks of the user's stay.",
    retry: "idempotent",
    input,
    output: z.object({
      files,
      notes: z.array(z.string()).describe("What a person has to know or do."),
    }),
    errors: { ...found, not_installable: errors.notInstallable },
    examples: [{ summary: "Claude Code", input: { client: "claude-code" } }],
    tool: false,
  }),
  uninstallClient: mutation({
    summary: "Takes the loop out of a coding agent's files of the project.",
    description: "A file that is as it was installed gets every byte back; of another only the loop's entries go.",
    retry: "idempotent",
    input,
    output: z.object({ files }),
    errors: { ...found, not_installable: errors.notInstallable },
    examples: [{ summary: "Claude Code", input: { client: "claude-code" } }],
    tool: false,
  }),
};
