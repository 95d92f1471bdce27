/**
 * The list of the command's own commands: name, one line about it, and where its code is. Adding one is a row here and a file in
 * `commands/`. Nothing is loaded before it is needed.
 *
 * Not here: the verbs that services declare (`verb/`).
 */
import type { CommandRow } from "./command/command.ts";

export const commands: readonly CommandRow[] = [
  { name: "up", summary: "Start the kernel with its services", load: () => import("./commands/up.ts") },
  { name: "mock", summary: "Serve the contracts with made-up answers", load: () => import("./commands/mock.ts") },
  { name: "worker", summary: "Take calls of this project over NATS", load: () => import("./commands/worker.ts") },
  { name: "dev", summary: "Start the kernel and run what is saved", load: () => import("./commands/dev.ts") },
  { name: "status", summary: "Show which kernel owns the project's state", load: () => import("./commands/status.ts") },
  { name: "console", summary: "Print a link to the console", load: () => import("./commands/console.ts") },
  { name: "top", summary: "Watch a running kernel on one screen", load: () => import("./commands/top.ts") },
  { name: "stop", summary: "End the kernel of this project", load: () => import("./commands/stop.ts") },
  { name: "logs", summary: "Show what this project's kernel logged", load: () => import("./commands/logs.ts") },
  { name: "call", summary: "Call a procedure", load: () => import("./commands/call.ts") },
  { name: "ls", summary: "List services and procedures", load: () => import("./commands/ls.ts") },
  { name: "describe", summary: "Describe a service or a procedure", load: () => import("./commands/describe.ts") },
  { name: "bench", summary: "Put load on a procedure and time it", load: () => import("./commands/bench.ts") },
  { name: "gen", summary: "Generate code and documents from the contracts", load: () => import("./commands/gen.ts") },
  { name: "build", summary: "Make one folder that node runs", load: () => import("./commands/build.ts") },
  {
    name: "diff",
    summary: "Show what changed between two releases of the contracts",
    load: () => import("./commands/diff.ts"),
  },
  {
    name: "docs build",
    summary: "Write the reference of the services as a site",
    load: () => import("./commands/docs-build.ts"),
  },
  { name: "init", summary: "Make a project of your own", load: () => import("./commands/init.ts") },
  { name: "new", summary: "Add a contract and a service", load: () => import("./commands/new.ts") },
  {
    name: "import openapi",
    summary: "Make a contract of an HTTP API, and a service that asks it",
    load: () => import("./commands/import-openapi.ts"),
  },
  {
    name: "mcp serve",
    summary: "Serve the tools to an MCP client",
    plain: { flags: ["--stdio", "--local"], words: 64 },
    load: () => import("./commands/mcp-serve.ts"),
  },
  { name: "mcp add", summary: "Give an MCP client this project's tools", load: () => import("./commands/mcp-add.ts") },
  { name: "mcp ls", summary: "List which MCP clients have them", load: () => import("./commands/mcp-ls.ts") },
  { name: "mcp check", summary: "Prove those entries by a handshake", load: () => import("./commands/mcp-check.ts") },
  { name: "mcp remove", summary: "Take an entry out of a client", load: () => import("./commands/mcp-remove.ts") },
  { name: "runs ls", summary: "List long work of a running kernel", load: () => import("./commands/runs-ls.ts") },
  {
    name: "runs show",
    summary: "Show a run: state, progress, log, question, result",
    load: () => import("./commands/runs-show.ts"),
  },
  {
    name: "runs watch",
    summary: "Follow a run to its end, and answer its questions",
    load: () => import("./commands/runs-watch.ts"),
  },
  { name: "runs cancel", summary: "Cancel a run", load: () => import("./commands/runs-cancel.ts") },
  {
    name: "runs answer",
    summary: "Answer the question that a run waits for",
    load: () => import("./commands/runs-answer.ts"),
  },
  {
    name: "runs resume",
    summary: "Queue a failed or cancelled run again",
    load: () => import("./commands/runs-resume.ts"),
  },
  {
    name: "services ls",
    summary: "List services of a running kernel",
    load: () => import("./commands/services-ls.ts"),
  },
  {
    name: "services restart",
    summary: "Restart a service of a running kernel",
    load: () => import("./commands/services-restart.ts"),
  },
  {
    name: "services logs",
    summary: "Follow the log lines of a service",
    load: () => import("./commands/services-logs.ts"),
  },
  {
    name: "services events",
    summary: "Follow the events of a service",
    load: () => import("./commands/services-events.ts"),
  },
  { name: "token create", summary: "Make a bearer token", load: () => import("./commands/token-create.ts") },
  {
    name: "token rotate",
    summary: "Replace a token; the old one works on for a while",
    load: () => import("./commands/token-rotate.ts"),
  },
  { name: "token ls", summary: "List who has a token", load: () => import("./commands/token-ls.ts") },
  { name: "token revoke", summary: "End a caller's tokens", load: () => import("./commands/token-revoke.ts") },
  {
    name: "token log",
    summary: "Show who changed the tokens, and when",
    load: () => import("./commands/token-log.ts"),
  },
  { name: "doctor", summary: "Check this machine and this project", load: () => import("./commands/doctor.ts") },
  {
    name: "selftest",
    summary: "Try kernels of this project by faults, on throw-away state",
    load: () => import("./commands/selftest.ts"),
  },
  {
    name: "completion",
    summary: "Let a shell complete commands, procedures and flags",
    load: async () => ({ default: (await import("./commands/completion.ts")).completionCommand(commands) }),
  },
  { name: "version", summary: "Print the version", load: () => import("./commands/version.ts") },
];
