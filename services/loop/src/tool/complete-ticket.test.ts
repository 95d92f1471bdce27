/** What lies between an accepted result and a closed ticket: commands that must have passed, and a scope that still holds. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleProposal } from "../testing/sample.ts";
import { LoopTestKernel, type ToolReply } from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let testKernel: LoopTestKernel;
const call: LoopTestKernel["call"] = (name, input) => testKernel.call(name, input);

beforeEach(() => {
  testKernel = new LoopTestKernel();
});
afterEach(() => testKernel.close());

const file = "src/close-the-file.ts";

interface Open {
  readonly ticketId: string;
  readonly runId: string;
  /** Reports something about the ticket. */
  readonly report: (type: string, payload?: Readonly<Record<string, unknown>>) => Promise<ToolReply>;
}

/** Up to QA, with a result that was accepted. */
const toQa = async (settings: Readonly<Record<string, unknown>> = {}): Promise<Open> => {
  const proposals = [sampleProposal("Close the file", { verification_commands: ["make", "make all"] })];
  const { run_id: runId } = await testKernel.scout(proposals, settings);
  const { ticketId } = await call("nextTicket");
  const report: Open["report"] = (type, payload = {}) =>
    call("ingestEvent", { type, payload: { ticket_id: ticketId, ...payload } });
  await report("PLAN_SUBMITTED", { files: [file], risk_level: "low" });
  testKernel.repository.write(file, "closed\n");
  expect(await report("TICKET_RESULT", { status: "done", changed_files: [file] })).toMatchObject({ new_phase: "QA" });
  return { ticketId, runId, report };
};

const passed = (command: string) => ["QA_COMMAND_RESULT", { command, success: true, output: "ok" }] as const;

const patches = (runId: string): readonly string[] => {
  const folder = join(testKernel.repository.path, ".promptwheel/runs", runId, "diffs");
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
};

describe("QA_PASSED", () => {
  it("is refused until every command was reported as passed since the last result", async () => {
    const { report, runId } = await toQa();
    expect(await report("QA_PASSED")).toMatchObject({
      processed: false,
      current_phase: "QA",
      message: expect.stringMatching(/make was not reported as passed; make all was not reported as passed/),
    });
    await report(...passed("make"));
    await report("QA_COMMAND_RESULT", { command: "make all", success: false, output: "broken" });
    expect((await report("QA_PASSED")).message).toMatch(/^QA has not passed: make all was/);
    expect((await call("sessionStatus")).ticketsCompleted).toBe(0);
    await report(...passed("make  all"));
    expect(await report("QA_PASSED")).toMatchObject({ processed: true, new_phase: "NEXT_TICKET" });
    expect(await call("replayRun", { run_id: runId })).toMatchObject({ equal: true });
  });

  if (inLongTier) {
    it("counts nothing that was reported before the ticket was done again", async () => {
      const { report } = await toQa();
      for (const command of ["make", "make all"]) await report(...passed(command));
      await report("QA_FAILED", { error: "AssertionError" });
      testKernel.repository.write(file, "closed again\n");
      await report("TICKET_RESULT", { status: "done", changed_files: [file] });
      expect(await report("QA_PASSED")).toMatchObject({ processed: false });
    });

    it("is refused with a criterion that is not met", async () => {
      const { report } = await toQa();
      for (const command of ["make", "make all"]) await report(...passed(command));
      expect(await report("QA_PASSED", { unmet_criteria: ["Close the file is done"] })).toMatchObject({
        processed: false,
        message: expect.stringContaining("unmet: Close the file is done"),
      });
    });

    it("is refused when something outside the scope was edited during QA, and accepted once it is gone", async () => {
      const { report, runId } = await toQa();
      for (const command of ["make", "make all"]) await report(...passed(command));
      testKernel.repository.write("src/sneaky.ts", "hidden\n");
      expect(await report("QA_PASSED")).toMatchObject({
        processed: false,
        current_phase: "QA",
        message: expect.stringContaining("src/sneaky.ts"),
      });
      expect((await call("advance")).prompt).toContain("src/sneaky.ts");
      testKernel.repository.git("clean", "--quiet", "--force", "--", "src/sneaky.ts");
      testKernel.repository.write(file, "closed better\n");
      expect(await report("QA_PASSED")).toMatchObject({ processed: true });
      expect(patches(runId).some((patch) => patch.includes("+closed better"))).toBe(true);
      expect(await call("replayRun", { run_id: runId })).toMatchObject({ equal: true });
    });

    it("ends the session after three edits outside the scope, whether in EXECUTE or in QA", async () => {
      const { report } = await toQa();
      testKernel.repository.write("src/sneaky.ts", "hidden\n");
      for (const _ of [1, 2]) expect((await report("QA_PASSED")).current_phase).toBe("QA");
      expect(await report("QA_PASSED")).toMatchObject({ processed: false, new_phase: "FAILED_VALIDATION" });
    });
  }

  it("by complete_ticket is held against the scope as well, with what the commands themselves wrote", async () => {
    testKernel.repository.write("Makefile", "all:\n\t@echo x > made.txt\n");
    testKernel.repository.git("commit", "--quiet", "--all", "--message=Make");
    const { ticketId, runId } = await toQa();
    expect(await call("completeTicket", { ticketId, runId })).toMatchObject({
      success: false,
      qaResults: [{ success: true }, { success: true }],
      phase: "QA",
      message: expect.stringMatching(/made\.txt.*git ignores it/),
    });
    testKernel.repository.write(".git/info/exclude", "made.txt\n");
    expect(await call("completeTicket", { ticketId, runId })).toMatchObject({ success: true });
  });
});

