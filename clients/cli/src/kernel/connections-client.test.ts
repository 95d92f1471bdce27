import { expect, test } from "vitest";
import { type Connection, connectionRows } from "./connections-client.ts";

const up: Connection = {
  name: "holler",
  state: "connected",
  tools: 3,
  calls: 7,
  era: "modern",
  endpoint: "http://127.0.0.1:1/mcp",
  transport: "http",
  revision: null,
  server: null,
  error: null,
  lastError: null,
  attempt: 0,
  nextRetry: null,
  since: "2026-01-31T12:00:00Z",
  generation: 1,
  configured: true,
  quarantined: [],
  filtered: [],
  unusable: [],
};

const trouble = (connection: Connection): string | undefined => connectionRows([connection])[1]?.at(-1);

test("a connection in trouble says why, how often it failed and when it is tried again", () => {
  const lost: Connection = { ...up, state: "reconnecting", error: "it refuses" };
  expect(trouble(up)).toBe("");
  expect(trouble({ ...lost, attempt: 3, nextRetry: "2026-01-31T12:00:05.250Z" })).toBe(
    "it refuses; failed 3 times; next try by 12:00:05 UTC",
  );
  expect(trouble({ ...lost, state: "blocked", attempt: 1 })).toBe("it refuses; failed once");
  expect(trouble({ ...up, quarantined: ["a", "b"] })).toBe("2 kept back");
});
