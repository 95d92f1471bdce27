/**
 * The public suite's scenarios of the tasks extension, against a real kernel whose runs are the tasks. What does not pass is named below with the reason, and
 * a check that passes after all fails this test as well. `TASK_CHECKS=1` prints all.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTaskKernel, type TaskKernel } from "../tasks/kernel.ts";

const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const folder = mkdtempSync(join(tmpdir(), "fairlead-tasks-"));
let running: TaskKernel;

beforeAll(async () => {
  running = await openTaskKernel(join(folder, "state"));
});

afterAll(async () => {
  await running.kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

const scenarios = [
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-status-notifications",
  "tasks-required-task-error",
  "tasks-mrtr-composition",
];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** What does not pass, and why. */
const known: Readonly<Record<string, string>> = {
  "tasks-mrtr-partial-fulfillment": "a run asks one question at a time",
  "sep-2663-server-returns-missing-capability-when-required": "a client without tasks gets its answer in the call",
  "sep-2663-mrtr-synchronous-before-task-creation": "what is asked of a client with tasks is asked in the task",
};

const play = (scenario: string): Promise<readonly Check[]> =>
  new Promise((resolve) => {
    const out = join(folder, scenario);
    const args = [suite, "server", "--url", `${running.url}/mcp`, "--scenario", scenario, "-o", out];
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, () => {
      const files = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((file) =>
        file.endsWith("checks.json"),
      );
      resolve(files.flatMap((file) => JSON.parse(readFileSync(join(out, file), "utf8")) as Check[]));
    });
  });

test("all but what is named", async () => {
  const checks: Check[] = [];
  for (const scenario of scenarios) checks.push(...(await play(scenario)));
  if (process.env.TASK_CHECKS === "1")
    for (const { id, status, errorMessage = "" } of checks) process.stderr.write(`${status} ${id} ${errorMessage}\n`);
  const own = checks.filter(({ id }) => id !== "wire-schema-valid");
  const failed = checks.filter(({ status }) => status !== "SUCCESS" && status !== "SKIPPED");
  expect(failed.map(({ id }) => id).sort(), JSON.stringify(failed)).toEqual(Object.keys(known).sort());
  expect(own.filter(({ status }) => status === "SUCCESS").length).toBe(31);
});
