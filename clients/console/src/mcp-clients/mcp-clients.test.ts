import { expect, it } from "vitest";
import type { LiveEvent } from "../api/live.ts";
import { countCallers } from "./callers.ts";
import { addCommand, mcpClients } from "./clients.ts";

const [code, desktop] = mcpClients;

it("writes the command that adds an entry", () => {
  if (code === undefined || desktop === undefined) throw new Error("there are no clients");
  const options = { client: code, url: "http://127.0.0.1:5099", isReadOnly: true, service: "notes" };
  expect(addCommand(options)).toBe(
    "fairlead mcp add claude-code --service notes --read-only --url http://127.0.0.1:5099",
  );
  expect(addCommand({ ...options, client: desktop, isReadOnly: false, service: "" })).toBe(
    "fairlead mcp add claude-desktop",
  );
});

it("counts callers by name and way", () => {
  const call = (principal: string, transport: string, outcome: string): LiveEvent => ({
    seq: 1,
    at: "2026-01-01T00:00:00.000Z",
    type: "call",
    service: "notes",
    data: { principal, transport, outcome },
  });
  const callers = countCallers([call("ann", "mcp", "ok"), call("bob", "http", "ok"), call("ann", "mcp", "internal")]);
  expect(callers).toMatchObject([
    { principal: "ann", transport: "mcp", calls: 2, failures: 1 },
    { principal: "bob", transport: "http", calls: 1, failures: 0 },
  ]);
});
