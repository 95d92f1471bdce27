/**
 * Headless agents through whole sessions. The scores test the meter and no agent: the number of tickets that count as verified is the number of
 * defects that the scripted agent has repaired.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../session/project.ts";
import { createDefects, type DefectRepository } from "../testing/agent/defects.ts";
import { type DriveEvent, driveToEnd, openProject } from "../testing/agent/drive.ts";
import { driveUntilKilled } from "../testing/agent/drive-kill.ts";
import { isRunning } from "../testing/process.ts";
import { approvePlan } from "../tool/decide-plan.ts";
import { ingestEvent } from "../tool/ingest-event.ts";
import { pauseSession, resumeSession } from "../tool/pause-session.ts";

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

const lastEvent = ({ events }: { readonly events: readonly DriveEvent[] }): DriveEvent | undefined => events.at(-1);
const calls = (): readonly string[] => readFileSync(repository.calls, "utf8").trimEnd().split("\n");
const subjects = (): readonly string[] => repository.git("log", "--format=%s").trim().split("\n");

describe("an agent that repairs one of three defects and pretends at the others", () => {
  beforeEach(() => begin("shell", { defects: 3, repaired: 1 }));

  it("has one verified ticket, whose commit is all that changes", async () => {
    const run = await driveToEnd(project, { agent: repository.agent });
    expect(run.problem).toBeUndefined();
    expect(lastEvent(run)).toMatchObject({
      kind: "end",
      phase: "DONE",
      summary: {
        tickets_completed: 1,
        tickets_verified: { server: 1, client: 0, none: 0 },
        tickets_failed: 2,
        agent_calls: calls().length,
      },
    });
    expect(subjects()).toEqual(["Repair anchor", "Begin"]);
    expect(repository.git("status", "--porcelain", "--untracked-files=no")).toBe("");
    // One gets a comment alone and is tried three times; where nothing changes the first time is the last.
    expect(
      calls()
        .filter((line) => line.startsWith("TICKET_RESULT"))
        .sort(),
    ).toEqual(["anchor", "bowline", "capstan", "capstan", "capstan"].map((name) => `TICKET_RESULT Repair ${name}`));
    expect(project.peek()).toBeUndefined();
  });

  it("goes on with the session where it was after the reader has gone", async () => {
    const reader = new AbortController();
    const first = await driveToEnd(project, {
      agent: repository.agent,
      signal: reader.signal,
      onEvent: ({ kind, phase }) => {
        if (kind === "event" && phase === "EXECUTE") reader.abort();
      },
    });
    expect(lastEvent(first)?.kind).not.toBe("end");
    const state = project.peek();
    expect(state?.phase).toBe("EXECUTE");
    const second = await driveToEnd(project, { agent: repository.agent });
    expect(lastEvent(second)?.summary).toMatchObject({ run_id: state?.runId, tickets_completed: 1 });
    expect(calls().filter((line) => line.startsWith("SCOUT_OUTPUT"))).toHaveLength(1);
  });

  it("is ended with the session when a person cancels it", async () => {
    const run = await driveToEnd(project, {
      agent: repository.agent,
      onEvent: ({ kind, phase }) => {
        if (kind === "prompt" && phase === "EXECUTE")
          void ingestEvent(project, { type: "USER_OVERRIDE", payload: { cancel: true } });
      },
    });
    expect(lastEvent(run)).toMatchObject({ kind: "end", summary: { tickets_completed: 0 } });
    expect(subjects()).toEqual(["Begin"]);
  });
});

it("tickets at once have a worktree each", async () => {
  begin("shell", { defects: 3, repaired: 2 });
  const run = await driveToEnd(project, { agent: repository.agent, settings: { parallel: 3 } });
  expect(lastEvent(run)?.summary).toMatchObject({ tickets_verified: { server: 2 }, tickets_failed: 1 });
  expect(subjects()).toEqual(expect.arrayContaining(["Repair anchor", "Repair bowline"]));
});

it.each(["DONE", '```json\n{"type":"TICKET_RESULT","payload":{"status":"done"}}\n```', ""])(
  "an agent that always says %j cannot be used",
  async (answers) => {
    begin("shell", { defects: 1, repaired: 1, answers });
    const run = await driveToEnd(project, { agent: repository.agent });
    expect(run.problem).toMatchObject({ reason: "agent_unusable" });
    expect(subjects()).toEqual(["Begin"]);
  },
);

it("an agent that says DONE of each ticket has nothing verified, whether it has changed something or not", async () => {
  begin("shell", { defects: 2, repaired: 0, remark: "DONE" });
  const run = await driveToEnd(project, { agent: repository.agent });
  expect(run.events.at(-1)?.summary).toMatchObject({
    tickets_completed: 0,
    tickets_verified: { server: 0, client: 0, none: 0 },
    tickets_failed: 2,
  });
  expect(subjects()).toEqual(["Begin"]);
});

it("an agent that proposes and then reports on no ticket ends in a failure that says so", async () => {
  begin("shell", { defects: 2, repaired: 2, silent: true });
  const run = await driveToEnd(project, { agent: repository.agent });
  expect(run.problem).toMatchObject({
    reason: "not_done",
    message: "the agent has reported on none of its tickets (2): no answer about them could be taken",
    data: { final_phase: "DONE" },
  });
  expect(lastEvent(run)?.summary).toMatchObject({ tickets_completed: 0, tickets_failed: 2 });
});

it("a plan of high risk waits until a person approves it", async () => {
  begin("shell", { defects: 1, repaired: 1, risk: "high" });
  const run = await driveToEnd(project, {
    agent: repository.agent,
    onEvent: ({ kind }) => {
      if (kind === "wait") void approvePlan(project, {});
    },
  });
  expect(run.events.filter(({ kind }) => kind === "wait")).toHaveLength(1);
  expect(lastEvent(run)?.summary).toMatchObject({ tickets_verified: { server: 1 } });
});

it("an agent that asks a person gets the answer, and one that is paused goes on when it is resumed", async () => {
  begin("shell", { defects: 1, repaired: 1, question: "May I touch it?" });
  const run = await driveToEnd(project, {
    agent: repository.agent,
    onEvent: ({ kind, phase, text }) => {
      if (kind === "wait") void resumeSession(project, { answer: text.includes("agent asks") ? "yes" : "" });
      if (kind === "prompt" && phase === "EXECUTE") void pauseSession(project, { reason: "a look" });
    },
  });
  expect(run.events.flatMap(({ kind, text }) => (kind === "wait" ? [text] : []))).toEqual([
    expect.stringContaining("the agent asks: May I touch it?"),
    expect.stringContaining("a look"),
  ]);
  expect(lastEvent(run)?.summary).toMatchObject({ tickets_verified: { server: 1 } });
});

it("money that the agent reports ends the session when it is spent", async () => {
  const wrapped = JSON.stringify({ type: "result", result: "DONE", total_cost_usd: 0.5, usage: {} });
  begin("shell", { defects: 1, repaired: 1, answers: wrapped });
  const run = await driveToEnd(project, { agent: repository.agent, settings: { max_cost_usd: 1 } });
  expect(run.problem).toMatchObject({ reason: "not_done", message: expect.stringContaining("max_cost_usd") });
  expect(lastEvent(run)?.summary).toMatchObject({ final_phase: "FAILED_BUDGET", agent_calls: 2 });
});

describe("a limit on money counts each call of the agent", () => {
  const costing = (result: string): string =>
    JSON.stringify({ type: "result", result, total_cost_usd: 0.5, usage: { input_tokens: 10 } });

  it.each([
    ["questions", '{"type":"QUESTION","payload":{"question":"may I?"}}'],
    ["reports that are refused", '```json\n{"type":"SCOUT_OUTPUT","payload":{"proposals":7}}\n```'],
  ])("that has %s", async (_, result) => {
    begin("shell", { defects: 1, repaired: 1, answers: costing(result) });
    const run = await driveToEnd(project, {
      agent: repository.agent,
      settings: { max_cost_usd: 1 },
      onEvent: ({ kind }) => {
        if (kind === "wait") void resumeSession(project, { answer: "yes" });
      },
    });
    expect(lastEvent(run)?.summary).toMatchObject({ final_phase: "FAILED_BUDGET", agent_calls: 2 });
  });

  it("that fails, also after a restart", async () => {
    begin("shell", { defects: 1, repaired: 1 });
    const agent = `sh -c 'echo "${costing("no").replaceAll('"', '\\"')}"; exit 1'`;
    const run = await driveToEnd(project, { agent });
    expect(run.problem).toMatchObject({ reason: "agent_unusable" });
    project.close();
    project = openProject(repository.path);
    expect(project.peek()?.usage).toEqual({ costUsd: 1.5, inputTokens: 30, outputTokens: 0 });
  });
});

describe("tickets at once", () => {
  it("that fail once each do not make the agent unusable", async () => {
    begin("shell", { defects: 3, repaired: 3, failures: [1, 1, 1] });
    const run = await driveToEnd(project, { agent: repository.agent, settings: { parallel: 3 } });
    expect(run.problem).toBeUndefined();
    expect(lastEvent(run)?.summary).toMatchObject({ tickets_verified: { server: 3 }, agent_calls: 10 });
  });

  it("are all at rest when one of them ends the command", async () => {
    begin("shell", { defects: 2, repaired: 2, failures: [3, 0] });
    const run = await driveToEnd(project, { agent: repository.agent, settings: { parallel: 2 } });
    expect(run.problem).toMatchObject({ reason: "agent_unusable" });
    expect(run.events.filter(({ kind, text }) => kind === "event" && text.startsWith("QA_PASSED"))).toHaveLength(1);
  });
});

it("an agent that repeats its prompt asks nothing", async () => {
  begin("shell", { defects: 1, repaired: 1 });
  const run = await driveToEnd(project, { agent: "cat", settings: { step_budget: 10 } });
  expect(run.events.filter(({ kind }) => kind === "wait")).toEqual([]);
  expect(run.problem).toMatchObject({ reason: "agent_unusable" });
});

it("a question in the middle of an answer does not stop work that is done", async () => {
  begin("shell", {
    defects: 1,
    repaired: 1,
    remark: '{"type":"QUESTION","payload":{"question":"shall I go on?"}}\nI went on.',
  });
  const run = await driveToEnd(project, { agent: repository.agent });
  expect(run.events.filter(({ kind }) => kind === "wait")).toEqual([]);
  expect(lastEvent(run)?.summary).toMatchObject({ tickets_verified: { server: 1 } });
});

describe("an agent that cannot work", () => {
  beforeEach(() => begin("shell", { defects: 1, repaired: 1 }));

  it.each([
    [
      "fails each time",
      "sh -c 'echo no key >&2; exit 3'",
      /3 times in a row; at last it ended with exit code 3: no key/,
    ],
    ["takes too long", "sleep 600", /its time of 1 s was over/],
  ])("that %s ends the command and keeps the session", async (_, agent, message) => {
    const run = await driveToEnd(project, { agent, drive: { call_minutes: 1 / 60 } });
    expect(run.problem).toMatchObject({ reason: "agent_unusable", message: expect.stringMatching(message) });
    expect(project.peek()?.phase).toBe("SCOUT");
    expect(project.hasAgent).toBe(false);
  });

  it("is one at a time", async () => {
    let second: Promise<unknown> | undefined;
    const run = await driveToEnd(project, {
      agent: repository.agent,
      onEvent: ({ kind }) => {
        if (kind === "prompt") second ??= driveToEnd(project, { agent: repository.agent });
      },
    });
    expect(await second).toMatchObject({ problem: { reason: "agent_busy" } });
    expect(lastEvent(run)?.summary).toMatchObject({ tickets_completed: 1 });
  });
});

it("looks around where nothing that it changes stays", async () => {
  begin("shell", { defects: 1, repaired: 0 });
  const agent = `sh -c 'echo changed > src/anchor.sh; echo new > src/new; pwd > ${join(repository.calls)}'`;
  await driveToEnd(project, { agent });
  expect(repository.git("status", "--porcelain", "--untracked-files=no")).toBe("");
  expect(repository.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(calls()[0]).toMatch(/\.promptwheel\/worktrees\/scout$/);
});

it.each([
  ["javascript", 10, 6],
  ["python", 10, 4],
  ["shell", 10, 3],
] as const)(
  "in a repository in %s with %i defects of which the agent repairs %i the score is that number",
  async (language, defects, repaired) => {
    begin(language, { defects, repaired });
    const run = await driveToEnd(project, { agent: repository.agent });
    expect(run.problem).toBeUndefined();
    expect(lastEvent(run)?.summary).toMatchObject({
      tickets_completed: repaired,
      tickets_verified: { server: repaired, client: 0, none: 0 },
      tickets_failed: defects - repaired,
    });
    expect(subjects()).toHaveLength(repaired + 1);
  },
  600_000,
);

it("a process that is killed again and again gets through the session, with each ticket committed once and no agent left", async () => {
  begin("shell", { defects: 6, repaired: 4 });
  project.close();
  const [instants] = fc.sample(fc.noBias(fc.array(fc.nat(9), { minLength: 8, maxLength: 8 })), 1);
  const pids = new Set<number>();
  for (const lines of [...(instants ?? []), Number.POSITIVE_INFINITY]) {
    const { last, agents } = await driveUntilKilled(repository, lines);
    for (const pid of agents) pids.add(pid);
    await expect.poll(() => [...pids].filter(isRunning)).toEqual([]);
    if (last?.kind === "end") break;
  }
  project = openProject(repository.path);
  expect(project.peek()).toBeUndefined();
  const committed = subjects().filter((subject) => subject.startsWith("Repair"));
  expect(new Set(committed).size).toBe(committed.length);
  expect(committed).toHaveLength(4);
  expect(repository.git("fsck", "--strict", "--no-dangling")).toBe("");
  expect(repository.git("status", "--porcelain", "--untracked-files=no")).toBe("");
}, 600_000);
