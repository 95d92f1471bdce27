/** What each line of `events.ndjson` means. A line that is added without a word here does not compile. */
import type { DerivedEventType } from "../state/effect.ts";
import type { EventType } from "../state/event.ts";

interface LogLine {
  readonly when: string;
}

const line = (when: string): LogLine => ({ when });

export const logLines: Readonly<Record<"SESSION_START" | EventType | DerivedEventType, LogLine>> = {
  SESSION_START: line("the first line: the settings, the memory, the folders"),
  ADVANCE_CALLED: line("`advance` was called"),
  SCOUT_OUTPUT: line("`{ proposals, explored_dirs, exploration_summary }`"),
  PROPOSALS_HELD_FOR_REVIEW: line("with `review`: proposals without a review note wait"),
  PROPOSALS_REVIEWED: line("`{ reviewed_proposals: [{ title, confidence, impact_score, review_note }] }`"),
  PROPOSALS_FILTERED: line("the client has filtered by itself; any payload"),
  PROPOSALS_REJECTED: line("which proposals were dropped, and why"),
  SCOUT_BARREN: line("a scout cycle gave no ticket"),
  TICKETS_CREATED: line("tickets with their priority; verification commands that were left out"),
  TICKET_TAKEN: line("`next_ticket` took a ticket"),
  TICKET_ASSIGNED: line("a ticket is being worked on"),
  PLAN_SUBMITTED: line(
    "`{ ticket_id, files_to_touch: [{ path, reason, action }], expected_tests, risk_level, estimated_lines }`",
  ),
  PLAN_APPROVED: line("the plan is inside the scope"),
  PLAN_REJECTED: line("it is not, and why; the third one blocks the ticket"),
  TICKET_RESULT: line("`{ ticket_id, status, changed_files, lines_added, lines_removed, summary, reason }`"),
  PLAN_DECIDED: line(
    "a person has approved or rejected the plan that waits: `ticket_id`, `decision`, `reason`, `plan` as it was edited",
  ),
  SESSION_PAUSED: line(
    "no prompt is handed out until it is resumed: `by` a person or an agent, `text` the reason or the question",
  ),
  SESSION_RESUMED: line("prompts are handed out again; `answer` to the question, if it was one"),
  ANSWER_REFUSED: line("a call of a driven agent reports nothing, and why; its `usage` counts"),
  PLAN_HELD: line("a plan of high risk waits for a person"),
  SCOPE_CHECKED: line("`validate_scope` or `get_scope_policy` has checked files"),
  SCOPE_ALLOWED: line("a result, or what was checked, is inside the scope"),
  SCOPE_BLOCKED: line("it is not, and why"),
  QA_COMMAND_RESULT: line("`{ ticket_id, command, success, output }`; with `duration_ms` the server ran it"),
  QA_PASSED: line("`{ ticket_id, summary, unmet_criteria }`"),
  QA_FAILED: line("`{ ticket_id, error }`"),
  QA_REFUSED: line("QA_PASSED while a command or a criterion is missing"),
  PR_CREATED: line("`{ ticket_id, url, branch }`"),
  TICKET_DONE: line("the ticket is done"),
  TICKET_FAILED: line(
    "it failed: reported, given up, out of QA attempts; with `open` a failed `complete_ticket`, whose ticket stays open",
  ),
  TICKET_BLOCKED: line("it met a limit: plans, steps, scope, circles, or a risk that needs a person"),
  TICKET_ABANDONED: line("`fail_ticket` was called"),
  TICKET_ABORTED: line("it was open or blocked when the session ended"),
  TREE_SETTLED: line("with `own_tree`: the commit or the branch that holds the ticket's work, and what was left alone"),
  USER_OVERRIDE: line("`{ hint }` or `{ cancel: true }`"),
  HINT_CONSUMED: line("a scout prompt has shown the hint"),
  LEARNING_ADDED: line("a lesson for later tickets"),
  SPINDLE_WARNING: line("the ticket comes near to going in circles, and why"),
  SPINDLE_ABORT: line("it goes in circles: the signal, and the setting that changes it"),
  SPINDLE_RECOVERY: line("the session continues with the next ticket; the third time it ends"),
  BUDGET_WARNING: line("four fifths of a budget are used"),
  PHASE_CHANGED: line("from which phase to which, and why"),
  EVENT_IGNORED: line("an event that means nothing in its phase"),
  SESSION_END: line("`end_session` was called"),
};
