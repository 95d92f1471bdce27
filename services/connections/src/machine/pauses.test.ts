/** How long a fault keeps a connection waiting where that is not the usual schedule: an upstream that sends us away, and one that may be in a deployment. */
import { expect, it } from "vitest";
import { type Connection, type ConnectionEvent, initialState, type MachineState } from "./connection.ts";
import { type ConnectionFault, classify } from "./fault.ts";
import { bounds, type MachineInput, step } from "./machine.ts";
import type { Target } from "./target.ts";

const target: Target = {
  transport: "http",
  url: "http://localhost:1/mcp",
  headers: {},
  trusted: true,
  era: "auto",
  tools: {},
  awaitsApproval: false,
};

/** One connection that fails, attempt after attempt, each at the time that was named for it. */
const failing = () => {
  let state: MachineState = initialState;
  let at = 0;
  const published: ConnectionEvent[] = [];
  const send = (input: MachineInput): void => {
    const result = step(state, input, { at, chance: 0.5 });
    state = result.state;
    for (const action of result.actions) if (action.do === "publish") published.push(action.event);
  };
  const entry = (): Connection => {
    const found = state.connections.get("a");
    if (found === undefined) throw new Error("it is gone");
    return found;
  };
  send({ on: "add", name: "a", target });
  return {
    published,
    entry,
    send,
    at: () => at,
    pass: (ms: number) => {
      at += ms;
    },
    fail: (fault: ConnectionFault) => {
      const { phase } = entry();
      if (phase.tag === "waiting") {
        at = phase.until;
        send({ on: "awake", generation: entry().generation });
      }
      send({ on: "failed", generation: entry().generation, fault });
    },
  };
};

const status = { what: "status", status: 503, opening: true, session: false } as const;

it.each([
  [7_000, 7_000],
  [86_400_000, bounds.retryAfterMs],
  [10, 75],
])("stays away for %d ms where the upstream says so, within bounds: %d", (retryAfterMs, pause) => {
  const one = failing();
  one.fail(classify({ ...status, retryAfterMs }));
  expect(one.entry().phase).toMatchObject({ tag: "waiting", until: one.at() + pause });
});

it("is not tried sooner for a call that waits", () => {
  const one = failing();
  one.fail(classify({ ...status, retryAfterMs: 7_000 }));
  const { phase } = one.entry();
  one.pass(1_000);
  one.send({ on: "demand", name: "a" });
  expect(one.entry().phase).toMatchObject({ tag: "waiting", until: phase.tag === "waiting" ? phase.until : 0 });
});

it("takes an answer that is not MCP for passing, and for lasting when it stays", () => {
  const one = failing();
  const page = classify({ what: "answer", message: "a page" });
  for (let attempt = 1; attempt <= bounds.doubtfulAttempts; attempt += 1) one.fail(page);
  expect(one.published.filter(({ type }) => type === "Blocked")).toEqual([]);
  expect(one.at()).toBeGreaterThan(30_000);
  one.fail(page);
  expect(one.published.at(-1)).toMatchObject({ type: "Blocked", fault: { reason: "bad_answer" } });
});
