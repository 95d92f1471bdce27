import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DirectClient } from "./direct-client.ts";
import { isIntactLine } from "./store/log-line.ts";
import { type Repository, temporaryRepository, tickingClock } from "./testing/repository.ts";
import { playThrough, type SessionDriver } from "./testing/scripted-model.ts";
import { countingIds } from "./value/id.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const commandExists = (name: string): boolean => {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

let repository: Repository;
let client: DirectClient;

const open = (): Promise<DirectClient> =>
  DirectClient.create({
    projectPath: repository.path,
    projectName: "sample",
    clock: tickingClock(),
    ids: countingIds(),
  });

const driver = (one: DirectClient): SessionDriver => ({
  advance: () => one.advance(),
  ingest: (type, payload) => one.ingestEvent(type as Parameters<DirectClient["ingestEvent"]>[0], payload),
});

beforeEach(async () => {
  repository = temporaryRepository({
    "src/part-1.ts": "one\n",
    "CLAUDE.md": "Be kind to the reader.\n",
    "package.json": "{}",
  });
  client = await open();
});

afterEach(async () => {
  await client.close();
  repository.remove();
});

describe("the spec's quick start", () => {
  it("works as written", async () => {
    client.startSession({ scope: "src/**", formula: "security-audit" });
    const seen: string[] = [];
    while (true) {
      const resp = await client.advance();
      seen.push(resp.next_action);
      if (resp.next_action === "STOP") break;
      expect(resp.prompt).toContain("Be kind to the reader.");
      await client.ingestEvent("SCOUT_OUTPUT", { proposals: [] });
    }
    client.endSession();
    await client.close();
    expect(seen).toEqual(["PROMPT", "PROMPT", "PROMPT", "PROMPT", "STOP"]);
    client = await open();
    expect(client.getState()).toBeNull();
  });
});

