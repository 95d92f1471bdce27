/** The tools on sessions, events, formulas, projects and runs, over the memory transport: production's path without a wire. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { loop } from "@fairlead/contracts/loop";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { DirectClient } from "./direct-client.ts";
import { temporaryRepository, tickingClock } from "./testing/repository.ts";
import { sampleProposal } from "./testing/sample.ts";
import { playThrough } from "./testing/scripted-model.ts";
import { files, LoopTestKernel, type ToolReply } from "./testing/test-kernel.ts";
import { countingIds } from "./value/id.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let testKernel: LoopTestKernel;
const call: LoopTestKernel["call"] = (name, input) => testKernel.call(name, input);
const scout: LoopTestKernel["scout"] = (proposals, settings) => testKernel.scout(proposals, settings);

beforeEach(() => {
  testKernel = new LoopTestKernel();
});
afterEach(() => testKernel.close());

/** The spec's tools with their parameters; those with a question mark may be left out. */
const specTools: Readonly<Record<string, string>> = {
  start_session:
    "hours? formula? deep? scope? categories? min_confidence? max_prs? step_budget? ticket_step_budget? draft_prs?",
  advance: "",
  ingest_event: "type payload",
  session_status: "",
  end_session: "",
  nudge: "hint",
  list_formulas: "",
  get_scope_policy: "file_path?",
  next_ticket: "",
  validate_scope: "ticketId changedFiles",
  complete_ticket: "ticketId runId summary?",
  fail_ticket: "ticketId runId reason",
  git_setup: "ticketId baseBranch?",
};

describe("the contract", () => {
  const tools = Object.values(loop.procedures).flatMap(({ tool, input }) =>
    tool === false ? [] : [{ tool: typeof tool === "object" ? tool.name : tool, input }],
  );

  it("has the spec's thirteen tools by name, and nothing else on MCP", () => {
    expect(tools.map(({ tool }) => tool).toSorted()).toEqual(
      Object.keys(specTools)
        .map((name) => `promptwheel_${name}`)
        .toSorted(),
    );
  });

  it.each(Object.entries(specTools))("lists the spec's parameters of %s, and asks for no other one", (name, text) => {
    const parameters = text.split(" ").filter((word) => word !== "");
    const required = parameters.filter((word) => !word.endsWith("?"));
    const input = tools.find(({ tool }) => tool === `promptwheel_${name}`)?.input ?? z.never();
    const schema = z.toJSONSchema(input, { io: "input" });
    expect(schema.required ?? []).toEqual(required);
    expect(Object.keys(schema.properties ?? {})).toEqual(
      expect.arrayContaining(parameters.map((word) => word.replace("?", ""))),
    );
  });
});

if (inLongTier) {
  describe("a project without a session", () => {
    it("gets no .promptwheel from anything but start_session", async () => {
      const before = readdirSync(testKernel.repository.path);
      const ticketId = "tkt_000000000001";
      const runId = "run_000000000001";
      const refused: readonly [Parameters<typeof call>[0], Readonly<Record<string, unknown>>?][] = [
        ["sessionStatus"],
        ["getScopePolicy"],
        ["validateScope", { ticketId, changedFiles: ["a"] }],
        ["advance"],
        ["ingestEvent", { type: "QA_PASSED", payload: {} }],
        ["nudge", { hint: "x" }],
        ["nextTicket"],
        ["completeTicket", { ticketId, runId }],
        ["failTicket", { ticketId, runId, reason: "x" }],
        ["gitSetup", { ticketId }],
        ["endSession"],
      ];
      for (const [name, input] of refused)
        await expect(call(name, input), name).rejects.toMatchObject({ reason: "no_session" });
      for (const name of ["showRun", "replayRun"] as const)
        await expect(call(name, { run_id: runId })).rejects.toMatchObject({ reason: "unknown_run" });
      expect(await call("listRuns")).toEqual({ runs: [] });
      expect((await call("listFormulas")).formulas).toHaveLength(6);
      await expect(call("startSession", { formula: "no-such" })).rejects.toMatchObject({ reason: "unknown_formula" });
      const client = await DirectClient.create({ projectPath: testKernel.repository.path });
      expect(client.getState()).toBeNull();
      await client.close();
      expect(readdirSync(testKernel.repository.path)).toEqual(before);
      await call("startSession");
      expect(readdirSync(testKernel.repository.path)).toContain(".promptwheel");
    });

    it("is refused when .promptwheel is not a folder", async () => {
      testKernel.repository.write(".promptwheel", "");
      await expect(call("sessionStatus")).rejects.toMatchObject({
        code: "failed_precondition",
        message: expect.stringContaining("it is a file"),
      });
    });
  });
}

