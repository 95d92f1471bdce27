/** Lines of a session's log in words for people. Pure. Texts of agents and of projects come out as they are, and are shown as text. */
import type { Tone } from "@fairlead/console/kit";
import type { SessionLine } from "./api.ts";
import { phaseTitle } from "./phase-graph.ts";

interface LineWords {
  readonly title: string;
  readonly tone: Tone;
  readonly text: string;
  /** The ticket that it names. */
  readonly ticket: string | null;
  /** False for what repeats or only repeats what another line says. */
  readonly matters: boolean;
}

type LineFields = Readonly<Record<string, unknown>>;

const readFields = (payload: unknown): LineFields =>
  typeof payload === "object" && payload !== null && !Array.isArray(payload) ? (payload as LineFields) : {};

const text = (fields: LineFields, ...names: readonly string[]): string => {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
};

const list = (fields: LineFields, name: string): readonly unknown[] => {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
};

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

const names = (values: readonly unknown[]): string => {
  const shown = values
    .slice(0, 3)
    .map((value) => (typeof value === "string" ? value : text(readFields(value), "title", "path", "file")));
  return values.length > 3 ? `${shown.join(", ")} and ${values.length - 3} more` : shown.join(", ");
};

interface LineRule {
  readonly title: string;
  readonly tone?: Tone;
  readonly say?: (fields: LineFields) => string;
  /** Left out of the short list. */
  readonly isMinor?: boolean;
}

const reason = (fields: LineFields): string => text(fields, "reason", "error", "summary", "text");

