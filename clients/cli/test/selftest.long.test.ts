/** The self-test of this repository's own services, as a user runs it. The seed is fixed: what failed once goes into `corpus/`. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { start } from "./command-process.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const corpus = fileURLToPath(new URL("corpus", import.meta.url));

it("finds nothing, and writes its page", async () => {
  const report = join(mkdtempSync(join(tmpdir(), "fairlead-selftest-report-")), "report.md");
  const args = ["selftest", "--quick", "--seed", "20261", "--report", report, "--corpus", corpus];
  const { code, out, err } = await start(args, { cwd: repository }).ended;
  expect(code, `${out}\n${err}`).toBe(0);
  const page = readFileSync(report, "utf8");
  expect(page).toContain("| kills during writes | ok |");
  expect(page).toContain("fairlead selftest --seed 20261 --quick");
});
