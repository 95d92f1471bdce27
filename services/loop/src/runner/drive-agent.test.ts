/** A headless agent through a session: what is done counts, and what is only said does not. Whole courses are in the long tier. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { Project } from "../session/project.ts";
import { createDefects, type DefectRepository } from "../testing/agent/defects.ts";
import { driveToEnd, openProject } from "../testing/agent/drive.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let repository: DefectRepository;
let project: Project;

const begin = (...options: Parameters<typeof createDefects>): void => {
  repository = createDefects(...options);
  project = openProject(repository.path);
};

afterEach(() => {
  project.close();
  repository.remove();
});

it("an agent that repairs one of two defects and pretends at the other has one verified ticket, whose commit is all that changes", async () => {
  begin("shell", { defects: 2, repaired: 1 });
  const { events, problem } = await driveToEnd(project, { agent: repository.agent });
  expect(problem).toBeUndefined();
  const calls = readFileSync(repository.calls, "utf8").trimEnd().split("\n");
  expect(events.at(-1)).toMatchObject({
    kind: "end",
    phase: "DONE",
    summary: {
      tickets_completed: 1,
      tickets_verified: { server: 1, client: 0, none: 0 },
      tickets_failed: 1,
      agent_calls: calls.length,
    },
  });
  expect(repository.git("log", "--format=%s").trim().split("\n")).toEqual(["Repair anchor", "Begin"]);
  expect(repository.git("status", "--porcelain", "--untracked-files=no")).toBe("");
  expect(repository.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(project.peek()).toBeUndefined();
});

if (inLongTier) {
  it("the agent's prompts name no tool that it would have to call", async () => {
    begin("shell", { defects: 1, repaired: 1 });
    await driveToEnd(project, { agent: `sh -c 'cat >> "${repository.calls}"'` });
    const prompts = readFileSync(repository.calls, "utf8");
    expect(prompts).toContain("The event `SCOUT_OUTPUT`, whose payload is:");
    expect(prompts).not.toMatch(/promptwheel_/);
  });
}

describe("an agent that cannot work", () => {
  it("ends the command where it cannot be started, and the session is kept", async () => {
    begin("shell", { defects: 1, repaired: 1 });
    const run = await driveToEnd(project, { agent: "no-such-agent-anywhere" });
    expect(run.problem).toMatchObject({
      reason: "agent_unusable",
      message: expect.stringMatching(/cannot be started/),
    });
    expect(project.peek()?.phase).toBe("SCOUT");
    expect(project.hasAgent).toBe(false);
  });

  it.each([
    ["echo 'It looks fine.'", /expected a block of JSON at its end, .*SCOUT_OUTPUT.*; it ends with "It looks fine\."$/],
    ["true", /; it is empty$/],
    // Its prompt has an example in it, which is no report.
    ["cat", /expected a block of JSON at its end/],
    [`echo '{"type":"SCOUT_OUTPUT","payload":{"proposals":7}}'`, /proposals/],
  ])("ends the command where its answers hold no report: %s", async (agent, message) => {
    begin("shell", { defects: 1, repaired: 1 });
    const run = await driveToEnd(project, { agent });
    expect(run.problem).toMatchObject({ reason: "agent_unusable", message: expect.stringMatching(message) });
    expect(run.events.filter(({ kind }) => kind === "problem")).toHaveLength(3);
    expect(project.peek()?.phase).toBe("SCOUT");
  });

  it("is refused where its words cannot be read, before a session is started", async () => {
    begin("shell", { defects: 1, repaired: 1 });
    const run = await driveToEnd(project, { agent: "claude 'open" });
    expect(run.problem).toMatchObject({ code: "invalid_argument" });
    expect(project.peek()).toBeUndefined();
  });
});
