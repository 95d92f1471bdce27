/** Runs by both Python clients, with the service of docs/runs.md: started, followed, asked, cancelled and resumed. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProject } from "../conformance/kernel.ts";
import { TemporaryProject } from "../golden/project.ts";
import { findPython, pythonEnv } from "./interpreter.ts";

const inLongTier = process.env.TESTS_TIER === "long";
const python = findPython("httpx");
const pageFile = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../documents/runs", name), "utf8").replace(
    "./todo.contract.ts",
    "../../contracts/todo.contract.ts",
  );

describe.skipIf(python === undefined)("runs in Python", () => {
  let files: TemporaryProject;

  beforeAll(async () => {
    files = new TemporaryProject();
    files.write("contracts/todo.contract.ts", pageFile("todo.contract.ts"));
    files.write("services/todo/service.ts", pageFile("todo.service.ts"));
    const paths = { contracts: ["contracts"], services: "services", out: "gen", python: "gen/todo_clients" };
    const { ok, diagnostics } = await files.generate(paths);
    expect(ok, JSON.stringify(diagnostics)).toBe(true);
  });
  afterAll(() => files[Symbol.dispose]());

  test.each(inLongTier ? ["threads", "aio"] : ["aio"])(
    "%s follows a run to its end, and fails as calls do",
    async (driver) => {
      const script = join(import.meta.dirname, "runs.py");
      const env = pythonEnv(join(files.root, "gen"));
      const { kernel, url } = await startProject({}, files.root);
      const run = promisify(execFile)(python ?? "", [script, url, driver], { env });
      const { stdout } = await run.finally(() => kernel.close());
      expect(JSON.parse(stdout)).toEqual({
        states: ["done", true],
        result: { deleted: 1 },
        failures: [
          ["FailedPreconditionError", "failed_precondition", "not_asked"],
          ["FailedPreconditionError", "failed_precondition", "over"],
          ["NotFoundError", "not_found", "unknown_run"],
          ["NotFoundError", "not_found", "unknown_run"],
          ["InvalidArgumentError", "invalid_argument", null],
          ["CanceledError", "canceled", null],
          "the question sure takes True or False",
        ],
        same: true,
        cancelled: "cancelled",
        message: "Delete 1 todos?",
        declined: { deleted: 0 },
        called: { text: "remember: water the plants" },
      });
    },
  );
});
