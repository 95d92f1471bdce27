/** The script that clients run, driven as they drive it: by the commands in their files, with their JSON. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { artefact, artefactText } from "../../bundle/artefact.ts";
import { call, closing, opening, ownTreeKernel, place, proposals, report, useOwnTree } from "../testing/own-tree.ts";

const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

it("gen/client-hook.ts is current: `npm run bundle` writes it", async () => {
  expect(readFileSync(artefact, "utf8")).toBe(await artefactText());
});

const readJson = (path: string) => JSON.parse(readFileSync(place(path), "utf8"));

/** Runs a hook's command as a client does: by a shell, in some folder, with JSON on standard input. */
const run = (command: string, input: Readonly<Record<string, unknown>>) => {
  const root = ownTreeKernel().repository.path;
  const output = execFileSync("sh", ["-c", command], {
    cwd: root,
    input: JSON.stringify(input),
    env: { PATH: process.env.PATH ?? "", CLAUDE_PROJECT_DIR: root },
    encoding: "utf8",
  });
  return output === "" ? undefined : output;
};

/** An agent in Claude Code: what it wants to do is put to the hooks of `.claude/settings.json`. */
const claude = () => {
  const { hooks, statusLine } = readJson(".claude/settings.json");
  const base = { session_id: "s", transcript_path: "/tmp/t.jsonl", cwd: ownTreeKernel().repository.path };
  const [edits] = hooks.PreToolUse;
  return {
    edit: (tool_name: string, tool_input: Readonly<Record<string, unknown>>) => {
      expect(tool_name).toMatch(new RegExp(`^(?:${edits.matcher})$`));
      const reply = run(edits.hooks[0].command, { ...base, hook_event_name: "PreToolUse", tool_name, tool_input });
      return reply === undefined ? undefined : JSON.parse(reply).hookSpecificOutput;
    },
    stop: (stop_hook_active: boolean) => {
      const reply = run(hooks.Stop[0].hooks[0].command, { ...base, hook_event_name: "Stop", stop_hook_active });
      return reply === undefined ? undefined : JSON.parse(reply);
    },
    status: () => run(statusLine.command, { ...base, hook_event_name: "Status", model: { id: "m" } }),
  };
};

it("holds an agent in Claude Code to the scope, asks it to go on, and shows where it is", async () => {
  await call("installClient", { client: "claude-code" });
  expect(readJson(".mcp.json").mcpServers["fairlead-loop"].args).toContain("loop");
  const agent = claude();
  const outside = { permissionDecision: "deny", permissionDecisionReason: expect.stringContaining("README.md") };
  expect(agent.edit("Edit", { file_path: place("README.md") })).toBeUndefined();
  expect(agent.stop(false)).toBeUndefined();

  // The session that the command starts.
  const improve = readFileSync(place(".claude/commands/improve.md"), "utf8");
  const named = [...improve.matchAll(/`(\w+): ("\w+"|true)`/g)].map(([, name = "", value = ""]) => [
    name,
    JSON.parse(value),
  ]);
  expect(Object.fromEntries(named)).toEqual({
    qa: "server",
    own_tree: true,
    plan_approval: "hold",
    scope_breach: "ticket",
    backlog: "carry",
  });
  await ownTreeKernel().scout(proposals, Object.fromEntries(named));
  const { ticketId } = await call("nextTicket");
  await report("PLAN_SUBMITTED", { ticket_id: ticketId, files: [closing], risk_level: "low" });
  const policy = readJson(".promptwheel/scope-policy.json").tickets[ticketId];
  expect(agent.edit("Edit", { file_path: place(".env"), old_string: "a", new_string: "b" })).toMatchObject({
    permissionDecision: "deny",
    permissionDecisionReason: expect.stringContaining("always denied"),
  });
  expect(agent.edit("NotebookEdit", { notebook_path: "node_modules/x.ipynb" })).toMatchObject({
    permissionDecision: "deny",
  });
  for (const file of [closing, opening, "README.md"]) {
    const { file_check } = await call("getScopePolicy", { file_path: file, ticketId });
    const reply = agent.edit("Write", { file_path: place(file), content: "x" });
    if (file_check.allowed) expect(reply).toBeUndefined();
    else expect(reply).toMatchObject({ ...outside, permissionDecisionReason: expect.stringContaining(file) });
  }
  expect(policy.denied_paths).toContain("**/.env");
  expect(agent.edit("Write", { file_path: "/tmp/outside-of-the-repository.md" })).toBeUndefined();
  expect(agent.stop(false)).toMatchObject({
    decision: "block",
    reason: expect.stringContaining("promptwheel_advance"),
  });
  expect(agent.stop(true)).toBeUndefined();
  expect(agent.status()).toMatch(/^improve: EXECUTE \d+\/200, 0 done, 0 failed$/);

  await call("pauseSession", { reason: "a look" });
  expect(agent.stop(false)).toBeUndefined();
  expect(agent.status()).toMatch(/, 0 failed, waits for you$/);
  await call("resumeSession");

  const worktree = join(".promptwheel/worktrees", ticketId);
  mkdirSync(place(worktree), { recursive: true });
  expect(agent.edit("Write", { file_path: place(join(worktree, ".env")) })).toMatchObject({
    permissionDecision: "deny",
  });
  expect(agent.edit("Write", { file_path: place(closing) })).toMatchObject({
    permissionDecisionReason: expect.stringContaining(worktree),
  });
  expect(agent.edit("Write", { file_path: place(join(worktree, closing)) })).toBeUndefined();

  await call("endSession");
  expect(agent.edit("Edit", { file_path: place(".env") })).toBeUndefined();
  expect([agent.stop(false), agent.status()]).toEqual([undefined, undefined]);
  await call("uninstallClient", { client: "claude-code" });
});

if (inLongTier) {
  it("answers Cursor in its own words", async () => {
    await call("installClient", { client: "cursor" });
    const { hooks } = readJson(".cursor/hooks.json");
    await ownTreeKernel().scout(proposals);
    await call("nextTicket");
    const edit = { hook_event_name: "preToolUse", tool_name: "Write", tool_input: { file_path: place(".env") } };
    expect(JSON.parse(run(hooks.preToolUse[0].command, edit) ?? "")).toMatchObject({ permission: "deny" });
    const stop = { hook_event_name: "stop", status: "completed", loop_count: 0 };
    expect(JSON.parse(run(hooks.stop[0].command, stop) ?? "")).toMatchObject({
      followup_message: expect.stringContaining("promptwheel_advance"),
    });
    expect(run(hooks.stop[0].command, { ...stop, loop_count: 1 })).toBeUndefined();
  });
}
