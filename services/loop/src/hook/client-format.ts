/** What each client hands to its hooks, and what it reads from them. An empty answer lets the client go on as if there were no hook. */
import { noteTool, type ToolMark } from "./edit-log.ts";
import { readRunState, readSession, refuseEdit } from "./scope.ts";

/** What a client sends on standard input. */
type HookInput = Readonly<Record<string, unknown>>;

type Hook = (root: string, input: HookInput) => string;

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as HookInput)[name] : undefined;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The file that the tool is about to write. */
const editedFile = (input: HookInput): string => {
  const tool = field(input, "tool_input");
  return (
    ["file_path", "notebook_path", "path"].map((name) => text(field(tool, name))).find((path) => path !== "") ?? ""
  );
};

const refusal = (root: string, input: HookInput): string | undefined => {
  const file = editedFile(input);
  return file === "" ? undefined : refuseEdit(root, file, text(field(input, "cwd")) || root);
};

/** Writes down when a tool was at work: a client that names no call is asked for its file. */
const note = (root: string, input: HookInput, when: ToolMark["when"]): string => {
  const file = editedFile(input);
  const call = text(field(input, "tool_use_id")) || `${text(field(input, "tool_name"))} ${file}`;
  noteTool(root, when, { call, file, from: text(field(input, "cwd")) || root });
  return "";
};

/** What the agent is to do next where it wants to stop in the middle of a session. */
const nextStep = (root: string): string | undefined => {
  const session = readSession(root);
  return session === undefined || session.waits === true || /^(?:DONE|BLOCKED|FAILED)/.test(session.phase)
    ? undefined
    : `The improvement session ${session.run_id} is in ${session.phase}: call promptwheel_advance for the next step, or promptwheel_end_session to end it.`;
};

const statusLine: Hook = (root) => {
  const session = readSession(root);
  if (session === undefined) return "";
  const state = readRunState(root, session);
  const count = (name: string): string => String(field(state, name) ?? "?");
  return `improve: ${session.phase} ${count("step_count")}/${count("step_budget")}, ${count("tickets_completed")} done, ${count("tickets_failed")} failed${session.waits === true ? ", waits for you" : ""}`;
};

export const hooks: Readonly<Record<string, Hook>> = {
  "claude-edit": (root, input) => {
    const why = refusal(root, input);
    return why === undefined
      ? note(root, input, "before")
      : JSON.stringify({
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: why,
          },
        });
  },
  "claude-after": (root, input) => note(root, input, "after"),
  // The client says that it goes on because of this hook already: it may stop then.
  "claude-stop": (root, input) => {
    const reason = field(input, "stop_hook_active") === true ? undefined : nextStep(root);
    return reason === undefined ? "" : JSON.stringify({ decision: "block", reason });
  },
  "claude-status": statusLine,
  "cursor-edit": (root, input) => {
    const why = refusal(root, input);
    return why === undefined
      ? note(root, input, "before")
      : JSON.stringify({ permission: "deny", user_message: why, agent_message: why });
  },
  "cursor-after": (root, input) => note(root, input, "after"),
  "cursor-stop": (root, input) => {
    const followup = Number(field(input, "loop_count") ?? 0) > 0 ? undefined : nextStep(root);
    return followup === undefined ? "" : JSON.stringify({ followup_message: followup });
  },
};
