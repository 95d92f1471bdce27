/** Actions of PLAN, EXECUTE, QA and PR: what a client reports about the current ticket. */

import { formatViolations } from "../../scope/check.ts";
import { parsePath } from "../../scope/path.ts";
import {
  assessRisk,
  detectLoop,
  recordFailure,
  recordIteration,
  recordOutput,
  recordSuccess,
} from "../../spindle/spindle.ts";
import type { EventPayload } from "../../state/event.ts";
import type { QaResult, TicketWork } from "../../state/run-state.ts";
import { compareWithBase, describeBefore } from "../../state/verification.ts";
import { limits } from "../../value/limits.ts";
import { cutStart, slug } from "../../value/text.ts";
import { ask } from "./scout.ts";
import { payloadIf, type Transition, withEffects, withMessage, withState, withWork } from "./transition.ts";

export const askPr = (transition: Transition): Transition => ask(transition, "pr");

/** An execute prompt that is asked for again without a result is an iteration without a change. */
export const askExecute = (transition: Transition): Transition => {
  const { current } = transition.state;
  if (current === null) return transition;
  const spindle = current.executing ? recordIteration(current.spindle, null, []) : current.spindle;
  return ask(warnOfLoop(withWork(transition, { executing: true, spindle })), "execute");
};

export const askQa = (transition: Transition): Transition => ask(warnOfLoop(transition), "qa");

const warnOfLoop = (transition: Transition): Transition => {
  const { current, settings } = transition.state;
  if (current === null || detectLoop(current.spindle, settings.spindle) !== null) return transition;
  const { risk, reasons } = assessRisk(current.spindle, settings.spindle);
  return risk === "none"
    ? transition
    : withEffects(transition, {
        kind: "log",
        type: "SPINDLE_WARNING",
        payload: { ticket_id: current.ticket.id, risk, reasons },
      });
};

export const recordResult = (transition: Transition): Transition => {
  const payload = payloadIf(transition, "TICKET_RESULT");
  const { current } = transition.state;
  const { result } = transition.facts;
  if (payload === undefined || current === null || result === undefined) return transition;
  const spindle = recordOutput(
    recordIteration(current.spindle, result.diffHash, result.files),
    payload.summary,
    result.diffHash,
  );
  return withEffects(
    withWork(transition, {
      spindle,
      executing: false,
      lines: result.lines,
      qaResults: [],
      reportedFiles: [...new Set([...current.reportedFiles, ...listReported(payload)])],
    }),
    {
      kind: "artifact",
      name: "ticket-result.json",
      body: JSON.stringify({ ...payload, diff: undefined, measured: transition.event.measured ?? null }, null, 2),
    },
    ...(result.diffHash === null ? [] : [{ kind: "diff" as const, ticketId: current.ticket.id }]),
  );
};

/** What a result does not name is the ticket's only where its plan or an editing tool names it. */
const listReported = ({ changed_files }: EventPayload<"TICKET_RESULT">): readonly string[] =>
  changed_files.flatMap((file) => {
    const parsed = parsePath(file);
    return parsed.ok ? [parsed.path] : [];
  });

export const acceptResult = (transition: Transition): Transition =>
  withMessage(
    withEffects(withWork(transition, { lastScopeRefusal: null, changedFiles: transition.facts.result?.files ?? [] }), {
      kind: "log",
      type: "SCOPE_ALLOWED",
      payload: { ticket_id: transition.state.current?.ticket.id, files: transition.facts.result?.files ?? [] },
    }),
    "the result is inside the scope; QA is next",
  );

export const refuseResult = (transition: Transition): Transition => {
  const reason = formatViolations(transition.facts.result?.violations ?? []);
  const scopeRefusals = (transition.state.current?.scopeRefusals ?? 0) + 1;
  return withMessage(
    withEffects(withWork({ ...transition, processed: false }, { scopeRefusals, lastScopeRefusal: reason }), {
      kind: "log",
      type: "SCOPE_BLOCKED",
      payload: { ticket_id: transition.state.current?.ticket.id, refusals: scopeRefusals, reason },
    }),
    `refused, undo what lies outside the scope: ${reason}`,
  );
};

/** The final change of the ticket: edits made after its result was accepted are part of it. */
export const recordChange = (transition: Transition): Transition => {
  const { current } = transition.state;
  const { result } = transition.facts;
  if (current === null || result === undefined) return transition;
  const noted = withWork(transition, { lastScopeRefusal: null, changedFiles: result.files, lines: result.lines });
  return result.diffHash === null || result.diffHash === current.spindle.diffHashes.at(-1)
    ? noted
    : withEffects(noted, { kind: "diff", ticketId: current.ticket.id });
};

