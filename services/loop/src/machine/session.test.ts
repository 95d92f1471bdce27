/**
 * Whole sessions under random behaviour of the client: whatever is sent, in whatever order, the invariants hold, and the log folds
 * to the same state.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EventType, eventTypes, type LoopEvent } from "../state/event.ts";
import { isTerminal, terminalPhases } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import { formatState } from "../state/state-document.ts";
import { sampleEvent, samplePayloads, sampleProposal, sampleState, ticketId } from "../testing/sample.ts";
import { step } from "./machine.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

/** What a client might do next; names of tickets are filled in from the state when it is done. */
interface Move {
  readonly type: EventType;
  readonly variant: number;
  readonly names: "current" | "other" | "none";
}

const move: fc.Arbitrary<Move> = fc.record({
  type: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<EventType>("ADVANCE_CALLED") },
    { weight: 1, arbitrary: fc.constantFrom(...eventTypes.filter((type) => type !== "SESSION_END")) },
    { weight: 4, arbitrary: fc.constant<EventType>("PROPOSALS_FILTERED") },
  ),
  variant: fc.nat({ max: 7 }),
  names: fc.constantFrom("current", "current", "current", "other", "none"),
});

/** A helpful client: PROPOSALS_FILTERED in the generator stands for "whatever the phase expects". */
const expected = (state: RunState, variant: number): EventType => {
  const phase =
    state.phase === "PARALLEL_EXECUTE"
      ? (state.workers[variant % Math.max(1, state.workers.length)]?.phase ?? "PLAN")
      : state.phase;
  switch (phase) {
    case "SCOUT":
      return state.scout.pending === null ? "SCOUT_OUTPUT" : "PROPOSALS_REVIEWED";
    case "PLAN":
      return "PLAN_SUBMITTED";
    case "EXECUTE":
      return "TICKET_RESULT";
    case "QA":
      return variant % 3 === 0 ? "QA_FAILED" : variant % 3 === 1 ? "QA_COMMAND_RESULT" : "QA_PASSED";
    case "PR":
      return "PR_CREATED";
    default:
      return "ADVANCE_CALLED";
  }
};

const words = ["parser", "socket", "kernel", "ledger", "vacuum", "quartz", "zephyr", "goblin", "hammer", "window"];

const eventFor = (state: RunState, { type: moveType, variant, names }: Move, round: number): LoopEvent => {
  const wanted = moveType === "PROPOSALS_FILTERED" ? expected(state, variant) : moveType;
  // A person resumes most of what is paused.
  const type = state.pause !== null && variant > 1 ? "SESSION_RESUMED" : wanted;
  const open = state.current?.ticket.id ?? state.workers[variant % Math.max(1, state.workers.length)]?.ticket.id;
  const ticket_id =
    names === "none" && state.workers.length === 0
      ? undefined
      : names === "other" && variant > 5
        ? ticketId(999)
        : open;
  const named = ticket_id === undefined ? {} : { ticket_id };
  const files = (state.current ?? state.workers.find(({ ticket }) => ticket.id === ticket_id))?.ticket.files ?? [];
  switch (type) {
    case "SCOUT_OUTPUT":
      return sampleEvent(type, {
        proposals: Array.from({ length: variant }, (_, index) => {
          const title = `${words[(round + index * 3) % 10]} ${words[(round * 7 + index) % 10]} ${round % 10}`;
          return index === 5
            ? { broken: true }
            : sampleProposal(title, { confidence: 10 * ((round % 9) + 1), impact_score: variant + 3 });
        }),
        explored_dirs: ["src"],
        exploration_summary: "",
      });
    case "PROPOSALS_REVIEWED":
      return sampleEvent(type, { reviewed_proposals: [] });
    case "PLAN_SUBMITTED":
      return sampleEvent(type, {
        ...samplePayloads[type],
        ...named,
        risk_level: variant === 7 ? "high" : "low",
        files_to_touch: (variant === 6 ? ["../x"] : files).map((path) => ({ path, reason: "", action: "modify" })),
      });
    case "TICKET_RESULT":
      return sampleEvent(type, {
        ...samplePayloads[type],
        ...named,
        status: variant === 7 ? "failed" : "done",
        changed_files: variant === 6 ? ["elsewhere.ts"] : variant === 5 ? [] : files,
        lines_added: variant * 10,
      });
    case "QA_FAILED":
      return sampleEvent(type, { ...named, error: ["ENOENT", "timed out", "AssertionError", "?"][variant % 4] ?? "?" });
    case "TICKET_ABANDONED":
      return sampleEvent(type, { ticket_id: ticket_id ?? ticketId(1), reason: "no" });
    case "USER_OVERRIDE":
      return sampleEvent(type, variant === 7 ? { cancel: true } : { hint: `look at ${round}` });
    case "QA_PASSED":
    case "PR_CREATED":
      return sampleEvent(
        type,
        { ...samplePayloads[type], ...named },
        variant === 5
          ? { measured: { files: ["elsewhere.ts"], linesAdded: 1, linesRemoved: 0, diffHash: null } }
          : { usage: { costUsd: variant / 8, inputTokens: variant, outputTokens: 1 } },
      );
    case "QA_COMMAND_RESULT":
      return sampleEvent(type, { ...samplePayloads[type], ...named });
    default:
      return sampleEvent(type, samplePayloads[type]);
  }
};

