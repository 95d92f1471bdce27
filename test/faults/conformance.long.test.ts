/** All scenarios that a revision of MCP requires of a client, frozen at its release. */
import { expect, it } from "vitest";
import { judge } from "./conformance.ts";

it.each([
  ["2025-11-25", 18],
  ["2026-07-28", 32],
])("all that revision %s requires of a client", async (revision, count) => {
  const { code, verdicts, unscored } = await judge("--requirements", revision);
  const required = [...verdicts].filter(([scenario]) => !unscored.has(scenario));
  expect(required.filter(([, passed]) => !passed)).toEqual([]);
  expect(required).toHaveLength(count);
  expect(code).toBe(0);
});
