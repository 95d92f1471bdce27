/**
 * `sessionReport`: what a session did, a row and a section for each ticket, as Markdown that can be pasted into a pull request. All of it is read from the
 * log. Words that come from an agent are escaped: they format nothing and mention no one.
 */
import { loadRun } from "../session/load-run.ts";
import type { Project } from "../session/project.ts";
import { countTokens, noUsage, type SessionUsage } from "../state/usage.ts";
import type { EventRow } from "../store/log-line.ts";
import { parseStoredJson } from "../store/stored-event.ts";
import { quantity } from "../value/text.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { requireRunRow } from "./run.ts";

type LineFields = Readonly<Record<string, unknown>>;

interface TicketReport {
  readonly id: string;
  title: string;
  outcome: string;
  reason: string;
  from: number;
  to: number;
  usage: SessionUsage;
  /** The last result of each command, in words. */
  readonly commands: Map<string, string>;
  settled: LineFields | undefined;
}

const pageSize = 500;
const ends: Readonly<Record<string, string>> = {
  TICKET_DONE: "done",
  TICKET_FAILED: "failed",
  TICKET_BLOCKED: "blocked",
  TICKET_ABORTED: "aborted",
};

export const sessionReport = (
  project: Project,
  { run_id }: ToolInput<"sessionReport">,
): ToolOutput<"sessionReport"> => {
  const run = requireRunRow(project, run_id ?? project.existingStore?.runs(1)[0]?.run_id ?? "run_000000000000");
  const tickets = new Map<string, TicketReport>();
  let last = run.started_at;
  for (let after = 0; after < run.last_seq; ) {
    const rows = project.store.rows(run.run_id, after, pageSize);
    if (rows.length === 0) break;
    for (const row of rows) {
      readRow(tickets, row);
      [after, last] = [row.seq, row.at];
    }
  }
  const state = loadRun(project.store, run).state;
  const { usage, verified } = state;
  const known = [...tickets.values()];
  const count = (outcome: string): number => known.filter((ticket) => ticket.outcome === outcome).length;
  const head = [
    `# ${run.run_id}: ${state.phase}`,
    "",
    `${quantity(count("done"), "ticket")} done, ${verified.server} of them verified by the server; ${count("failed")} failed, ${count("blocked")} blocked, ${count("aborted")} aborted.`,
    `${quantity(state.stepCount, "prompt")}, ${formatTime(last - run.started_at)}${formatCost(usage)}.${state.stopReason === null ? "" : ` ${escapeText(state.stopReason)}.`}`,
  ];
  const table = [
    "| Ticket | Outcome | Verified by | Commit | Time |",
    "| --- | --- | --- | --- | --- |",
    ...known.map(formatRow),
  ];
  return {
    run_id: run.run_id,
    markdown: [head, ...(known.length === 0 ? [] : [table, ...known.map(formatTicket)])]
      .map((lines) => lines.join("\n"))
      .join("\n\n"),
  };
};

const readRow = (tickets: Map<string, TicketReport>, { type, payload, context, seq, at }: EventRow): void => {
  const fields = readFields(payload, `line ${seq}`);
  // An event that names no ticket is about the one that is worked on.
  const id = fields.ticket_id ?? [...tickets.values()].findLast(({ outcome }) => outcome === "open")?.id;
  if (typeof id !== "string") return;
  if (type === "TICKET_ASSIGNED") {
    const opened = { outcome: "open", reason: "", from: at, to: at, usage: noUsage, settled: undefined };
    tickets.set(id, { id, title: String(fields.title), commands: new Map(), ...opened });
  }
  const ticket = tickets.get(id);
  if (ticket === undefined) return;
  const { usage } = readFields(context, `line ${seq}`) as { readonly usage?: SessionUsage };
  if (usage !== undefined) ticket.usage = addTo(ticket.usage, usage);
  if (type === "TREE_SETTLED") ticket.settled = fields;
  else ticket.to = at;
  if (type === "QA_COMMAND_RESULT")
    ticket.commands.set(
      String(fields.command),
      `${fields.success === true ? "passed" : "failed"}, run by the ${fields.duration_ms === undefined ? "client" : "server"}`,
    );
  const end = ends[type];
  if (end === undefined || fields.open === true) return;
  ticket.outcome = end;
  ticket.reason = String(fields.reason ?? "");
};

const readFields = (json: string, place: string): LineFields => {
  const value: unknown = parseStoredJson(json, place);
  return typeof value === "object" && value !== null ? (value as LineFields) : {};
};

const addTo = (sum: SessionUsage, { costUsd, inputTokens, outputTokens }: SessionUsage): SessionUsage => ({
  costUsd: sum.costUsd + costUsd,
  inputTokens: sum.inputTokens + inputTokens,
  outputTokens: sum.outputTokens + outputTokens,
});

const formatRow = ({ title, outcome, settled, from, to }: TicketReport): string =>
  `| ${escapeText(title)} | ${outcome} | ${String(settled?.verification ?? "")} | ${formatCommit(settled)} | ${formatTime(to - from)} |`;

const formatTicket = ({ title, outcome, reason, settled, usage, commands }: TicketReport): readonly string[] => {
  const files = Array.isArray(settled?.files) ? settled.files.map(String) : [];
  const first = reason.split("\n")[0]?.slice(0, 300) ?? "";
  return [
    `## ${escapeText(title)}`,
    "",
    `${outcome}${first === "" ? "" : `: ${escapeText(first)}`}${formatCost(usage)}`,
    "",
    ...files.map((file) => `- changed ${escapeText(file)}`),
    ...[...commands].map(([command, result]) => `- ${escapeText(command)}: ${result}`),
  ];
};

const formatCommit = (settled: LineFields | undefined): string =>
  typeof settled?.commit === "string"
    ? settled.commit.slice(0, 10)
    : typeof settled?.branch === "string"
      ? escapeText(settled.branch)
      : "";

const formatTime = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;

const formatCost = (usage: SessionUsage): string =>
  usage.costUsd === 0 && countTokens(usage) === 0
    ? ""
    : `, ${Math.round(usage.costUsd * 100) / 100} US dollars, ${countTokens(usage)} tokens`;

/** On one line, without a meaning in Markdown or HTML, and mentioning no one. */
const escapeText = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_{}[\]()#|~>]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("@", "&#64;");
