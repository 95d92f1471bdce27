/** How a session goes and ends, and what the next one knows of it; over the memory transport. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleProposal } from "../testing/sample.ts";
import { playThrough } from "../testing/scripted-model.ts";
import { LoopTestKernel } from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let testKernel: LoopTestKernel;
const call: LoopTestKernel["call"] = (name, input) => testKernel.call(name, input);
const scout: LoopTestKernel["scout"] = (proposals, settings) => testKernel.scout(proposals, settings);

beforeEach(() => {
  testKernel = new LoopTestKernel();
});
afterEach(() => testKernel.close());

describe("a session", () => {
  it("expires by the clock", async () => {
    await call("startSession", { hours: 0.001 });
    for (let count = 0; count < 4; count += 1) await call("sessionStatus");
    expect(await call("advance")).toMatchObject({
      next_action: "STOP",
      phase: "FAILED_BUDGET",
      reason: "the session's time is over (hours)",
    });
  });

  it("sums up what the events say that they cost", async () => {
    const { run_id, run_dir } = await call("startSession", { max_cycles: 2 });
    expect((await call("sessionStatus")).cost).toBeNull();
    const report = (usage: unknown) =>
      call("ingestEvent", { type: "SCOUT_OUTPUT", payload: { proposals: [], usage }, event_id: undefined });
    await report({ cost_usd: 0.25, input_tokens: 1_000, output_tokens: "200" });
    await report({ input_tokens: 24 });
    const cost = { total_cost_usd: 0.25, total_input_tokens: 1_024, total_output_tokens: 200 };
    expect((await call("sessionStatus")).cost).toEqual(cost);
    await expect(report({ cost_usd: -1 })).rejects.toMatchObject({ issues: [{ path: "payload.usage.cost_usd" }] });
    expect(JSON.parse(readFileSync(join(testKernel.repository.path, run_dir, "state.json"), "utf8"))).toMatchObject(
      cost,
    );
    expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
  });

  it("names the project's own tools in the prompts of their phases, when it is asked to", async () => {
    const tool = { name: "Bash:schema", description: "Checks the schema", constraint_note: "read only" };
    const access = { phase_access: ["PLAN"], approve_patterns: ["Bash(npm run schema*)"] };
    testKernel.repository.write(".promptwheel/tools/schema.json", JSON.stringify({ ...tool, ...access }));
    testKernel.repository.write(".promptwheel/tools/bad.json", '{"name":"x"}');
    expect((await call("startSession")).warnings).toEqual([expect.stringMatching(/^left out: 2 custom tools/)]);
    await call("endSession");
    const proposals = [sampleProposal("Close the file")];
    const { warnings } = await scout(proposals, { enable_custom_tools: true });
    expect(warnings).toEqual([expect.stringMatching(/bad\.json: phase_access/)]);
    const { phase, prompt } = await call("advance");
    expect([phase, prompt]).toEqual(["PLAN", expect.stringContaining("- Bash:schema: Checks the schema: read only")]);
    await call("ingestEvent", {
      type: "PLAN_SUBMITTED",
      payload: { files: ["src/close-the-file.ts"], risk_level: "low" },
    });
    expect((await call("advance")).prompt).not.toContain("Bash:schema");
  });

  if (inLongTier) {
    it("writes comments into sources with the docs formula, and nowhere but in the files it named", async () => {
      const proposal = sampleProposal("Describe part one", {
        category: "docs",
        files: ["src/part-1.ts"],
        verification_commands: [],
      });
      await scout([proposal], { formula: "docs" });
      const { phase, prompt } = await call("advance");
      expect([phase, prompt]).toEqual(["EXECUTE", expect.stringContaining("src/part-1.ts")]);
      testKernel.repository.write("src/part-1.ts", "/** One. */\none\n");
      const result = { type: "TICKET_RESULT", payload: { status: "done", changed_files: ["src/part-1.ts"] } };
      expect(await call("ingestEvent", result)).toMatchObject({ new_phase: "QA" });
      expect(await call("ingestEvent", { type: "QA_PASSED", payload: {} })).toMatchObject({ new_phase: "NEXT_TICKET" });
    });

    it("says when no scout is left that could show a hint", async () => {
      await scout([sampleProposal("Close the file")]);
      expect((await call("nudge", { hint: "the parser" })).message).toContain("no scout cycle is left");
      await call("endSession");
      await call("startSession", { max_cycles: 2 });
      expect((await call("nudge", { hint: "the parser" })).message).toContain("next scout prompt (1 waiting)");
    });

    it("warns at four fifths of a budget", async () => {
      await call("startSession", { step_budget: 5 });
      for (let step = 0; step < 4; step += 1) await call("advance");
      expect((await call("sessionStatus")).budget_warnings).toEqual(["4 of 5 steps (step_budget) are used"]);
    });

    it("stops a ticket that goes in circles, and say why", async () => {
      await scout([sampleProposal("Close the file"), sampleProposal("Open the door")], { spindle: { stall: 2 } });
      const { ticketId } = await call("nextTicket");
      await call("advance");
      const file = (await call("getScopePolicy")).policy.allowed_paths[0];
      await call("ingestEvent", {
        type: "PLAN_SUBMITTED",
        payload: { ticket_id: ticketId, files: [file], risk_level: "low" },
      });
      await call("advance");
      await call("advance");
      await call("advance");
      const { phase, digest } = await call("advance");
      const why = "2 iterations in a row changed nothing; the threshold is 2";
      expect([phase, digest.spindle_risk]).toEqual(["PLAN", "none"]);
      expect(digest.spindle_reasons).toEqual([expect.stringContaining(`${ticketId} was blocked: ${why}`)]);
      expect((await call("sessionStatus")).last_ticket_summary).toContain(why);
      expect((await call("advance")).digest.spindle_reasons).toEqual([]);
    });

    it("keeps what the loop detection saw in state.json once the session has stopped", async () => {
      const titles = ["Close the file", "Open the door", "Sweep the floor"];
      const { run_dir } = await scout(
        titles.map((title) => sampleProposal(title)),
        { spindle: { stall: 2 } },
      );
      for (const _ of titles) {
        const { ticketId } = await call("nextTicket");
        const file = (await call("getScopePolicy")).policy.allowed_paths[0];
        await call("ingestEvent", {
          type: "PLAN_SUBMITTED",
          payload: { ticket_id: ticketId, files: [file], risk_level: "low" },
        });
        for (let prompt = 0; prompt < 4; prompt += 1) await call("advance");
      }
      expect(await call("advance")).toMatchObject({
        next_action: "STOP",
        phase: "FAILED_SPINDLE",
        digest: { spindle_risk: "high", spindle_reasons: [expect.stringContaining("changed nothing")] },
      });
      const state = JSON.parse(readFileSync(join(testKernel.repository.path, run_dir, "state.json"), "utf8"));
      expect(state).toMatchObject({ phase: "FAILED_SPINDLE", spindle: { iterations_since_change: 2 } });
    });
  }
});