describe("start_session", () => {
  it("answers with all the reference's fields", async () => {
    expect(await call("startSession", { formula: "security-audit", hours: 2 })).toMatchObject({
      run_id: expect.stringMatching(/^run_/),
      session_id: expect.stringMatching(/^ses_/),
      project_id: basename(testKernel.repository.path),
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

  it.each(
    (
      [
        [
          { formula: "nonsense" },
          { reason: "unknown_formula", data: { known: expect.arrayContaining(["cleanup", "deep"]) } },
        ],
        [{ scope: "../**" }, { code: "invalid_argument", issues: [{ path: "scope" }] }],
        [{ qa_commands: ["npm test", "rm -rf /"] }, { code: "invalid_argument", issues: [{ path: "qa_commands[1]" }] }],
        [{ guidelines: "/etc/passwd" }, { code: "invalid_argument", issues: [{ path: "guidelines" }] }],
        [
          { categories: ["test"], safe: true },
          { code: "invalid_argument", issues: [{ path: "categories" }] },
        ],
        [{ step_budget: 0 }, { code: "invalid_argument", issues: [{ path: "step_budget" }] }],
        [{ project: "elsewhere" }, { reason: "unknown_project", data: { known: [expect.stringMatching(/^loop-/)] } }],
        [{ project: "../x" }, { code: "invalid_argument", issues: [{ path: "project" }] }],
      ] as const
    ).filter((_, at) => inLongTier || at % 4 === 0),
  )("refuses %j", async (input, error) => {
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

  it.each(
    (
      [
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
      ] as const
    ).filter((_, at) => inLongTier || at % 4 === 0),
  )("refuses %s with its path, and stores nothing", async (_what, input, path) => {
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

describe("formulas of the project", () => {
  it("win over built-in ones, and broken ones are named", async () => {
    mkdirSync(join(testKernel.repository.path, ".promptwheel/formulas"), { recursive: true });
    testKernel.repository.write(
      ".promptwheel/formulas/cleanup.yaml",
      "description: ours\ncategories: [docs]\nprompt: Sweep.\n",
    );
    testKernel.repository.write(".promptwheel/formulas/broken.yaml", "run: rm -rf /\n");
    symlinkSync("/etc/hostname", join(testKernel.repository.path, ".promptwheel/formulas/link.yaml"));
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
  if (inLongTier) {
    it("run side by side, each with its own session", async () => {
      const other = temporaryRepository(files);
      await testKernel.restart({
        projects: { one: testKernel.repository.path, two: other.path },
        defaultProject: "one",
      });
      await call("startSession", { step_budget: 3 });
      await call("startSession", { project: "two", step_budget: 7 });
      await Promise.all([call("advance"), call("advance", { project: "two" })]);
      expect(await call("sessionStatus")).toMatchObject({ stepCount: 1, budgetRemaining: 2 });
      expect(await call("sessionStatus", { project: "two" })).toMatchObject({ stepCount: 1, budgetRemaining: 6 });
      await expect(call("advance", { project: "three" })).rejects.toMatchObject({ data: { known: ["one", "two"] } });
      other.remove();
    });
  }

  it("survive a server that goes away: the next one takes the session up", async () => {
    await scout([sampleProposal("Close the file")]);
    const before = await call("sessionStatus");
    await testKernel.restart({}, () => "zzzzzzzzzzzz");
    expect(await call("sessionStatus")).toMatchObject({ ...before, digest: expect.anything() });
    expect((await call("advance")).phase).toBe("PLAN");
  });
});

describe("runs", () => {
  it("are listed, shown page by page and replayed", async () => {
    await call("startSession");
    await playThrough(testKernel.driver, {
      titles: ["Close the file", "Open the door"],
      folder: testKernel.repository.path,
    });
    const { tickets_completed, final_phase } = await call("endSession");
    expect([tickets_completed, final_phase]).toEqual([2, "DONE"]);
    const { runs } = await call("listRuns");
    expect(runs).toMatchObject([{ phase: "DONE", ended_at: expect.any(String) }]);
    const { run_id, events } = runs[0];
    const seen: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: ToolReply = await call("showRun", { run_id, after, limit: 7 });
      seen.push(...page.events.map(({ seq }: { seq: number }) => seq));
      after = page.next;
    }
    expect(seen).toEqual(Array.from({ length: events }, (_, index) => index + 1));
    expect(await call("replayRun", { run_id })).toMatchObject({ equal: true, differences: [], phase: "DONE" });
    await expect(call("showRun", { run_id: "run_zzzzzzzzzzzz" })).rejects.toMatchObject({ reason: "unknown_run" });
  });

  if (inLongTier) {
    it("write the same log as the direct client does", async () => {
      const script = { titles: ["Close the file", "Open the door"], folder: testKernel.repository.path };
      const { run_dir } = await call("startSession", { draft_prs: true });
      await playThrough(testKernel.driver, script);
      await call("endSession");
      const here = readFileSync(join(testKernel.repository.path, run_dir, "events.ndjson"), "utf8");
      const other = temporaryRepository(files);
      const client = await DirectClient.create({
        projectPath: other.path,
        projectName: basename(testKernel.repository.path),
        clock: tickingClock(),
        ids: countingIds(),
      });
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
  }
});
