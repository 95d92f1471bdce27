/** Which open session an agent that works alone may go on with, and what is said of it. */
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Project } from "../session/project.ts";
import { surveyProject } from "../session/scan.ts";
import { openProject } from "../testing/agent/drive.ts";
import { type Repository, temporaryFolder, temporaryRepository } from "../testing/repository.ts";
import { startSession } from "../tool/start-session.ts";
import { openAgentSession } from "./open-session.ts";

let repository: Repository;
let project: Project;

beforeEach(() => {
  repository = temporaryRepository({ "src/a.ts": "" });
  project = openProject(repository.path);
});

afterEach(() => {
  project.close();
  repository.remove();
});

const start = async (input: Parameters<typeof startSession>[1]) =>
  startSession(project, input, await surveyProject(project));

it("a session in the person's working tree is refused, and its error says what to do", async () => {
  const { run_id } = await start({ direct: true });
  await expect(openAgentSession(project, { agent: "cat" })).rejects.toMatchObject({
    reason: "session_active",
    message: expect.stringContaining("fairlead session end"),
    data: { run_id, phase: "SCOUT" },
  });
});

it("each setting that differs from the command's is named", async () => {
  await start({ direct: false });
  const { continued, warnings } = await openAgentSession(project, { agent: "cat" });
  expect(continued).toBe(true);
  expect(warnings).toEqual(
    ["qa is client", "plan_approval is stop", "scope_breach is session", "backlog is drop", "own_tree is false"].map(
      (text) => expect.stringContaining(text),
    ),
  );
});

it.each([{}, { direct: true }])("the command's own session goes on without a warning of it with %j", async (input) => {
  const { run_id } = await openAgentSession(project, { agent: "cat", ...input });
  const again = await openAgentSession(project, { agent: "cat", ...input });
  expect(again).toMatchObject({ run_id, continued: true });
  expect(again.warnings.filter((text) => text.includes("would have started"))).toEqual([]);
});

it("a folder in no git repository is refused before anything is made in it, with the commands that make it one", async () => {
  const folder = temporaryFolder();
  const outside = openProject(folder.path);
  for (const direct of [true, false])
    await expect(openAgentSession(outside, { agent: "cat", direct })).rejects.toMatchObject({
      reason: "git_refused",
      message: expect.stringContaining("no git repository"),
      hint: expect.stringContaining(`git -C '${folder.path}' init; then write a .gitignore`),
    });
  expect(readdirSync(folder.path)).toEqual([]);
  outside.close();
  folder.remove();
});
