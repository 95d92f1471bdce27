/** The tools on one ticket, over the memory transport: its scope, its end, its branch. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/repository.ts";
import { sampleProposal } from "../testing/sample.ts";
import { LoopTestKernel, type ToolReply } from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let testKernel: LoopTestKernel;
const call: LoopTestKernel["call"] = (name, input) => testKernel.call(name, input);
const scout: LoopTestKernel["scout"] = (proposals, settings) => testKernel.scout(proposals, settings);

beforeEach(() => {
  testKernel = new LoopTestKernel();
});
afterEach(() => testKernel.close());

/** Reports the sample's command as passed, and QA with it. */
const pass = async (ticket_id: string): Promise<ToolReply> => {
  const payload = { ticket_id, command: " npm  test ", success: true, output: "ok" };
  await call("ingestEvent", { type: "QA_COMMAND_RESULT", payload });
  return call("ingestEvent", { type: "QA_PASSED", payload: { ticket_id } });
};

/** Of all tickets, as the database has them. */
const statuses = (): readonly string[] => {
  const db = new Database(join(testKernel.repository.path, ".promptwheel/state.sqlite"));
  try {
    return db
      .prepare<[], { status: string }>("SELECT status FROM tickets")
      .all()
      .map(({ status }) => status);
  } finally {
    db.close();
  }
};

const withMake = (title: string): Record<string, unknown> => sampleProposal(title, { verification_commands: ["make"] });

describe("scope", () => {
  beforeEach(() => scout([sampleProposal("Close the file")]));

  it("is shown for the current ticket only, and checks files", async () => {
    await expect(call("getScopePolicy")).rejects.toMatchObject({ reason: "no_ticket" });
    const { ticketId } = await call("nextTicket");
    expect(await call("getScopePolicy", { file_path: "src/close-the-file.ts" })).toMatchObject({
      ticket_id: ticketId,
      policy: { max_files: 10, max_lines: 500, plan_required: true },
      file_check: { allowed: true, reason: null },
    });
    for (const file_path of ["../x", "/etc/passwd", ".git/config", "src/other.ts", ".ENV"])
      expect((await call("getScopePolicy", { file_path })).file_check.allowed).toBe(false);
    expect(await call("validateScope", { ticketId, changedFiles: ["src/close-the-file.ts"] })).toMatchObject({
      valid: true,
    });
    expect(await call("validateScope", { ticketId, changedFiles: ["src/close-the-file.ts", ".env"] })).toMatchObject({
      valid: false,
      violations: [{ file: ".env" }],
    });
    const refusal = { reason: "other_ticket", data: { current: [ticketId] } };
    const other = "tkt_zzzzzzzzzzzz";
    await expect(call("getScopePolicy", { ticketId: other })).rejects.toMatchObject(refusal);
    await expect(call("validateScope", { ticketId: other, changedFiles: [] })).rejects.toMatchObject(refusal);
    const hook = JSON.parse(readFileSync(join(testKernel.repository.path, ".promptwheel/scope-policy.json"), "utf8"));
    expect(hook.tickets[ticketId].allowed_paths).toEqual(["src/close-the-file.ts"]);
  });

  it("is enforced on what git sees, not only on what is reported", async () => {
    const { ticketId } = await call("nextTicket");
    await call("ingestEvent", {
      type: "PLAN_SUBMITTED",
      payload: { ticket_id: ticketId, files: ["src/close-the-file.ts"], risk_level: "minimal", estimated_lines: "5" },
    });
    testKernel.repository.write("src/close-the-file.ts", "closed\n");
    testKernel.repository.write("src/sneaky.ts", "hidden\n");
    const result = {
      type: "TICKET_RESULT",
      payload: { ticket_id: ticketId, status: "success", changed_files: ["src/close-the-file.ts"] },
    };
    expect(await call("ingestEvent", result)).toMatchObject({
      processed: false,
      current_phase: "EXECUTE",
      message: expect.stringContaining("src/sneaky.ts"),
    });
    expect((await call("advance")).prompt).toContain("src/sneaky.ts");
    await call("ingestEvent", result);
    expect(await call("ingestEvent", result)).toMatchObject({ new_phase: "FAILED_VALIDATION" });
  });

  it("is left by a credential in what was added, which is named and not shown", async () => {
    const { ticketId } = await call("nextTicket");
    const file = "src/close-the-file.ts";
    const plan = { ticket_id: ticketId, files: [file], risk_level: "low" };
    await call("ingestEvent", { type: "PLAN_SUBMITTED", payload: plan });
    const secret = `AKIA${"ABCDEFGH12345678"}`;
    testKernel.repository.write(file, `export const key = "${secret}";\n`);
    const payload = { ticket_id: ticketId, status: "done", changed_files: [file] };
    const refused = await call("ingestEvent", { type: "TICKET_RESULT", payload });
    expect(refused).toMatchObject({
      processed: false,
      message: expect.stringContaining(`${file}: an AWS access key`),
    });
    expect(refused.message).not.toContain(secret);
    testKernel.repository.write(file, "export const key = process.env.KEY;\n");
    expect(await call("ingestEvent", { type: "TICKET_RESULT", payload })).toMatchObject({ processed: true });
  });

  if (inLongTier) {
    it("asks a person after three rejected plans", async () => {
      const { ticketId } = await call("nextTicket");
      const plan = { type: "PLAN_SUBMITTED", payload: { ticket_id: ticketId, files: ["../x"], risk_level: "low" } };
      for (const time of [1, 2, 3]) expect((await call("ingestEvent", plan)).message).toContain(`rejected (${time})`);
      expect(await call("advance")).toMatchObject({ next_action: "STOP", phase: "BLOCKED_NEEDS_HUMAN" });
      expect(await call("sessionStatus")).toMatchObject({
        ticketsBlocked: 1,
        last_ticket_summary: expect.stringContaining("holds `..`"),
      });
    });
  }
});

