import { expect, test } from "vitest";
import type { ConnectionEvent, Generation } from "../machine/connection.ts";
import { classify } from "../machine/fault.ts";
import { connectionLogLine } from "./event-log.ts";

const generation = 1 as Generation;
const fault = classify({ what: "socket", code: "ECONNREFUSED", message: "" });

test.each<[ConnectionEvent, boolean, string, string]>([
  [{ type: "Connecting", name: "a", generation, endpoint: "http://one/mcp" }, false, "info", "connection added"],
  [{ type: "Connected", name: "a", generation, tools: 3 }, false, "info", "connected"],
  [{ type: "Removed", name: "a" }, true, "info", "connection removed"],
  [{ type: "ToolsRefreshed", name: "a", generation, tools: 4 }, true, "debug", "tools listed again"],
  [{ type: "Reconnecting", name: "a", generation, attempt: 1, delayMs: 90, fault }, true, "warn", "connection lost"],
  [
    { type: "Reconnecting", name: "a", generation, attempt: 2, delayMs: 90, fault },
    false,
    "debug",
    "connection not made yet",
  ],
  [{ type: "Blocked", name: "a", generation, delayMs: 60_000, fault }, true, "warn", "connection blocked"],
])("%j (up: %s) is a line at %s", (event, wasConnected, level, message) => {
  const line = connectionLogLine(event, wasConnected);
  expect(line).toMatchObject({ level, message, fields: { connection: "a" } });
  if ("fault" in event) expect(line.fields).toMatchObject({ reason: "refused", error: fault.message });
});
