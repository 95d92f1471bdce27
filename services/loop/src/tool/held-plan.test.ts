/** A plan of high risk that waits for a person, and a breach of scope that ends a ticket and not its session. */
import { beforeEach, describe, expect, it } from "vitest";
import { call, closing, opening, ownTreeKernel, report, useOwnTree } from "../testing/own-tree.ts";
import { sampleProposal } from "../testing/sample.ts";

const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

const proposals = ["Open the door", "Close the file"].map((title) =>
  sampleProposal(title, { verification_commands: ["make"] }),
);
const files = { closing, opening };
let file: string;
let runId: string;

/** Takes the first ticket. */
const begin = async (settings: Readonly<Record<string, unknown>>) => {
  ({ run_id: runId } = await ownTreeKernel().scout(proposals, settings));
  const { title } = await call("nextTicket");
  file = title === "Close the file" ? files.closing : files.opening;
};

const submit = (planned: readonly string[], risk_level: string) =>
  report("PLAN_SUBMITTED", { files: planned, risk_level });

describe("in a session that holds plans of high risk", () => {
  beforeEach(async () => {
    await begin({ plan_approval: "hold" });
    await submit([file], "high");
  });

  it("advance waits, without a step, until a person approves", async () => {
    const before = await call("sessionStatus");
    expect(before).toMatchObject({ phase: "PLAN", held_plan: { risk_level: "high", files: [file] } });
    expect(await call("advance")).toMatchObject({
      next_action: "WAIT",
      prompt: null,
      reason: expect.stringContaining("fairlead session approve"),
    });
    expect(await call("sessionStatus")).toMatchObject({ stepCount: before.stepCount });
    const event_id = "evt_00000000aaaa";
    const approved = await call("approvePlan", { event_id });
    expect(approved).toMatchObject({ processed: true, phase: "EXECUTE" });
    expect(await call("approvePlan", { event_id })).toEqual(approved);
    expect((await call("advance")).prompt).toContain(file);
    expect(await call("replayRun", { run_id: runId })).toMatchObject({ equal: true });
  });

  if (inLongTier) {
    it("the agent gets a person's reason and plans again", async () => {
      expect(await call("rejectPlan", { reason: "leave the public types" })).toMatchObject({ phase: "PLAN" });
      const { next_action, prompt } = await call("advance");
      expect(next_action).toBe("PROMPT");
      expect(prompt).toContain("leave the public types");
      expect(await submit([file], "low")).toMatchObject({ new_phase: "EXECUTE" });
      await expect(call("approvePlan")).rejects.toMatchObject({ reason: "no_plan" });
    });
  }

  it("a person may edit it, within the ticket's scope", async () => {
    expect(await call("approvePlan", { plan: { files: [".env"], risk_level: "low" } })).toMatchObject({
      processed: false,
      phase: "PLAN",
    });
    expect(await call("advance")).toMatchObject({ next_action: "WAIT" });
    await expect(call("approvePlan", { plan: { risk_level: "low" } })).rejects.toMatchObject({
      issues: [{ path: "plan.files_to_touch" }],
    });
    expect(await call("approvePlan", { plan: { files: [file], risk_level: "low" } })).toMatchObject({
      processed: true,
      phase: "EXECUTE",
    });
  });
});

describe("a plan that its agent calls one of low risk", () => {
  const manifest = sampleProposal("Close the file", { files: ["package.json"], verification_commands: ["make"] });
  const start = async (settings: Readonly<Record<string, unknown>>, proposal = manifest) => {
    ({ run_id: runId } = await ownTreeKernel().scout([proposal], settings));
    return call("nextTicket");
  };

  it("waits where its files say otherwise, and the person reads why", async () => {
    await start({ plan_approval: "hold" });
    expect(await submit(["package.json"], "low")).toMatchObject({
      phase_changed: false,
      message: expect.stringContaining("package.json: it decides what verification runs"),
    });
    expect(await call("sessionStatus")).toMatchObject({
      held_plan: { risk_level: "low", file_risks: [expect.stringMatching(/^package\.json: /)] },
    });
    expect(await call("approvePlan")).toMatchObject({ processed: true, phase: "EXECUTE" });
    expect(await call("replayRun", { run_id: runId })).toMatchObject({ equal: true });
  });

  it("is approved at once in a session that holds no plans", async () => {
    await start({});
    expect(await submit(["package.json"], "low")).toMatchObject({ new_phase: "EXECUTE" });
  });

  it("is asked for of a docs ticket that names such a file; one that names none may not touch it", async () => {
    const docs = sampleProposal("Close the file", { category: "docs", files: ["AGENTS.md"] });
    await start({ plan_approval: "hold" }, docs);
    expect(await call("sessionStatus")).toMatchObject({ phase: "PLAN" });
    await call("endSession");
    await start({ plan_approval: "hold" }, { ...docs, title: "Open the door", files: [], allowed_paths: ["**/*.md"] });
    expect(await call("sessionStatus")).toMatchObject({ phase: "EXECUTE" });
    ownTreeKernel().repository.write("AGENTS.md", "Obey.\n");
    expect(await report("TICKET_RESULT", { status: "done", changed_files: [] })).toMatchObject({
      processed: false,
      message: expect.stringContaining("AGENTS.md: agents are led by it"),
    });
  });
});

it("without the setting such a plan still stops the session", async () => {
  await begin({});
  expect(await submit([file], "high")).toMatchObject({ new_phase: "BLOCKED_NEEDS_HUMAN" });
});

describe("where a breach of scope ends the ticket", () => {
  if (inLongTier) {
    it("three results outside of it block that ticket, and the next one is taken", async () => {
      await begin({ scope_breach: "ticket" });
      await submit([file], "low");
      ownTreeKernel().repository.write("elsewhere.ts", "x\n");
      for (const phase of ["EXECUTE", "EXECUTE", "NEXT_TICKET"])
        expect(await report("TICKET_RESULT", { status: "done", changed_files: [] })).toMatchObject({
          processed: false,
          current_phase: phase,
        });
      expect(await call("sessionStatus")).toMatchObject({ ticketsBlocked: 1, stop_reason: null });
      expect(await call("advance")).toMatchObject({ next_action: "PROMPT", phase: "PLAN" });
    });

    it("so do three plans", async () => {
      await begin({ scope_breach: "ticket" });
      for (let count = 0; count < 3; count += 1) await submit([".env"], "low");
      expect(await call("advance")).toMatchObject({ next_action: "PROMPT", phase: "PLAN" });
      expect(await call("sessionStatus")).toMatchObject({ ticketsBlocked: 1, last_plan_rejection: null });
    });
  }
});
