/** What people are shown of a session: at its end, at every moment before, and the files that it left. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sampleProposal } from "../testing/sample.ts";
import { LoopTestKernel } from "../testing/test-kernel.ts";

let kernel: LoopTestKernel;
let runId: string;

const one = sampleProposal("Part 1", { files: ["src/part-1.ts"], verification_commands: ["make"], risk: "low" });
const two = sampleProposal("Close the file", {
  files: ["src/part-2.ts"],
  verification_commands: ["make"],
  confidence: 60,
});

beforeEach(async () => {
  kernel = new LoopTestKernel();
  runId = (await kernel.scout([one, two], { plan_approval: "hold" })).run_id;
});
afterEach(() => kernel.close());

const view = (at?: number) => kernel.call("viewRun", { run_id: runId, ...(at !== undefined && { at }) });
const report = (type: string, payload: object) => kernel.call("ingestEvent", { type, payload });

it("lists the projects and which has a session", async () => {
  const { projects } = await kernel.call("listProjects");
  expect(projects).toEqual([
    { name: expect.any(String), is_default: true, run_id: runId, phase: "NEXT_TICKET", problem: null },
  ]);
  const gone = join(kernel.repository.path, "gone");
  await kernel.restart({ projects: { good: kernel.repository.path, gone } });
  expect((await kernel.call("listProjects")).projects).toMatchObject([
    { name: "gone", run_id: null, problem: expect.stringContaining("gone") },
    { name: "good", run_id: runId },
  ]);
});

it("shows tickets as they are, and as they were after each line of the log", async () => {
  const { last: before } = await view();
  await kernel.call("advance");
  await report("PLAN_SUBMITTED", { files: ["src/part-1.ts"], risk_level: "high", estimated_lines: 7 });
  const held = await view();
  expect(held.tickets).toMatchObject([
    { title: "Part 1", status: "in_progress", phase: "PLAN", steps: 1, policy: { allowed_paths: ["src/part-1.ts"] } },
    { title: "Close the file", status: "ready", phase: null, plan: null },
  ]);
  expect(held.tickets[0].plan).toMatchObject({ state: "held", risk_level: "high", estimated_lines: 7 });
  const { ticket_id } = held.tickets[0];
  await kernel.call("failTicket", { ticketId: ticket_id, runId, reason: "too large" });
  const now = await view();
  expect(now.tickets[0]).toMatchObject({ status: "blocked", note: expect.stringContaining("too large"), policy: null });
  // Any line of an event shows what was after it: the first one has no ticket, and each later one what it had then.
  expect(await view(1)).toMatchObject({ at: 1, phase: "SCOUT", tickets: [] });
  expect((await view(before)).tickets).toMatchObject([{ status: "ready" }, { status: "ready" }]);
  expect((await view(held.at)).tickets).toEqual(held.tickets);
  expect(await view(now.last)).toEqual(now);
  await kernel.call("endSession");
  expect((await view()).tickets.map(({ status }: { status: string }) => status)).toEqual(["aborted", "aborted"]);
});

it("keeps each prompt as it was handed out, in the run and in its folder", async () => {
  const { prompt } = await kernel.call("advance");
  await kernel.call("advance");
  const { files } = await kernel.call("listRunFiles", { run_id: runId });
  const prompts = files.filter(({ kind }: { kind: string }) => kind === "prompt");
  expect(prompts).toMatchObject([
    { path: "prompts/1-scout.md", step: 1, ticket_id: null },
    { step: 2, ticket_id: expect.stringMatching(/^tkt_/) },
    { step: 3 },
  ]);
  const { path } = prompts[1];
  expect(await kernel.call("readRunFile", { run_id: runId, path })).toEqual({ path, text: prompt });
  expect(readFileSync(join(kernel.repository.path, ".promptwheel/runs", runId, path), "utf8")).toBe(prompt);
  expect(files.find(({ kind }: { kind: string }) => kind === "artifact")).toMatchObject({ ticket_id: null });
});

it.each(["../../state.sqlite", "state.json", "prompts/9-scout.md"])("%s is no file of a run", async (path) => {
  await expect(kernel.call("readRunFile", { run_id: runId, path })).rejects.toMatchObject({ reason: "unknown_file" });
});
