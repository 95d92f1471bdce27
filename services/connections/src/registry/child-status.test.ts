import { expect, it } from "vitest";
import type { Connection, Generation, Phase } from "../machine/connection.ts";
import { classify } from "../machine/fault.ts";
import { childStatus } from "./child-status.ts";

const connection = (phase: Phase, more: Partial<Connection> = {}): Connection => ({
  name: "files",
  target: {
    transport: "stdio",
    command: "node",
    args: [],
    env: {},
    cwd: "/",
    era: "auto",
    tools: {},
    awaitsApproval: false,
  },
  generation: 7 as Generation,
  phase,
  since: 1,
  phaseSince: 2,
  startedAt: 2,
  attempt: 0,
  attempts: 1,
  streak: 0,
  tools: 0,
  ...more,
});
const fault = classify({ what: "exit", code: 1, signal: null, stderr: "" });
const error = { code: "unavailable", message: fault.message, retryable: true };

it.each<[string, Phase, Partial<Connection>, object]>([
  ["queued for the first time", { tag: "queued", after: "new" }, {}, { tag: "Stopped", since: 2 }],
  ["queued again", { tag: "queued", after: "loss" }, { fault }, { tag: "Stopped", since: 2, last: error }],
  ["opening", { tag: "opening", after: "new" }, {}, { tag: "Starting", since: 2, life: 7 }],
  ["connected", { tag: "connected", misses: 0 }, {}, { tag: "Ready", since: 2, life: 7 }],
  [
    "lazy",
    { tag: "waiting", after: "new", until: Number.POSITIVE_INFINITY, counted: true },
    {},
    { tag: "Stopped", since: 2 },
  ],
  [
    "lost",
    { tag: "waiting", after: "loss", until: 9, counted: false },
    { fault, attempt: 3 },
    { tag: "Backoff", since: 2, until: 9, attempt: 3, error },
  ],
  [
    "blocked",
    { tag: "waiting", after: "blocked", until: 9, counted: false },
    { fault: { ...fault, kind: "permanent", hint: "install it" }, attempt: 1 },
    { tag: "Backoff", since: 2, until: 9, attempt: 1, error: { ...error, retryable: false, hint: "install it" } },
  ],
])("shows one that is %s", (_, phase, more, state) => {
  expect(childStatus(connection(phase, more), undefined).state).toEqual(state);
});

it("counts restarts after the first start, and names the process", () => {
  const connected: Phase = { tag: "connected", misses: 0 };
  expect(childStatus(connection(connected, { attempts: 0 }), undefined)).toMatchObject({ restarts: 0 });
  expect(childStatus(connection(connected, { attempts: 3 }), 123)).toMatchObject({ restarts: 2, pid: 123 });
  expect(childStatus(connection(connected), undefined)).not.toHaveProperty("pid");
});
