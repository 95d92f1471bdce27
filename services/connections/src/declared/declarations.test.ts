/** Which reading runs the startup script: a plan that a person asks for does, one that a written file leads to does not. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "@fairlead/kernel/service";
import { expect, it } from "vitest";
import { configSchema } from "../config/config.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";
import type { ApprovedTargets } from "../store/approved-targets.ts";
import { type DeclarationPlan, readDeclarations } from "./declarations.ts";

const lines = ({ changes, problems }: DeclarationPlan) => [
  ...changes.map(({ change, name }) => `${change} ${name}`),
  ...problems,
];

it("reads a `.mcp.json` again without running the script beside it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-declared-"));
  const [mcpJson, startup] = [join(folder, ".mcp.json"), join(folder, "startup.lua")];
  const printed: string[] = [];
  const added: string[] = [];
  const host = { env: {}, log: (_: string, message: string) => printed.push(message) };
  const registry = { names: [], add: (name: string) => added.push(name), connection: () => undefined };
  const approved = { check: (_: string, target: unknown) => target };
  writeFileSync(mcpJson, '{"mcpServers":{}}');
  writeFileSync(startup, 'print("first") mcp_add("a", "http://127.0.0.1:1/mcp")');
  const written = readDeclarations(
    { ...configSchema.parse({ mcpJson }), startup, ignoredScript: undefined },
    {
      host: host as unknown as Host,
      registry: registry as unknown as ConnectionRegistry,
      disabled: new Map(),
      configured: new Map(),
      approved: approved as unknown as ApprovedTargets,
    },
  );
  await written.whenRead;
  expect([added, printed]).toEqual([["a"], ["first"]]);
  writeFileSync(startup, 'print("second") mcp_add("b", "http://127.0.0.1:1/mcp")');
  writeFileSync(mcpJson, JSON.stringify({ mcpServers: { c: { url: "http://127.0.0.1:1/mcp" } } }));
  expect(lines(await written.planData())).toEqual(["added c"]);
  expect(printed).toEqual(["first"]);
  expect(lines(await written.plan())).toEqual(["removed a", "added b", "added c"]);
  expect(printed).toEqual(["first", "second"]);
  expect(lines(await written.planData())).toEqual(["added c"]);
  await written.apply();
  expect(lines(await written.planData())).toEqual([]);
  rmSync(folder, { recursive: true });
});