describe("the canonical loop on a real repository", () => {
  const script = () => ({ titles: ["Close the file", "Check the length"], folder: repository.path });

  it("goes through every phase, with pull requests on", async () => {
    const started = client.startSession({ draft_prs: true, direct: true });
    const seen = await playThrough(driver(client), script());
    expect(seen).toEqual(["SCOUT", "PLAN", "EXECUTE", "QA", "PR", "PLAN", "EXECUTE", "QA", "PR", "DONE"]);
    const state = client.getState();
    expect(state).toMatchObject({
      phase: "DONE",
      step_count: 9,
      tickets_completed: 2,
      prs_created: 2,
      tickets_failed: 0,
    });
    const folder = join(repository.path, started.run_dir);
    expect(readdirSync(join(folder, "artifacts")).toSorted()).toEqual([
      "1-scout-proposals.json",
      "3-ticket-result.json",
      "4-qa-npm-test-pass.log",
      "4-qa-summary.json",
      "5-pr-created.json",
      "7-ticket-result.json",
      "8-qa-npm-test-pass.log",
      "8-qa-summary.json",
      "9-pr-created.json",
    ]);
    const diffs = readdirSync(join(folder, "diffs"));
    expect(diffs).toHaveLength(2);
    expect(diffs[0]).toMatch(/^3-tkt_[0-9a-z]{12}\.patch$/);
    expect(readFileSync(join(folder, "diffs", diffs[0] ?? ""), "utf8")).toContain("+// ");
    expect(readFileSync(join(folder, "artifacts/4-qa-npm-test-pass.log"), "utf8")).toBe("1 passed");
  });

  if (inLongTier) {
    it("writes state.json and a log that jq reads, each line with a good checksum", async () => {
      const { run_dir } = client.startSession();
      await playThrough(driver(client), script());
      const folder = join(repository.path, run_dir);
      expect(JSON.parse(readFileSync(join(folder, "state.json"), "utf8"))).toEqual(client.getState());
      const lines = readFileSync(join(folder, "events.ndjson"), "utf8").trimEnd().split("\n");
      expect(lines.every(isIntactLine)).toBe(true);
      const events = lines.map((line) => JSON.parse(line) as { seq: number; type: string; step: number; ts: string });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.map(({ type }) => type)).toContain("TICKETS_CREATED");
      expect(events.find(({ type }) => type === "SCOUT_OUTPUT")?.step).toBe(1);
    });

    it.runIf(commandExists("jq"))("works with the recipes of the spec", async () => {
      const { run_id, run_dir } = client.startSession();
      await client.advance();
      await client.ingestEvent("USER_OVERRIDE", { cancel: true });
      const shell = (script: string): string =>
        execFileSync("sh", ["-c", script.replace("<id>", run_id)], { cwd: repository.path, encoding: "utf8" }).trim();
      expect(shell("cat .promptwheel/runs/<id>/state.json | jq .phase")).toBe('"DONE"');
      expect(shell("cat .promptwheel/runs/<id>/events.ndjson | jq -c .type").split("\n")).toEqual(
        readFileSync(join(repository.path, run_dir, "events.ndjson"), "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.stringify(JSON.parse(line).type)),
      );
      expect(JSON.parse(shell("cat .promptwheel/runs/<id>/state.json | jq .spindle"))).toMatchObject({
        output_hashes: [],
        diff_hashes: [],
        iterations_since_change: 0,
      });
    });

    it("gives identical logs under the same clock and ids", async () => {
      const play = async (): Promise<string> => {
        const { run_dir } = client.startSession();
        await playThrough(driver(client), script());
        return readFileSync(join(repository.path, run_dir, "events.ndjson"), "utf8");
      };
      const first = await play();
      await client.close();
      repository.remove();
      repository = temporaryRepository({
        "src/part-1.ts": "one\n",
        "CLAUDE.md": "Be kind to the reader.\n",
        "package.json": "{}",
      });
      client = await open();
      expect(await play()).toBe(first);
    });

    it("leaves the repository's own files alone: git sees only what the tickets changed", async () => {
      client.startSession();
      await playThrough(driver(client), script());
      expect(repository.git("status", "--porcelain", "-uall").trim().split("\n").toSorted()).toEqual([
        "?? src/check-the-length.ts",
        "?? src/close-the-file.ts",
      ]);
    });

    it("goes on after the client was closed in the middle, with nothing lost", async () => {
      client.startSession();
      await client.advance();
      await client.ingestEvent("SCOUT_OUTPUT", { proposals: [] }, "evt_aaaaaaaaaaaa");
      const before = client.getState();
      await client.close();
      client = await DirectClient.create({ projectPath: repository.path, clock: tickingClock() });
      expect(client.getState()).toEqual(before);
      expect(() => client.startSession()).toThrow(/active session/);
      const repeated = await client.ingestEvent("SCOUT_OUTPUT", { proposals: [] }, "evt_aaaaaaaaaaaa");
      expect(repeated.processed).toBe(true);
      expect(client.getState()).toEqual(before);
      expect(await playThrough(driver(client), script())).toContain("DONE");
    });

    it("hands out exactly as many prompts as the budget says", async () => {
      client.startSession({ step_budget: 4 });
      const seen = await playThrough(driver(client), script());
      expect(seen).toEqual(["SCOUT", "PLAN", "EXECUTE", "QA", "FAILED_BUDGET"]);
      expect(client.getState()).toMatchObject({ step_count: 4, stop_reason: "all 4 steps are used (step_budget)" });
    });
  }

  it("removes the hook's files when the session ends", async () => {
    client.startSession();
    await client.advance();
    const home = join(repository.path, ".promptwheel");
    expect(existsSync(join(home, "loop-state.json"))).toBe(true);
    expect(await client.endSession()).toMatchObject({ final_phase: "DONE", step_count: 1 });
    expect(existsSync(join(home, "loop-state.json"))).toBe(false);
    await expect(client.advance()).rejects.toMatchObject({ reason: "no_session" });
  });
});
