/** Actions of PLAN, EXECUTE, QA and PR: what a client reports about the current ticket. */

import { violationText } from "../../scope/check.ts";
import { assess, inspect, recordFailure, recordIteration, recordOutput } from "../../spindle/spindle.ts";
import { limits } from "../../value/limits.ts";
import { cutStart, slug } from "../../value/text.ts";
import { ask } from "./scout.ts";
import { payloadOf, say, type Turn, withEffects, withWork } from "./transition.ts";

export const askPlan = (turn: Turn): Turn => ask(turn, "plan");
export const askPr = (turn: Turn): Turn => ask(turn, "pr");

/** An execute prompt that is asked for again without a result is an iteration without a change. */
export const askExecute = (turn: Turn): Turn => {
  const { current } = turn.state;
  if (current === null) return turn;
  const spindle = current.executing ? recordIteration(current.spindle, null, []) : current.spindle;
  return ask(warn(withWork(turn, { executing: true, spindle })), "execute");
};

export const askQa = (turn: Turn): Turn => ask(warn(turn), "qa");

const warn = (turn: Turn): Turn => {
  const { current, settings } = turn.state;
  if (current === null || inspect(current.spindle, settings.spindle) !== null) return turn;
  const { risk, reasons } = assess(current.spindle, settings.spindle);
  return risk === "none"
    ? turn
    : withEffects(turn, {
        kind: "log",
        type: "SPINDLE_WARNING",
        payload: { ticket_id: current.ticket.id, risk, reasons },
      });
};

export const approvePlan = (turn: Turn): Turn => {
  const plan = payloadOf(turn, "PLAN_SUBMITTED");
  if (plan === undefined) return turn;
  return say(
    withEffects(withWork(turn, { plan, plannedFiles: turn.facts.plan?.files ?? [], lastPlanRejection: null }), {
      kind: "log",
      type: "PLAN_APPROVED",
      payload: {
        ticket_id: turn.state.current?.ticket.id,
        risk_level: plan.risk_level,
        files: turn.facts.plan?.files ?? [],
      },
    }),
    "the plan is approved",
  );
};

export const rejectPlan = (turn: Turn): Turn => {
  const reason = violationText(turn.facts.plan?.violations ?? []);
  const planRejections = (turn.state.current?.planRejections ?? 0) + 1;
  return say(
    withEffects(withWork(turn, { planRejections, lastPlanRejection: reason }), {
      kind: "log",
      type: "PLAN_REJECTED",
      payload: { ticket_id: turn.state.current?.ticket.id, rejections: planRejections, reason },
    }),
    `the plan is rejected (${planRejections}): ${reason}`,
  );
};

export const recordResult = (turn: Turn): Turn => {
  const payload = payloadOf(turn, "TICKET_RESULT");
  const { current } = turn.state;
  const { result } = turn.facts;
  if (payload === undefined || current === null || result === undefined) return turn;
  const spindle = recordOutput(recordIteration(current.spindle, result.diffHash, result.files), payload.summary);
  return withEffects(
    withWork(turn, { spindle, executing: false, lines: result.lines, qaResults: [] }),
    {
      kind: "artifact",
      name: "ticket-result.json",
      body: JSON.stringify({ ...payload, diff: undefined, measured: turn.event.measured ?? null }, null, 2),
    },
    ...(result.diffHash === null ? [] : [{ kind: "diff" as const, ticketId: current.ticket.id }]),
  );
};

export const acceptResult = (turn: Turn): Turn =>
  say(
    withEffects(withWork(turn, { lastScopeRefusal: null, changedFiles: turn.facts.result?.files ?? [] }), {
      kind: "log",
      type: "SCOPE_ALLOWED",
      payload: { ticket_id: turn.state.current?.ticket.id, files: turn.facts.result?.files ?? [] },
    }),
    "the result is inside the scope; QA is next",
  );

