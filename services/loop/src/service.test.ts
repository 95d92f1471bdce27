/** The thirteen tools and the three on runs, over the memory transport: production's path without a wire. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loop } from "@fairlead/contracts/loop";
import { type MemoryKernel, openMemoryKernel } from "@fairlead/kernel/memory";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DirectClient } from "./direct-client.ts";
import { countingIds } from "./id.ts";
import { loopService } from "./service.ts";
import { type Repository, temporaryFolder, temporaryRepository, tickingClock } from "./testing/repository.ts";
import { sampleProposal } from "./testing/sample.ts";
import { type Driver, playThrough } from "./testing/scripted-model.ts";

const files = {
  "src/part-1.ts": "one\n",
  "package.json": '{"devDependencies":{"vitest":"1","typescript":"5"}}',
  Makefile: "all:\n\t@test ! -f broken\n",
};

let repository: Repository;
let state: ReturnType<typeof temporaryFolder>;
let kernel: MemoryKernel;

const open = (config: Readonly<Record<string, unknown>> = {}): MemoryKernel =>
  openMemoryKernel([loopService(() => ({ clock: tickingClock(), ids: countingIds(), folder: repository.path }))], {
    config: { loop: config },
    stateDir: state.path,
  });

/** The value, or a thrown error with the wire's fields. */
const call = async (
  name: keyof typeof loop.procedures,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Answer> => {
  const reply = await kernel.call(`loop.${name}`, input);
  if (reply.ok) return reply.value as Answer;
  throw Object.assign(new Error(reply.error.message), reply.error);
};

/** Replies are JSON; tests read them as such. */
interface Answer {
  readonly [field: string]: Json;
}
type Json = ReturnType<typeof JSON.parse>;

const driver: Driver = {
  advance: async () => (await call("advance")) as unknown as Awaited<ReturnType<Driver["advance"]>>,
  ingest: (type, payload) => call("ingestEvent", { type, payload }),
};

beforeEach(() => {
  repository = temporaryRepository(files);
  state = temporaryFolder();
  kernel = open();
});

afterEach(async () => {
  await kernel.close();
  repository.remove();
  state.remove();
});

const scout = async (
  proposals: readonly unknown[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Answer> => {
  const started = await call("startSession", settings);
  await call("advance");
  await call("ingestEvent", { type: "SCOUT_OUTPUT", payload: { proposals } });
  return started;
};

const withMake = (title: string): Record<string, unknown> => sampleProposal(title, { verification_commands: ["make"] });

describe("the contract", () => {
  it("has the spec's thirteen tools by name, and nothing else on MCP", () => {
    const tools = Object.values(loop.procedures).flatMap((procedure) =>
      "tool" in procedure && procedure.tool ? [procedure.tool] : [],
    );
    expect(tools.toSorted()).toEqual(
      [
        "start_session",
        "advance",
        "ingest_event",
        "session_status",
        "end_session",
        "nudge",
        "list_formulas",
        "get_scope_policy",
        "next_ticket",
        "validate_scope",
        "complete_ticket",
        "fail_ticket",
        "git_setup",
      ]
        .map((name) => `promptwheel_${name}`)
        .toSorted(),
    );
  });
});

describe("start_session", () => {
  it("answers with all the reference's fields", async () => {
    expect(await call("startSession", { formula: "security-audit", hours: 2 })).toMatchObject({
      run_id: expect.stringMatching(/^run_/),
      session_id: expect.stringMatching(/^ses_/),
      project_id: "default",
      phase: "SCOUT",
      step_budget: 200,
      expires_at: expect.stringMatching(/^2026-01-01T14:/),
      run_dir: expect.stringMatching(/^\.promptwheel\/runs\/run_/),
      warnings: [],
      detected: { languages: ["TypeScript"], test_runner: "vitest" },
      formula: { name: "security-audit" },
    });
    expect(await call("sessionStatus")).toMatchObject({
      categories: ["security"],
      digest: { ticket_budget_remaining: -1 },
    });
  });

  it("lets explicit parameters win over the formula, and deep be a formula", async () => {
    await call("startSession", { formula: "security-audit", categories: ["docs"] });
    expect((await call("sessionStatus")).categories).toEqual(["docs"]);
    await call("endSession");
    expect((await call("startSession", { deep: true })).formula).toMatchObject({ name: "deep", model: "opus" });
  });

  it.each([
    [
      { formula: "nonsense" },
      { reason: "unknown_formula", data: { known: expect.arrayContaining(["cleanup", "deep"]) } },
    ],
    [
      { formula: "docs", deep: true },
      { code: "invalid_argument", issues: [{ path: "deep" }] },
    ],
    [{ scope: "../**" }, { code: "invalid_argument", issues: [{ path: "scope" }] }],
    [{ qa_commands: ["npm test", "rm -rf /"] }, { code: "invalid_argument", issues: [{ path: "qa_commands[1]" }] }],
    [{ guidelines: "/etc/passwd" }, { code: "invalid_argument", issues: [{ path: "guidelines" }] }],
    [
      { categories: ["test"], safe: true },
      { code: "invalid_argument", issues: [{ path: "categories" }] },
    ],
    [{ step_budget: 0 }, { code: "invalid_argument", issues: [{ path: "step_budget" }] }],
    [{ project: "elsewhere" }, { reason: "unknown_project", data: { known: ["default"] } }],
    [{ project: "../x" }, { code: "invalid_argument", issues: [{ path: "project" }] }],
  ])("refuses %j", async (input, error) => {
    await expect(call("startSession", input)).rejects.toMatchObject(error);
    await expect(call("sessionStatus")).rejects.toMatchObject({ reason: "no_session" });
  });

  it("refuses a second session with the first one's name", async () => {
    const { run_id } = await call("startSession");
    await expect(call("startSession")).rejects.toMatchObject({
      reason: "session_active",
      data: { run_id, phase: "SCOUT" },
    });
    expect((await call("advance")).next_action).toBe("PROMPT");
  });
});

describe("ingest_event", () => {
  beforeEach(() => call("startSession"));

  it.each([
    ["an unknown type", { type: "SURPRISE", payload: {} }, "type"],
    ["no payload", { type: "QA_PASSED" }, "payload"],
    ["proposals that are no list", { type: "SCOUT_OUTPUT", payload: { proposals: "all" } }, "payload.proposals"],
    [
      "too many proposals",
      { type: "SCOUT_OUTPUT", payload: { proposals: Array.from({ length: 201 }, () => ({})) } },
      "payload.proposals",
    ],
    ["a status that says nothing", { type: "TICKET_RESULT", payload: { status: "maybe" } }, "payload.status"],
    ["no status", { type: "TICKET_RESULT", payload: {} }, "payload.status"],
    ["a ticket that is none", { type: "QA_PASSED", payload: { ticket_id: "x" } }, "payload.ticket_id"],
    [
      "an address that is none",
      { type: "PR_CREATED", payload: { url: "javascript:alert(1)", branch: "x" } },
      "payload.url",
    ],
    ["too much", { type: "SCOUT_OUTPUT", payload: { proposals: [{ text: "x".repeat(530_000) }] } }, "payload"],
    [
      "a path too long",
      { type: "TICKET_RESULT", payload: { status: "done", changed_files: ["x".repeat(3_000)] } },
      "payload.changed_files[0]",
    ],
    ["an event id that is none", { type: "QA_PASSED", payload: {}, event_id: "1" }, "event_id"],
  ])("refuses %s with its path, and stores nothing", async (_what, input, path) => {
    const { run_id } = (await call("listRuns")).runs[0];
    const before = (await call("showRun", { run_id })).events.length;
    await expect(call("ingestEvent", input)).rejects.toMatchObject({ code: "invalid_argument", issues: [{ path }] });
    expect((await call("showRun", { run_id })).events).toHaveLength(before);
  });

  it("applies an id once and answers the same again", async () => {
    await call("advance");
    const input = {
      type: "SCOUT_OUTPUT",
      payload: { proposals: [sampleProposal("Close the file")] },
      event_id: "evt_0123456789ab",
    };
    const first = await call("ingestEvent", input);
    expect(first).toMatchObject({
      processed: true,
      phase_changed: true,
      new_phase: "NEXT_TICKET",
      step: 1,
      event_id: input.event_id,
    });
    expect(await call("ingestEvent", input)).toEqual(first);
    expect(await call("sessionStatus")).toMatchObject({ ticketsReady: 1 });
  });

  it("answers an advance with a known id without a step", async () => {
    const first = await call("advance", { event_id: "evt_0123456789ab" });
    const again = await call("advance", { event_id: "evt_0123456789ab" });
    expect({ ...again, digest: null }).toEqual({ ...first, digest: null });
    expect(again.digest.step).toBe(1);
  });

  it("notes what means nothing in the phase", async () => {
    expect(await call("ingestEvent", { type: "QA_PASSED", payload: {} })).toMatchObject({
      processed: true,
      phase_changed: false,
      message: expect.stringContaining("expects SCOUT_OUTPUT"),
    });
  });

  it("takes hints and cancels", async () => {
    expect(await call("nudge", { hint: "look at the parser" })).toMatchObject({
      pending_hints: ["look at the parser"],
    });
    expect((await call("advance")).prompt).toContain("look at the parser");
    expect((await call("sessionStatus")).pending_hints).toEqual([]);
    expect(await call("ingestEvent", { type: "USER_OVERRIDE", payload: { cancel: true } })).toMatchObject({
      new_phase: "DONE",
    });
    expect(await call("advance")).toMatchObject({
      next_action: "STOP",
      prompt: null,
      reason: "the session was cancelled",
    });
  });
});

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
    await expect(call("validateScope", { ticketId: "tkt_zzzzzzzzzzzz", changedFiles: [] })).rejects.toMatchObject({
      reason: "other_ticket",
      data: { current: [ticketId] },
    });
    const hook = JSON.parse(readFileSync(join(repository.path, ".promptwheel/scope-policy.json"), "utf8"));
    expect(hook.tickets[ticketId].allowed_paths).toEqual(["src/close-the-file.ts"]);
  });

  it("is enforced on what git sees, not only on what is reported", async () => {
    const { ticketId } = await call("nextTicket");
    await call("ingestEvent", {
      type: "PLAN_SUBMITTED",
      payload: { ticket_id: ticketId, files: ["src/close-the-file.ts"], risk_level: "minimal", estimated_lines: "5" },
    });
    repository.write("src/close-the-file.ts", "closed\n");
    repository.write("src/sneaky.ts", "hidden\n");
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
    repository.write(file, "changed\n");
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

  it("leaves the ticket in QA when a command fails, without using an attempt", async () => {
    const ids = await toExecute();
    repository.write("broken", "");
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
});

const execRemove = (file: string): void => {
  repository.git("clean", "--quiet", "--force", "--", file);
};

describe("git_setup", () => {
  it("makes the ticket's branch, checks it out again, and refuses what is no base", async () => {
    await scout([sampleProposal("Close the file!")], { direct: false });
    const { ticketId } = await call("nextTicket");
    expect(await call("gitSetup", { ticketId })).toMatchObject({
      branchName: `promptwheel/${ticketId}/close-the-file`,
      baseBranch: "main",
      worktree: null,
    });
    expect(repository.git("branch", "--show-current").trim()).toBe(`promptwheel/${ticketId}/close-the-file`);
    expect((await call("gitSetup", { ticketId, baseBranch: "main" })).message).toContain("is checked out");
    for (const baseBranch of ["--output=x", "nowhere", "a..b"])
      await expect(call("gitSetup", { ticketId, baseBranch })).rejects.toThrow();
    expect(existsSync(join(repository.path, "x"))).toBe(false);
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
      writeFileSync(join(repository.path, worktree, file), "changed\n");
      if (ticket_id === parallel_tickets[0].ticket_id) {
        repository.git("-C", worktree, "add", "--all");
        repository.git("-C", worktree, "commit", "--quiet", "--message=Done");
      }
      expect(
        await call("ingestEvent", {
          type: "TICKET_RESULT",
          payload: { ticket_id, status: "done", changed_files: [file] },
        }),
      ).toMatchObject({
        processed: true,
      });
      await call("ingestEvent", { type: "QA_PASSED", payload: { ticket_id } });
    }
    expect(await call("sessionStatus")).toMatchObject({ phase: "NEXT_TICKET", ticketsCompleted: 2 });
    const [{ run_id }] = (await call("listRuns")).runs;
    expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
    expect(await call("endSession")).toMatchObject({ tickets_completed: 2, worktrees_removed: 1 });
    expect(repository.git("worktree", "list").match(/worktrees/g)).toHaveLength(1);
  });

  it("is refused outside git, where work is done in place", async () => {
    const plain = temporaryFolder();
    await kernel.close();
    kernel = open({ projects: { plain: plain.path } });
    const { warnings } = await scout([sampleProposal("Close the file")], { create_prs: true, direct: false });
    expect(warnings).toHaveLength(2);
    const { ticketId } = await call("nextTicket");
    await expect(call("gitSetup", { ticketId })).rejects.toMatchObject({ reason: "git_refused" });
    plain.remove();
  });
});

describe("formulas of the project", () => {
  it("win over built-in ones, and broken ones are named", async () => {
    mkdirSync(join(repository.path, ".promptwheel/formulas"), { recursive: true });
    repository.write(".promptwheel/formulas/cleanup.yaml", "description: ours\ncategories: [docs]\nprompt: Sweep.\n");
    repository.write(".promptwheel/formulas/broken.yaml", "run: rm -rf /\n");
    symlinkSync("/etc/hostname", join(repository.path, ".promptwheel/formulas/link.yaml"));
    const { formulas, unreadable } = await call("listFormulas");
    expect(formulas).toHaveLength(6);
    expect(formulas.find(({ name }: { name: string }) => name === "cleanup")).toMatchObject({
      description: "ours",
      builtin: false,
    });
    expect(unreadable.map(({ name }: { name: string }) => name)).toEqual(["broken", "link"]);
    await expect(call("startSession", { formula: "broken" })).rejects.toMatchObject({ reason: "bad_formula" });
    await call("startSession", { formula: "cleanup" });
    expect((await call("advance")).prompt).toContain("Sweep.");
  });
});

describe("projects", () => {
  it("run side by side, each with its own session", async () => {
    const other = temporaryRepository(files);
    await kernel.close();
    kernel = open({ projects: { one: repository.path, two: other.path }, defaultProject: "one" });
    await call("startSession", { step_budget: 3 });
    await call("startSession", { project: "two", step_budget: 7 });
    await Promise.all([call("advance"), call("advance", { project: "two" })]);
    expect(await call("sessionStatus")).toMatchObject({ stepCount: 1, budgetRemaining: 2 });
    expect(await call("sessionStatus", { project: "two" })).toMatchObject({ stepCount: 1, budgetRemaining: 6 });
    await expect(call("advance", { project: "three" })).rejects.toMatchObject({ data: { known: ["one", "two"] } });
    other.remove();
  });

  it("survive a server that goes away: the next one takes the session up", async () => {
    await scout([sampleProposal("Close the file")]);
    const before = await call("sessionStatus");
    await kernel.close();
    kernel = openMemoryKernel(
      [loopService(() => ({ clock: tickingClock(), ids: () => "zzzzzzzzzzzz", folder: repository.path }))],
      {
        stateDir: state.path,
      },
    );
    expect(await call("sessionStatus")).toMatchObject({ ...before, digest: expect.anything() });
    expect((await call("advance")).phase).toBe("PLAN");
  });
});

describe("runs", () => {
  it("are listed, shown page by page and replayed", async () => {
    await call("startSession");
    await playThrough(driver, { titles: ["Close the file", "Open the door"], folder: repository.path });
    const { tickets_completed, final_phase } = await call("endSession");
    expect([tickets_completed, final_phase]).toEqual([2, "DONE"]);
    const { runs } = await call("listRuns");
    expect(runs).toMatchObject([{ phase: "DONE", ended_at: expect.any(String) }]);
    const { run_id, events } = runs[0];
    const seen: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Answer = await call("showRun", { run_id, after, limit: 7 });
      seen.push(...page.events.map(({ seq }: { seq: number }) => seq));
      after = page.next;
    }
    expect(seen).toEqual(Array.from({ length: events }, (_, index) => index + 1));
    expect(await call("replayRun", { run_id })).toMatchObject({ equal: true, differences: [], phase: "DONE" });
    await expect(call("showRun", { run_id: "run_zzzzzzzzzzzz" })).rejects.toMatchObject({ reason: "unknown_run" });
  });

  it("write the same log as the direct client does", async () => {
    const script = { titles: ["Close the file", "Open the door"], folder: repository.path };
    const { run_dir } = await call("startSession", { draft_prs: true });
    await playThrough(driver, script);
    await call("endSession");
    const here = readFileSync(join(repository.path, run_dir, "events.ndjson"), "utf8");
    const other = temporaryRepository(files);
    const client = await DirectClient.create({ projectPath: other.path, clock: tickingClock(), ids: countingIds() });
    client.startSession({ draft_prs: true });
    await playThrough(
      {
        advance: () => client.advance(),
        ingest: (type, payload) => client.ingestEvent(type as Parameters<DirectClient["ingestEvent"]>[0], payload),
      },
      { ...script, folder: other.path },
    );
    await client.endSession();
    await client.close();
    expect(readFileSync(join(other.path, run_dir, "events.ndjson"), "utf8")).toBe(here);
    other.remove();
  });
});