const settings = fc.record({
  stepBudget: fc.integer({ min: 1, max: 40 }),
  ticketStepBudget: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
  maxCycles: fc.integer({ min: 1, max: 4 }),
  maxPrs: fc.integer({ min: 1, max: 3 }),
  createPrs: fc.boolean(),
  review: fc.boolean(),
  parallel: fc.integer({ min: 1, max: 4 }),
  direct: fc.boolean(),
});

const does = (type: EventType, variant = 0): Move => ({ type, variant, names: "current" });

const onePullRequest = {
  stepBudget: 40,
  ticketStepBudget: null,
  maxCycles: 1,
  maxPrs: 1,
  createPrs: true,
  review: false,
  parallel: 1,
  direct: false,
};

/** With one pull request allowed, this once opened two: `next_ticket` took a ticket that `advance` would not have taken. */
const twoTickets: Move[] = [
  does("ADVANCE_CALLED"),
  does("SCOUT_OUTPUT", 2),
  ...[1, 2].flatMap(() => [
    does("TICKET_TAKEN"),
    does("PLAN_SUBMITTED"),
    does("TICKET_RESULT"),
    does("QA_COMMAND_RESULT"),
    does("QA_PASSED"),
    does("PR_CREATED"),
  ]),
];

const check = (before: RunState, event: LoopEvent, after: RunState, prompts: number): void => {
  const { settings: bounds } = after;
  expect(after.stepCount).toBeLessThanOrEqual(bounds.stepBudget);
  expect(after.prsCreated).toBeLessThanOrEqual(Math.max(bounds.maxPrs, before.prsCreated));
  expect(after.scout.cycles).toBeLessThanOrEqual(bounds.maxCycles);
  if (isTerminal(before.phase)) expect(JSON.stringify(after)).toBe(JSON.stringify(before));
  if (event.type !== "ADVANCE_CALLED") expect(prompts).toBe(0);
  else if (before.pause !== null) expect([prompts, after]).toEqual([0, before]);
  else if (after.phase === "PARALLEL_EXECUTE") expect(prompts).toBe(after.workers.length);
  else expect(prompts).toBe(isTerminal(after.phase) ? 0 : 1);
  if (event.type === "ADVANCE_CALLED" && before.pause === null && !isTerminal(after.phase))
    expect(after.stepCount).toBe(before.stepCount + 1);
  const alone = after.phase === "PLAN" || after.phase === "EXECUTE" || after.phase === "QA" || after.phase === "PR";
  if (!isTerminal(after.phase)) {
    expect(after.current !== null).toBe(alone);
    expect(after.workers.length > 0).toBe(after.phase === "PARALLEL_EXECUTE");
  }
  if (bounds.ticketStepBudget !== null)
    for (const work of [...(after.current === null ? [] : [after.current]), ...after.workers])
      expect(work.steps).toBeLessThanOrEqual(bounds.ticketStepBudget);
  const closed = after.ticketsCompleted + after.ticketsFailed + after.ticketsBlocked + after.ticketsAborted;
  const open = after.ready.length + after.workers.length + (after.current === null ? 0 : 1);
  expect(closed + open).toBe(after.ticketsCreated);
  if (isTerminal(after.phase)) expect(after.stopReason).not.toBeNull();
};

describe("whole sessions", () => {
  it("hold their invariants whatever the client does, and fold to the same state", () => {
    const ends = new Map<string, number>();
    fc.assert(
      fc.property(settings, fc.array(move, { minLength: 60, maxLength: 120, size: "max" }), (chosen, moves) => {
        let state = sampleState({}, chosen);
        let replayed = state;
        let afterEnd = 0;
        for (const [round, next] of moves.entries()) {
          if (isTerminal(state.phase)) afterEnd += 1;
          if (afterEnd > 3) break;
          const event = eventFor(state, next, round);
          const outcome = step(state, event);
          check(state, event, outcome.state, outcome.effects.filter(({ kind }) => kind === "prompt").length);
          state = outcome.state;
          const stored = JSON.parse(JSON.stringify(event)) as LoopEvent;
          replayed = step(replayed, stored).state;
          expect(JSON.stringify(replayed)).toBe(JSON.stringify(state));
        }
        expect(formatState(replayed)).toEqual(formatState(state));
        ends.set(state.phase, (ends.get(state.phase) ?? 0) + 1);
      }),
      { numRuns: inLongTier ? 300 : 80, examples: [[onePullRequest, twoTickets]] },
    );
    const stopped = terminalPhases.reduce((sum, phase) => sum + (ends.get(phase) ?? 0), 0);
    expect(stopped).toBeGreaterThan(50);
  });
});