const rules: Readonly<Record<string, LineRule>> = {
  SESSION_START: { title: "Begun", tone: "accent", say: () => "the session was started" },
  SESSION_END: { title: "Ended", tone: "accent", say: () => "the session was ended" },
  ADVANCE_CALLED: { title: "Asked", say: () => "the agent asked what is next", isMinor: true },
  PHASE_CHANGED: {
    title: "Phase",
    say: (fields) => {
      const way = `${phaseTitle(text(fields, "from"))} → ${phaseTitle(text(fields, "to"))}`;
      const why = text(fields, "reason");
      return why === "" ? way : `${way}: ${why}`;
    },
  },
  SCOUT_OUTPUT: {
    title: "Scouted",
    tone: "accent",
    say: (fields) => count(list(fields, "proposals").length, "proposal"),
  },
  SCOUT_BARREN: { title: "Nothing found", tone: "warn", say: () => "this scout cycle gave no ticket" },
  PROPOSALS_REVIEWED: {
    title: "Reviewed",
    say: (fields) => count(list(fields, "reviewed_proposals").length, "proposal"),
  },
  PROPOSALS_FILTERED: { title: "Filtered", say: () => "by the agent itself" },
  PROPOSALS_HELD_FOR_REVIEW: { title: "For review", say: (fields) => count(Number(fields.count ?? 0), "proposal") },
  PROPOSALS_REJECTED: { title: "Dropped", tone: "warn", say: (fields) => names(list(fields, "rejected")) },
  TICKETS_CREATED: { title: "Tickets", tone: "good", say: (fields) => names(list(fields, "tickets")) },
  TICKET_TAKEN: { title: "Asked", say: () => "the agent asked for a ticket", isMinor: true },
  TICKET_ASSIGNED: { title: "Taken", tone: "accent", say: (fields) => text(fields, "title") },
  PLAN_SUBMITTED: {
    title: "Plan",
    say: (fields) => `${names(list(fields, "files_to_touch"))}; risk ${text(fields, "risk_level")}`,
  },
  PLAN_APPROVED: { title: "Approved", tone: "good", say: (fields) => names(list(fields, "files")) },
  PLAN_REJECTED: { title: "Rejected", tone: "warn", say: reason },
  PLAN_HELD: { title: "Held", tone: "warn", say: () => "the plan waits for a person" },
  PLAN_DECIDED: {
    title: "Decided",
    tone: "accent",
    say: (fields) => `${text(fields, "decision")} ${reason(fields)}`.trim(),
  },
  TICKET_RESULT: {
    title: "Result",
    say: (fields) => {
      const lines = `+${Number(fields.lines_added ?? 0)} −${Number(fields.lines_removed ?? 0)}`;
      return [text(fields, "status"), names(list(fields, "changed_files")), lines, reason(fields)]
        .filter((each) => each !== "")
        .join("; ");
    },
  },
  SCOPE_CHECKED: { title: "Scope asked", say: (fields) => names(list(fields, "files")), isMinor: true },
  SCOPE_ALLOWED: { title: "In scope", tone: "good", say: (fields) => names(list(fields, "files")), isMinor: true },
  SCOPE_BLOCKED: { title: "Out of scope", tone: "bad", say: reason },
  QA_COMMAND_RESULT: {
    title: "Command",
    say: (fields) => `${text(fields, "command")} ${fields.success === true ? "passed" : "failed"}`,
  },
  QA_PASSED: { title: "Verified", tone: "good", say: reason },
  QA_FAILED: { title: "Failed", tone: "bad", say: reason },
  QA_REFUSED: { title: "Not verified", tone: "warn", say: (fields) => names(list(fields, "owed")) },
  PR_CREATED: { title: "Pull request", tone: "good", say: (fields) => text(fields, "url", "branch") },
  TICKET_DONE: { title: "Done", tone: "good", say: reason },
  TICKET_FAILED: { title: "Failed", tone: "bad", say: reason },
  TICKET_BLOCKED: { title: "Blocked", tone: "bad", say: reason },
  TICKET_ABANDONED: { title: "Given up", tone: "warn", say: reason },
  TICKET_ABORTED: { title: "Aborted", tone: "warn", say: reason },
  TREE_SETTLED: {
    title: "Kept as",
    say: (fields) => [text(fields, "tree"), text(fields, "branch")].filter((each) => each !== "").join(" "),
  },
  USER_OVERRIDE: {
    title: "Nudge",
    tone: "accent",
    say: (fields) => (fields.cancel === true ? "cancelled" : text(fields, "hint")),
  },
  HINT_CONSUMED: { title: "Hint shown", say: (fields) => text(fields, "hint"), isMinor: true },
  LEARNING_ADDED: { title: "Lesson", say: (fields) => text(fields, "text") },
  SESSION_PAUSED: {
    title: "Paused",
    tone: "warn",
    say: (fields) => `by ${text(fields, "by")}: ${text(fields, "text")}`,
  },
  SESSION_RESUMED: { title: "Resumed", tone: "accent", say: (fields) => text(fields, "answer") },
  ANSWER_REFUSED: { title: "Unusable", tone: "warn", say: reason },
  SPINDLE_WARNING: { title: "Near circles", tone: "warn", say: (fields) => names(list(fields, "reasons")) },
  SPINDLE_ABORT: { title: "In circles", tone: "bad", say: (fields) => text(fields, "explanation") },
  SPINDLE_RECOVERY: { title: "Goes on", say: () => "with the next ticket" },
  BUDGET_WARNING: { title: "Budget", tone: "warn", say: (fields) => names(list(fields, "warnings")) },
  EVENT_IGNORED: {
    title: "Ignored",
    say: (fields) => `${text(fields, "type")} means nothing in ${phaseTitle(text(fields, "phase"))}`,
  },
};

export const lineWords = ({ type, payload }: SessionLine): LineWords => {
  const fields = readFields(payload);
  const rule = rules[type];
  const failed = type === "QA_COMMAND_RESULT" && fields.success === false;
  const ticket = text(fields, "ticket_id");
  return {
    title: rule?.title ?? type,
    tone: failed ? "bad" : (rule?.tone ?? "plain"),
    text: rule?.say?.(fields) ?? "",
    ticket: ticket === "" ? null : ticket,
    matters: rule?.isMinor !== true,
  };
};

/** The types that have words of their own. */
export const knownTypes: ReadonlySet<string> = new Set(Object.keys(rules));
