/**
 * `fairlead session` and `fairlead run` as a person types them, one after the other, on a real repository: those that begin, judge and end
 * work as real processes, the others in the test's own.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DirectClient } from "@fairlead/service-loop/direct-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Ended, ownBin, run } from "./command.ts";
import { runHere } from "./command-here.ts";
import { emptyRepository } from "./loop-project/repository.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let folder: string;
let state: string;
const before = process.cwd();

beforeAll(() => {
  folder = emptyRepository();
  state = mkdtempSync(join(tmpdir(), "fairlead-session-state-"));
  writeFileSync(join(folder, "Makefile"), "all:\n\t@test -f src/door.ts\n");
  // A session is the project's that the command is typed in.
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  for (const path of [dirname(folder), state]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

/** Commands that a process is started for. */
const alone = inLongTier
  ? [/^session start/, /^session event SCOUT_OUTPUT/, /^session complete/, /^session end/, /^run replay/]
  : [/^session start/];

const fairlead = (...args: readonly string[]): Promise<Omit<Ended, "signal">> => {
  const options = { cwd: folder, env: { XDG_STATE_HOME: state } };
  const isAlone = alone.some((words) => words.test(args.join(" ")));
  return isAlone ? run({ bin: ownBin, ...options }, args) : runHere(args, options);
};

/** What it prints, when it ends well. */
const said = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await fairlead(...args);
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  return out.trimEnd();
};

const answer = async (...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
  JSON.parse(await said(...args, "--json"));

const proposal = {
  category: "fix",
  title: "Open the door",
  description: "it is shut",
  files: ["src/door.ts"],
  verification_commands: ["make"],
};

it("goes through a session, and shows and replays its run", async () => {
  expect((await fairlead("session", "advance")).err).toContain("fairlead session start");
  const run_id = (await said("session", "start", "--scope", "src/**", "--step-budget", "9")).split(":")[0] ?? "";
  expect(await said("session", "advance")).toMatch(/^# Scout/);
  if (inLongTier) await said("session", "nudge", "look at the hinges");
  await said("session", "event", "SCOUT_OUTPUT", "-d", JSON.stringify({ proposals: [proposal] }));
  const { ticketId, runId } = await answer("session", "next");
  expect(runId).toBe(run_id);
  const ticket = String(ticketId);
  if (inLongTier) expect(await said("session", "policy", "src/window.ts")).toContain('"allowed":false');
  await said("session", "event", "PLAN_SUBMITTED", "-d", '{"files":["src/door.ts"],"risk_level":"low"}');
  expect(await said("session", "branch", ticket)).toContain(`promptwheel/${ticket}/open-the-door`);
  if (inLongTier) expect(await answer("session", "complete", ticket, run_id)).toMatchObject({ success: false });
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/door.ts"), "open\n");
  if (inLongTier) expect(await said("session", "scope", ticket, "src/door.ts")).toContain("all may be touched");
  expect(await said("session", "complete", ticket, run_id)).toBe(`ticket ${ticket} is done`);
  if (inLongTier) expect(await said("session", "status")).toMatch(/^ticketsCompleted +1$/m);
  expect(await said("session", "advance")).toMatch(/^STOP: no ticket is left/);
  expect(await said("session", "end")).toMatch(/^final_phase +DONE$/m);
  if (inLongTier) expect(await said("run", "ls")).toMatch(new RegExp(`^${run_id}  .*  DONE  \\d+$`));
  const [head = "", lines = ""] = (await said("run", "show", run_id)).split("\n\n");
  expect(head).toMatch(/^phase +DONE$/m);
  expect(lines).toMatch(/SESSION_START .*QA_PASSED .*SESSION_END/s);
  expect(await said("run", "replay", run_id)).toMatch(/^equal +true$/m);
  const log = readFileSync(join(folder, ".promptwheel/runs", run_id, "events.ndjson"), "utf8");
  expect(lines.split("\n")).toHaveLength(log.trimEnd().split("\n").length);
});

it("shows the whole of a long run, unless a limit is given", async () => {
  const client = await DirectClient.create({ projectPath: folder });
  const { run_id } = client.startSession();
  await Promise.all(Array.from({ length: 450 }, (_, index) => client.nudge(`look at part ${index}`)));
  await client.close();
  const { events, next } = await answer("run", "show", run_id);
  expect([Array.isArray(events) && events.length, next]).toEqual([451, null]);
  const some = await answer("run", "show", run_id, "--after", "2", "--limit", "3");
  expect(some).toMatchObject({ events: [{ seq: 3 }, { seq: 4 }, { seq: 5 }], next: 5 });
});
