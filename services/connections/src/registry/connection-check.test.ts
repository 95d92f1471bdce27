import { expect, it } from "vitest";
import type { Connection, Generation } from "../machine/connection.ts";
import { classify } from "../machine/fault.ts";
import { connectionCheck } from "./connection-check.ts";

const connection: Connection = {
  name: "files",
  target: {
    transport: "stdio",
    command: "npx",
    args: ["-y", "files"],
    env: {},
    cwd: "/",
    era: "auto",
    tools: {},
    awaitsApproval: false,
  },
  generation: 7 as Generation,
  phase: { tag: "opening", after: "new" },
  since: 0,
  phaseSince: 0,
  startedAt: 0,
  attempt: 0,
  attempts: 2,
  streak: 0,
  tools: 0,
};
const attempt = { step: "install", since: 0, limitMs: 120_000 } as const;

it("names the step that failed, and how to fix it", () => {
  const fault = { ...classify({ what: "spawn", command: "npx", code: "ENOENT" }), step: "start" } as const;
  const phase = { tag: "waiting", after: "blocked", until: 1, counted: false } as const;
  expect(connectionCheck({ ...connection, phase, fault }, attempt)).toEqual([
    {
      name: "upstream files",
      ok: false,
      detail: "blocked, attempt 2: failed in step `start`: npx could not be started: ENOENT",
      fix: "install it, or correct the command in the configuration",
    },
  ]);
});

it("says since when a program is being installed, and nothing of one that is up", () => {
  expect(connectionCheck(connection, attempt)).toEqual([
    {
      name: "upstream files",
      ok: true,
      detail: "is being installed since 1970-01-01T00:00:00.000Z, at most 120000 ms",
    },
  ]);
  expect(connectionCheck({ ...connection, phase: { tag: "connected", misses: 0 } }, attempt)).toEqual([]);
});