export const recordCommand = (transition: Transition): Transition => {
  const payload = payloadIf(transition, "QA_COMMAND_RESULT");
  const { current } = transition.state;
  if (payload === undefined || current === null) return transition;
  const { success, output } = payload;
  const command =
    current.ticket.verificationCommands.find((own) => normalizeCommand(own) === normalizeCommand(payload.command)) ??
    payload.command;
  const before = compareWithBase(payload);
  const result = {
    command,
    success,
    tail: cutStart(output, limits.outputTail),
    by: payload.duration_ms === undefined ? ("client" as const) : ("server" as const),
    ...(before !== undefined && { before }),
  };
  const { base } = payload;
  const others = current.baseResults.filter((other) => other.command !== command);
  return withMessage(
    withEffects(
      withWork(transition, {
        qaResults: [...current.qaResults.filter((other) => other.command !== command), result].slice(-limits.qaResults),
        ...(base !== undefined && { baseResults: [...others, { command, ...base }].slice(-limits.qaResults) }),
        spindle: success ? recordSuccess(current.spindle, command) : recordFailure(current.spindle, command, output),
      }),
      { kind: "artifact", name: `qa-${slug(command, 30)}-${success ? "pass" : "fail"}.log`, body: output },
      ...(success || payload.duration_ms === undefined ? [] : [failedCompletion(current, result)]),
    ),
    `${command} ${success ? "passed" : "failed"}${describeBefore(before)}`,
  );
};

/** `complete_ticket` has failed; the ticket stays open, and counts as failed until it is done (`countFailed`). Only the server measures a duration. */
const failedCompletion = ({ ticket }: TicketWork, { command, before }: Pick<QaResult, "command" | "before">) => ({
  kind: "log" as const,
  type: "TICKET_FAILED" as const,
  payload: { ticket_id: ticket.id, reason: `${command} failed${describeBefore(before)}`, open: true },
});

/** A command without extra spaces. */
const normalizeCommand = (command: string): string => command.trim().replaceAll(/\s+/g, " ");

export const refuseQa = (transition: Transition): Transition => {
  const unmet = transition.facts.unmet ?? [];
  return withMessage(
    withEffects(
      { ...transition, processed: false },
      {
        kind: "log",
        type: "QA_REFUSED",
        payload: { ticket_id: transition.state.current?.ticket.id, owed: unmet.slice(0, 20) },
      },
    ),
    `QA has not passed: ${unmet.slice(0, 10).join("; ")}; report QA_COMMAND_RESULT for each command or call promptwheel_complete_ticket, and QA_FAILED for what does not hold`,
  );
};

export const recordQaPassed = (transition: Transition): Transition => {
  const payload = payloadIf(transition, "QA_PASSED");
  return withMessage(
    withEffects(transition, {
      kind: "artifact",
      name: "qa-summary.json",
      body: JSON.stringify(
        {
          ...payload,
          commands:
            transition.state.current?.qaResults.map(({ command, success, by }) => ({ command, success, by })) ?? [],
        },
        null,
        2,
      ),
    }),
    "QA passed",
  );
};

export const recordQaFailed = (transition: Transition): Transition => {
  const { current } = transition.state;
  const { failure } = transition.facts;
  if (current === null || failure === undefined) return transition;
  const note = {
    ...failure,
    error: cutStart(failure.error, limits.outputTail),
    commands: current.qaResults.filter(({ success }) => !success),
  };
  return withMessage(
    withEffects(withWork(transition, { qaRetries: current.qaRetries + 1, lastQaFailure: note }), {
      kind: "artifact",
      name: `qa-failed-attempt-${failure.attempt}.json`,
      body: JSON.stringify({ ...failure, commands: note.commands }, null, 2),
    }),
    `QA failed (${failure.failureClass}), attempt ${failure.attempt} of ${failure.attempts}`,
  );
};

/** The server has run a command that failed, whatever the client says. */
export const refuteQa = (transition: Transition): Transition => ({
  ...withWork(recordQaFailed(transition), { qaResults: [] }),
  processed: false,
});

/** `validate_scope` and `get_scope_policy` have answered. */
export const recordScopeCheck = (transition: Transition): Transition => {
  const payload = payloadIf(transition, "SCOPE_CHECKED");
  if (payload === undefined) return transition;
  const { ticket_id, files, reason } = payload;
  return withEffects(
    transition,
    reason === ""
      ? { kind: "log", type: "SCOPE_ALLOWED", payload: { ticket_id, files } }
      : { kind: "log", type: "SCOPE_BLOCKED", payload: { ticket_id, files, reason } },
  );
};

const unseenPr = { pr: "unverified", reason: "the server does not see the repository" } as const;

export const recordPr = (transition: Transition): Transition => {
  const payload = payloadIf(transition, "PR_CREATED");
  const { current, prs, prsCreated } = transition.state;
  if (payload === undefined || current === null) return transition;
  const { url, branch } = payload;
  const known = transition.event.measured?.published ?? unseenPr;
  const reported = { ticket_id: current.ticket.id, url, branch, ...known };
  return withEffects(
    withState(transition, { prsCreated: prsCreated + 1, prs: [...prs, reported].slice(-limits.recent) }),
    { kind: "artifact", name: "pr-created.json", body: JSON.stringify({ ...payload, ...known }, null, 2) },
  );
};