describe("sessions after one another", () => {
  const titles = async (): Promise<readonly string[]> => {
    const [{ run_id }] = (await call("listRuns")).runs;
    return (await call("showRun", { run_id })).state.tickets_ready.map(({ title }: { title: string }) => title);
  };

  it("take up what was deferred once the scope is wide enough", async () => {
    await scout([sampleProposal("Close the file"), sampleProposal("Sweep the floor", { files: ["lib/floor.ts"] })], {
      scope: "src/**",
    });
    expect(await titles()).toEqual(["Close the file"]);
    await call("endSession");
    await scout([]);
    expect(await titles()).toEqual(["Sweep the floor"]);
  });

  if (inLongTier) {
    it("do not propose again what was finished within a day", async () => {
      await call("startSession");
      await playThrough(testKernel.driver, { titles: ["Close the file"], folder: testKernel.repository.path });
      await call("endSession");
      await call("startSession");
      expect((await call("advance")).prompt).toContain("- Close the file");
      const { message } = await call("ingestEvent", {
        type: "SCOUT_OUTPUT",
        payload: { proposals: [sampleProposal("Close the files")] },
      });
      expect(message).toContain('nearly the same as "Close the file"');
    });

    it("hold proposals for a review when asked to", async () => {
      await scout([sampleProposal("Close the file"), sampleProposal("Open the door")], { review: true });
      expect((await call("advance")).prompt).toContain("argue against these proposals");
      const reviewed_proposals = [
        { title: "Close the file", confidence: 0 },
        { title: "Open the door", review_note: "fine" },
      ];
      await call("ingestEvent", { type: "PROPOSALS_REVIEWED", payload: { reviewed_proposals } });
      expect(await titles()).toEqual(["Open the door"]);
      await call("endSession");
      await call("startSession");
      expect((await call("advance")).prompt).toContain(
        'warning: "Close the file" was rated too high (confidence 80 to 0)',
      );
    });
  }
});