describe("complete_ticket and fail_ticket", () => {
  const toExecute = async (): Promise<{ ticketId: string; runId: string }> => {
    const { run_id } = await scout([withMake("Close the file"), withMake("Open the door")]);
    const { ticketId } = await call("nextTicket");
    const { prompt } = await call("advance");
    const file = prompt.includes("Close") ? "src/close-the-file.ts" : "src/open-the-door.ts";
    await call("ingestEvent", {
      type: "PLAN_SUBMITTED",
      payload: { ticket_id: ticketId, files: [file], risk_level: "low" },
    });
    testKernel.repository.write(file, "changed\n");
    return { ticketId, runId: run_id };
  };

  it("runs the commands and marks the ticket done; PRs off means no PR phase", async () => {
    const ids = await toExecute();
    expect(await call("completeTicket", { ...ids, summary: "closed it" })).toMatchObject({
      success: true,
      ticketId: ids.ticketId,
      qaResults: [{ command: "make", success: true }],
      phase: "NEXT_TICKET",
    });
    expect(await call("sessionStatus")).toMatchObject({ ticketsCompleted: 1, ticketsReady: 1 });
  });

  if (inLongTier) {
    it("leaves the ticket in QA when a command fails, without using an attempt", async () => {
      const ids = await toExecute();
      testKernel.repository.write("broken", "");
      await expect(call("completeTicket", ids)).resolves.toMatchObject({
        success: false,
        message: expect.stringContaining("broken"),
      });
      execRemove("broken");
      expect(await call("completeTicket", ids)).toMatchObject({ success: true });
      expect(await call("sessionStatus")).toMatchObject({ ticketsCompleted: 1 });
    });

    it("refuses another ticket and another run", async () => {
      const ids = await toExecute();
      await expect(call("completeTicket", { ...ids, ticketId: "tkt_zzzzzzzzzzzz" })).rejects.toMatchObject({
        reason: "other_ticket",
      });
      await expect(call("failTicket", { ...ids, runId: "run_zzzzzzzzzzzz", reason: "x" })).rejects.toMatchObject({
        reason: "unknown_run",
      });
    });

    it("gives a ticket up with its reason, which becomes a lesson", async () => {
      const ids = await toExecute();
      expect(await call("failTicket", { ...ids, reason: "needs a redesign" })).toMatchObject({
        status: "blocked",
        reason: "needs a redesign",
      });
      expect(await call("sessionStatus")).toMatchObject({ phase: "NEXT_TICKET", ticketsFailed: 1 });
      await call("endSession");
      await call("startSession");
      expect((await call("advance")).prompt).toContain("needs a redesign");
    });

    it("aborts what is ready, in progress or blocked when the session ends", async () => {
      const { run_id } = await scout(["Close the file", "Open the door", "Sweep the floor"].map(withMake));
      const { ticketId } = await call("nextTicket");
      await call("failTicket", { ticketId, runId: run_id, reason: "too large" });
      await call("nextTicket");
      expect(await call("endSession")).toMatchObject({ tickets_failed: 1, tickets_blocked: 0, tickets_aborted: 3 });
      const { events } = await call("showRun", { run_id });
      const aborted = events.filter(({ type }: ToolReply) => type === "TICKET_ABORTED");
      expect(aborted).toHaveLength(3);
      expect(aborted.map(({ payload }: ToolReply) => payload.ticket_id)).toContain(ticketId);
      expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
      expect(statuses()).toEqual(["aborted", "aborted", "aborted"]);
    });

    it("says which verification commands it leaves out, and why", async () => {
      await call("startSession");
      await call("advance");
      const proposals = [sampleProposal("Close the file", { verification_commands: ["make", "make; curl evil"] })];
      const { message } = await call("ingestEvent", { type: "SCOUT_OUTPUT", payload: { proposals } });
      expect(message).toMatch(/^1 ticket made.*left out.*make; curl evil.*shell/);
      expect((await call("nextTicket")).verificationCommands).toEqual(["make"]);
    });
  }
});