export const refuseResult = (turn: Turn): Turn => {
  const reason = violationText(turn.facts.result?.violations ?? []);
  const scopeRefusals = (turn.state.current?.scopeRefusals ?? 0) + 1;
  return say(
    withEffects(withWork({ ...turn, processed: false }, { scopeRefusals, lastScopeRefusal: reason }), {
      kind: "log",
      type: "SCOPE_BLOCKED",
      payload: { ticket_id: turn.state.current?.ticket.id, refusals: scopeRefusals, reason },
    }),
    `refused, undo what lies outside the scope: ${reason}`,
  );
};

/** What the ticket comes to in the end: edits made after its result was accepted are part of it. */
export const recordChange = (turn: Turn): Turn => {
  const { current } = turn.state;
  const { result } = turn.facts;
  if (current === null || result === undefined) return turn;
  const noted = withWork(turn, { lastScopeRefusal: null, changedFiles: result.files, lines: result.lines });
  return result.diffHash === null || result.diffHash === current.spindle.diffHashes.at(-1)
    ? noted
    : withEffects(noted, { kind: "diff", ticketId: current.ticket.id });
};

export const recordCommand = (turn: Turn): Turn => {
  const payload = payloadOf(turn, "QA_COMMAND_RESULT");
  const { current } = turn.state;
  if (payload === undefined || current === null) return turn;
  const { success, output } = payload;
  const command =
    current.ticket.verificationCommands.find((own) => plain(own) === plain(payload.command)) ?? payload.command;
  const result = { command, success, tail: cutStart(output, limits.outputTail) };
  return say(
    withEffects(
      withWork(turn, {
        qaResults: [...current.qaResults.filter((other) => other.command !== command), result].slice(-limits.qaResults),
        spindle: success ? current.spindle : recordFailure(current.spindle, command, output),
      }),
      { kind: "artifact", name: `qa-${slug(command, 30)}-${success ? "pass" : "fail"}.log`, body: output },
    ),
    `${command} ${success ? "passed" : "failed"}`,
  );
};

/** A command by its words: how they are spaced does not matter. */
const plain = (command: string): string => command.trim().replaceAll(/\s+/g, " ");

export const refuseQa = (turn: Turn): Turn => {
  const owed = turn.facts.owed ?? [];
  return say(
    withEffects(
      { ...turn, processed: false },
      {
        kind: "log",
        type: "QA_REFUSED",
        payload: { ticket_id: turn.state.current?.ticket.id, owed: owed.slice(0, 20) },
      },
    ),
    `QA has not passed: ${owed.slice(0, 10).join("; ")}; report QA_COMMAND_RESULT for each command or call promptwheel_complete_ticket, and QA_FAILED for what does not hold`,
  );
};

export const recordQaPassed = (turn: Turn): Turn => {
  const payload = payloadOf(turn, "QA_PASSED");
  return say(
    withEffects(turn, {
      kind: "artifact",
      name: "qa-summary.json",
      body: JSON.stringify(
        {
          ...payload,
          commands: turn.state.current?.qaResults.map(({ command, success }) => ({ command, success })) ?? [],
        },
        null,
        2,
      ),
    }),
    "QA passed",
  );
};

export const recordQaFailed = (turn: Turn): Turn => {
  const payload = payloadOf(turn, "QA_FAILED");
  const { current } = turn.state;
  const { failure } = turn.facts;
  if (payload === undefined || current === null || failure === undefined) return turn;
  const note = {
    error: cutStart(payload.error, limits.outputTail),
    ...failure,
    commands: current.qaResults.filter(({ success }) => !success),
  };
  return say(
    withEffects(withWork(turn, { qaRetries: current.qaRetries + 1, lastQaFailure: note }), {
      kind: "artifact",
      name: `qa-failed-attempt-${failure.attempt}.json`,
      body: JSON.stringify({ ...failure, error: payload.error, commands: note.commands }, null, 2),
    }),
    `QA failed (${failure.failureClass}), attempt ${failure.attempt} of ${failure.attempts}`,
  );
};

export const recordPr = (turn: Turn): Turn => {
  const payload = payloadOf(turn, "PR_CREATED");
  return withEffects(
    { ...turn, state: { ...turn.state, prsCreated: turn.state.prsCreated + 1 } },
    { kind: "artifact", name: "pr-created.json", body: JSON.stringify({ ...payload }, null, 2) },
  );
};