describe("PR_CREATED", () => {
  const toPr = async (): Promise<Open> => {
    const open = await toQa({ create_prs: true });
    await call("gitSetup", { ticketId: open.ticketId });
    for (const command of ["make", "make all"]) await open.report(...passed(command));
    expect(await open.report("QA_PASSED")).toMatchObject({ new_phase: "PR" });
    return open;
  };
  const commit = (...files: readonly string[]): void => {
    testKernel.repository.git("add", "--", ...files);
    testKernel.repository.git("commit", "--quiet", "--message=Close the file");
  };
  const url = "https://example.com/pr/1";

  if (inLongTier) {
    it("closes the ticket when the branch holds what was verified", async () => {
      const { report, ticketId } = await toPr();
      commit(file);
      const branch = `promptwheel/${ticketId}/close-the-file`;
      expect(await report("PR_CREATED", { url, branch })).toMatchObject({ processed: true, new_phase: "NEXT_TICKET" });
    });

    it("is refused when the commit holds something outside the scope, also from another branch", async () => {
      const { report, ticketId } = await toPr();
      testKernel.repository.write("src/sneaky.ts", "hidden\n");
      commit(file, "src/sneaky.ts");
      const branch = `promptwheel/${ticketId}/close-the-file`;
      const refused = { processed: false, current_phase: "PR", message: expect.stringContaining("src/sneaky.ts") };
      expect(await report("PR_CREATED", { url, branch })).toMatchObject(refused);
      expect((await call("advance")).prompt).toContain("src/sneaky.ts");
      testKernel.repository.git("switch", "--quiet", "main");
      expect(await report("PR_CREATED", { url, branch })).toMatchObject(refused);
      testKernel.repository.git("switch", "--quiet", branch);
      testKernel.repository.git("rm", "--quiet", "src/sneaky.ts");
      testKernel.repository.git("commit", "--quiet", "--message=Take it out");
      testKernel.repository.git("switch", "--quiet", "main");
      expect(await report("PR_CREATED", { url, branch })).toMatchObject({ processed: true });
      expect(await call("sessionStatus")).toMatchObject({ ticketsCompleted: 1 });
    });
  }
});