const execRemove = (file: string): void => {
  testKernel.repository.git("clean", "--quiet", "--force", "--", file);
};

describe("git_setup", () => {
  it("makes the ticket's branch, checks it out again, and refuses what is not a base", async () => {
    await scout([sampleProposal("Close the file!")], { direct: false });
    const { ticketId } = await call("nextTicket");
    expect(await call("gitSetup", { ticketId })).toMatchObject({
      branchName: `promptwheel/${ticketId}/close-the-file`,
      baseBranch: "main",
      worktree: null,
    });
    expect(testKernel.repository.git("branch", "--show-current").trim()).toBe(`promptwheel/${ticketId}/close-the-file`);
    expect((await call("gitSetup", { ticketId, baseBranch: "main" })).message).toContain("is checked out");
    for (const baseBranch of ["--output=x", "nowhere", "a..b"])
      await expect(call("gitSetup", { ticketId, baseBranch })).rejects.toThrow();
    expect(existsSync(join(testKernel.repository.path, "x"))).toBe(false);
  });

  if (inLongTier) {
    it("forgets nothing that the ticket has done, however often it is called", async () => {
      await scout([sampleProposal("Close the file")], { direct: false });
      testKernel.repository.write("notes.txt", "the user's own\n");
      const { ticketId } = await call("nextTicket");
      const files = ["src/close-the-file.ts"];
      await call("ingestEvent", { type: "PLAN_SUBMITTED", payload: { ticket_id: ticketId, files, risk_level: "low" } });
      const report = (): Promise<ToolReply> =>
        call("ingestEvent", {
          type: "TICKET_RESULT",
          payload: { ticket_id: ticketId, status: "done", changed_files: [] },
        });
      testKernel.repository.write("src/sneaky.ts", "hidden\n");
      await call("gitSetup", { ticketId });
      await call("gitSetup", { ticketId });
      expect((await report()).message).toMatch(/src\/sneaky\.ts/);
      testKernel.repository.git("add", "src/sneaky.ts");
      testKernel.repository.git("commit", "--quiet", "--message=Hide");
      await call("gitSetup", { ticketId });
      expect((await report()).message).toMatch(/src\/sneaky\.ts/);
      testKernel.repository.git("reset", "--quiet", "--hard", "HEAD~1");
      expect((await report()).message).not.toMatch(/notes\.txt|sneaky/);
    });

    it("counts what was committed on the base since the ticket was taken", async () => {
      await scout([sampleProposal("Close the file")], { direct: false });
      const { ticketId } = await call("nextTicket");
      const files = ["src/close-the-file.ts"];
      await call("ingestEvent", { type: "PLAN_SUBMITTED", payload: { ticket_id: ticketId, files, risk_level: "low" } });
      testKernel.repository.write("src/sneaky.ts", "hidden\n");
      testKernel.repository.git("add", "src/sneaky.ts");
      testKernel.repository.git("commit", "--quiet", "--message=Hide");
      await call("gitSetup", { ticketId });
      const payload = { ticket_id: ticketId, status: "done", changed_files: [] };
      expect((await call("ingestEvent", { type: "TICKET_RESULT", payload })).message).toMatch(/src\/sneaky\.ts/);
    });

    it("does not hold the way to another base against the ticket", async () => {
      testKernel.repository.git("switch", "--quiet", "--create", "other");
      testKernel.repository.write("src/of-other.ts", "x\n");
      testKernel.repository.git("add", "--all");
      testKernel.repository.git("commit", "--quiet", "--message=Other");
      await scout([sampleProposal("Close the file")], { direct: false });
      const { ticketId } = await call("nextTicket");
      const files = ["src/close-the-file.ts"];
      await call("ingestEvent", { type: "PLAN_SUBMITTED", payload: { ticket_id: ticketId, files, risk_level: "low" } });
      await call("gitSetup", { ticketId, baseBranch: "main" });
      testKernel.repository.write("src/close-the-file.ts", "closed\n");
      const payload = { ticket_id: ticketId, status: "done", changed_files: files };
      expect(await call("ingestEvent", { type: "TICKET_RESULT", payload })).toMatchObject({ processed: true });
    });

    it("gives parallel tickets worktrees, measures them apart, and removes those with nothing unsaved", async () => {
      await scout([sampleProposal("Close the file"), sampleProposal("Open the door")], { parallel: 2 });
      const { parallel_tickets, next_action } = await call("advance");
      expect(next_action).toBe("PARALLEL_EXECUTE");
      expect(parallel_tickets).toHaveLength(2);
      for (const { ticket_id, constraints, prompt } of parallel_tickets) {
        expect(prompt).toContain(ticket_id);
        const [file] = constraints.allowed_paths;
        const { worktree } = await call("gitSetup", { ticketId: ticket_id });
        expect(worktree).toBe(`.promptwheel/worktrees/${ticket_id}`);
        await call("ingestEvent", { type: "PLAN_SUBMITTED", payload: { ticket_id, files: [file], risk_level: "low" } });
        writeFileSync(join(testKernel.repository.path, worktree, file), "changed\n");
        if (ticket_id === parallel_tickets[0].ticket_id) {
          testKernel.repository.git("-C", worktree, "add", "--all");
          testKernel.repository.git("-C", worktree, "commit", "--quiet", "--message=Done");
        }
        expect(
          await call("ingestEvent", {
            type: "TICKET_RESULT",
            payload: { ticket_id, status: "done", changed_files: [file] },
          }),
        ).toMatchObject({
          processed: true,
        });
        await pass(ticket_id);
      }
      expect(await call("sessionStatus")).toMatchObject({ phase: "NEXT_TICKET", ticketsCompleted: 2 });
      const [{ run_id }] = (await call("listRuns")).runs;
      expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
      expect(await call("endSession")).toMatchObject({ tickets_completed: 2, worktrees_removed: 1 });
      expect(testKernel.repository.git("worktree", "list").match(/worktrees/g)).toHaveLength(1);
    });

    it("makes a worktree again whose making was cut off, and names a lock that a killed git left behind", async () => {
      await scout([sampleProposal("Close the file"), sampleProposal("Open the door")], { parallel: 2 });
      const { parallel_tickets } = await call("advance");
      const [{ ticket_id: ticketId }] = parallel_tickets;
      const { worktree } = await call("gitSetup", { ticketId });
      const file = `${worktree}/src/part-1.ts`;
      rmSync(join(testKernel.repository.path, file));
      testKernel.repository.write(`.git/worktrees/${ticketId}/locked`, "initializing");
      expect(await call("gitSetup", { ticketId })).toMatchObject({ worktree });
      expect(existsSync(join(testKernel.repository.path, file))).toBe(true);

      await call("endSession");
      await scout([sampleProposal("Sweep the floor")], { direct: false });
      const { ticketId: next } = await call("nextTicket");
      testKernel.repository.write(".git/index.lock", "");
      await expect(call("gitSetup", { ticketId: next })).rejects.toMatchObject({
        message: expect.stringContaining("index.lock"),
        hint: expect.stringContaining("remove that file"),
      });
    });

    it("may be left out by parallel tickets: what git sees in the shared tree is divided by their scopes", async () => {
      await scout([sampleProposal("Close the file"), sampleProposal("Open the door")], { parallel: 2, direct: false });
      const { parallel_tickets } = await call("advance");
      const [first, second] = parallel_tickets;
      for (const { ticket_id, constraints } of parallel_tickets) {
        const files = constraints.allowed_paths;
        await call("ingestEvent", { type: "PLAN_SUBMITTED", payload: { ticket_id, files, risk_level: "low" } });
        testKernel.repository.write(files[0], "changed\n");
      }
      testKernel.repository.write("src/sneaky.ts", "hidden\n");
      const report = ({ ticket_id }: ToolReply) =>
        call("ingestEvent", { type: "TICKET_RESULT", payload: { ticket_id, status: "done", changed_files: [] } });
      expect(await report(first)).toMatchObject({
        processed: false,
        message: expect.stringMatching(/^[^;]*src\/sneaky\.ts: it is outside[^;]*$/),
      });
      execRemove("src/sneaky.ts");
      expect(await report(first)).toMatchObject({ processed: true });
      expect(await pass(first.ticket_id)).toMatchObject({ processed: true });
      expect(await report(second)).toMatchObject({ processed: true });
      const [{ run_id }] = (await call("listRuns")).runs;
      const folder = join(testKernel.repository.path, ".promptwheel/runs", run_id);
      expect(readdirSync(join(folder, "artifacts"))).toEqual(
        expect.arrayContaining(parallel_tickets.map(({ ticket_id }: ToolReply) => `2-${ticket_id}-ticket-result.json`)),
      );
      const patches = readdirSync(join(folder, "diffs")).map((name) =>
        readFileSync(join(folder, "diffs", name), "utf8"),
      );
      const accepted = patches.filter((patch) => !patch.includes("src/sneaky.ts"));
      for (const { constraints } of parallel_tickets)
        expect(accepted.filter((patch) => patch.includes(constraints.allowed_paths[0]))).toHaveLength(1);
      expect(patches.length - accepted.length).toBe(1);
      expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
    });

    it("may be left out: what an abandoned ticket did is not held against the others", async () => {
      await scout([sampleProposal("Close the file"), sampleProposal("Open the door")], { parallel: 2, direct: false });
      const { parallel_tickets } = await call("advance");
      const [first, second] = parallel_tickets;
      for (const { ticket_id, constraints } of parallel_tickets) {
        const files = constraints.allowed_paths;
        await call("ingestEvent", { type: "PLAN_SUBMITTED", payload: { ticket_id, files, risk_level: "low" } });
        testKernel.repository.write(files[0], "changed\n");
      }
      const [{ run_id }] = (await call("listRuns")).runs;
      await call("failTicket", { ticketId: first.ticket_id, runId: run_id, reason: "too hard" });
      const payload = { ticket_id: second.ticket_id, status: "done", changed_files: second.constraints.allowed_paths };
      expect(await call("ingestEvent", { type: "TICKET_RESULT", payload })).toMatchObject({ processed: true });
    });
  }

  it("is refused outside git, where work is done in place", async () => {
    const plain = temporaryFolder();
    await testKernel.restart({ projects: { plain: plain.path } });
    const { warnings } = await scout([sampleProposal("Close the file")], { create_prs: true, direct: false });
    expect(warnings).toEqual([expect.stringContaining("not a git repository")]);
    const { ticketId } = await call("nextTicket");
    await expect(call("gitSetup", { ticketId })).rejects.toMatchObject({ reason: "git_refused" });
    plain.remove();
  });
});
