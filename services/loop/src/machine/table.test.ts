import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emptySpindle } from "../spindle/spindle.ts";
import { eventTypes } from "../state/event.ts";
import { isTerminal, phases, terminalPhases } from "../state/phase.ts";
import { plainEvent } from "../testing/case.ts";
import { sampleStateIn, ticketId } from "../testing/sample.ts";
import { cases } from "../testing/table-cases.ts";
import { actions } from "./action/actions.ts";
import { guards } from "./guard.ts";
import { step, traceRules } from "./machine.ts";
import { table } from "./table.ts";
import { tableDocument } from "./table-document.ts";

const cells = phases.flatMap((phase) => eventTypes.map((event) => [phase, event] as const));

describe("the table", () => {
  it("is total: twelve phases by twenty events, each cell ending in a rule that always holds", () => {
    expect(cells).toHaveLength(12 * 20);
    for (const [phase, event] of cells) {
      const cell = table[phase][event];
      expect(cell.at(-1)?.when).toBe("always");
      expect(cell.slice(0, -1).every(({ when }) => when !== "always")).toBe(true);
    }
  });

  it("uses every guard and every action", () => {
    const rules = cells.flatMap(([phase, event]) => [...table[phase][event]]);
    expect(new Set(rules.map(({ when }) => when))).toEqual(new Set(Object.keys(guards)));
    expect(new Set(rules.flatMap(({ run }) => run))).toEqual(new Set(Object.keys(actions)));
  });

  it("absorbs in terminal phases", () => {
    for (const phase of terminalPhases)
      for (const event of eventTypes) expect(table[phase][event].map(({ next }) => next)).toEqual(["same"]);
  });

  it("equals its documentation", () => {
    expect(readFileSync(new URL("../../docs/machine.md", import.meta.url), "utf8")).toBe(tableDocument());
  });
});

describe("every cell", () => {
  it.each(cases.map((one) => [one.state.phase, one.event.type, one.name, one] as const))(
    "%s, %s: %s",
    (_phase, _type, _name, { state, event, next }) => {
      expect(step(state, event).state.phase).toBe(next);
    },
  );

  const covered = new Set(cases.map(({ state, event }) => `${state.phase} ${event.type}`));
  const rest = cells.filter(([phase, event]) => !covered.has(`${phase} ${event}`));

  it.each(rest)("%s only notes %s", (phase, type) => {
    const state = sampleStateIn(phase);
    const outcome = step(state, plainEvent(type));
    expect(outcome.state).toEqual(state);
    expect(outcome.processed).toBe(true);
    expect(outcome.message).toContain("changes nothing");
  });

  it("takes every rule of the table in one of the cases", () => {
    const taken = new Set<unknown>();
    for (const { state, event } of cases) for (const rule of traceRules(state, event)) taken.add(rule);
    for (const [phase, type] of rest)
      for (const rule of traceRules(sampleStateIn(phase), plainEvent(type))) taken.add(rule);
    const missing = cells.flatMap(([phase, event]) =>
      table[phase][event].filter((rule) => !taken.has(rule)).map(({ when }) => `${phase} ${event} ${when}`),
    );
    expect(missing).toEqual([]);
  });

  it("leaves a terminal state as it is", () => {
    for (const phase of terminalPhases)
      for (const type of eventTypes.filter((one) => one !== "SESSION_END"))
        expect(step(sampleStateIn(phase), plainEvent(type)).state).toEqual(sampleStateIn(phase));
  });

  it("blocks a parallel ticket that goes in circles, and goes on with the others, however often it happens", () => {
    const parallel = sampleStateIn("PARALLEL_EXECUTE");
    const spindle = { ...emptySpindle, iterationsSinceChange: 5 };
    const workers = parallel.workers.map((worker, index) =>
      index === 0 ? { ...worker, phase: "EXECUTE" as const, spindle } : worker,
    );
    for (const spindleRecoveries of [0, 1, 2, 3]) {
      const before = { ...parallel, workers, spindleRecoveries };
      const { state, effects } = step(before, plainEvent("ADVANCE_CALLED"));
      expect(state).toMatchObject({ phase: "PARALLEL_EXECUTE", ticketsBlocked: 1, stopReason: null });
      expect(state.workers.map(({ ticket }) => ticket.id)).toEqual([ticketId(2)]);
      expect(effects.filter((effect) => effect.kind === "log" && effect.type === "SPINDLE_ABORT")).toHaveLength(1);
    }
  });

  it("never leaves a terminal phase", () => {
    expect(cases.filter(({ state, next }) => isTerminal(state.phase) && next !== state.phase)).toEqual([]);
  });
});
