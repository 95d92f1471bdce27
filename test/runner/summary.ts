/**
 * The last lines of a run: which tests were skipped for want of which programs, and `N passed, N failed`. The reporter before it shows
 * the failures.
 */
import { spawnSync } from "node:child_process";
import type { Reporter, TestModule } from "vitest/node";

/** Programs that some tests need and a developer's machine may lack, each with the commands of which one shows that it is there. */
const optional: readonly { readonly name: string; readonly commands: readonly (readonly [string, ...string[]])[] }[] = [
  { name: "luajit", commands: [["luajit", "-v"]] },
  { name: "jq", commands: [["jq", "--version"]] },
  {
    name: "python3 with httpx, pytest and mypy",
    commands: ["python3", "/usr/bin/python3"].map((python) => [python, "-c", "import httpx, pytest, mypy"]),
  },
];

const listMissing = (): readonly string[] =>
  optional
    .filter(({ commands }) => !commands.some(([program, ...check]) => spawnSync(program, check).status === 0))
    .map(({ name }) => name);

export class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.state() === "failed" && module.errors().length > 0).length;
    const skipped = count("skipped");
    if (skipped > 0) {
      const missing = listMissing();
      const files = modules.filter((module) =>
        [...module.children.allTests()].some((test) => test.result().state === "skipped"),
      );
      const names = files.map(({ relativeModuleId }) => relativeModuleId).join(", ");
      const why = missing.length === 0 ? "" : `; not installed: ${missing.join(", ")}`;
      console.log(`${skipped} skipped in ${names}${why}`);
    }
    console.log(`${count("passed")} passed, ${count("failed") + broken + errors.length} failed`);
  }
}
