import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import type { GenerateResult } from "./generate.ts";
import { contractFile, temporaryProject } from "./testing/fixture.ts";

/** The real thing in a real process: module loading hooks and file events are not Vitest's. */
const watching = (root: string) => {
  const script = join(import.meta.dirname, "testing/watch-fixture.ts");
  const child = spawn(process.execPath, ["--conditions=@fairlead/source", script, root], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** The next result that satisfies the test; a write may be seen in two steps. */
    until: async (isExpected: (result: GenerateResult) => boolean): Promise<GenerateResult> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error("the watcher ended");
        const result: GenerateResult = JSON.parse(value);
        if (isExpected(result)) return result;
      }
    },
    end: async (): Promise<number | null> => {
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
      return child.exitCode;
    },
  };
};

/** For a loaded machine; the events themselves say when to go on. */
test("sees every save of an editor that renames a new file over the old one", async () => {
  using project = temporaryProject({ "contracts/deep/sums.contract.ts": contractFile("sums") });
  const watcher = watching(project.root);
  await watcher.until(({ ok }) => ok);
  for (const summary of ["Adds, once.", "Adds, twice.", "Adds, thrice."]) {
    project.write("draft.txt", contractFile("sums", { summary }));
    renameSync(join(project.root, "draft.txt"), join(project.root, "contracts/deep/sums.contract.ts"));
    await watcher.until(({ ok, written }) => ok && written.length > 0);
    expect(readFileSync(join(project.root, "gen/sums.ts"), "utf8")).toContain(summary);
  }
  expect(await watcher.end()).toBe(0);
});

test("generates after edits of contracts and of what they import, after repairs, and for new files", async () => {
  const shared = 'import { words } from "./words.ts";\nexport const more = words;\n';
  const withWords = contractFile("sums", { body: 'import { words } from "../lib/shared.ts";' }).replace(
    '"Adds two numbers."',
    "words",
  );
  using project = temporaryProject({
    "contracts/sums.contract.ts": contractFile("sums"),
    "contracts/times.contract.ts": contractFile("times"),
  });
  const client = (id: string): string => readFileSync(join(project.root, `gen/${id}.ts`), "utf8");
  const watcher = watching(project.root);
  await watcher.until(({ ok }) => ok);

  project.write("contracts/sums.contract.ts", contractFile("sums", { summary: "Adds, edited." }));
  const edited = await watcher.until(({ ok, written }) => ok && written.length > 0);
  expect(edited.written).toContain("gen/sums.ts");
  expect(edited.unchanged).toContain("gen/times.ts");
  expect(client("sums")).toContain("Adds, edited.");

  project.write("contracts/sums.contract.ts", "export default {");
  const broken = await watcher.until(({ ok }) => !ok);
  expect(broken.diagnostics.map(({ code }) => code)).toContain("contract_load_failed");

  project.write("lib/words.ts", 'export const words = "Adds by other words.";');
  project.write("lib/shared.ts", `${shared}export { words } from "./words.ts";\n`);
  project.write("contracts/sums.contract.ts", withWords);
  await watcher.until(({ ok }) => ok);
  expect(client("sums")).toContain("Adds by other words.");

  project.write("lib/words.ts", 'export const words = "Adds by newer words.";');
  const through = await watcher.until(({ ok, written }) => ok && written.length > 0);
  expect(through.unchanged).toContain("gen/times.ts");
  expect(client("sums")).toContain("Adds by newer words.");

  project.write("contracts/deeper/minus.contract.ts", contractFile("minus"));
  await watcher.until(({ ok, written }) => ok && written.includes("gen/minus.ts"));

  rmSync(join(project.root, "contracts/times.contract.ts"));
  const fewer = await watcher.until(({ ok, removed }) => ok && removed.length > 0);
  expect(fewer.removed).toEqual(["gen/times.schema.json", "gen/times.ts"]);

  expect(await watcher.end()).toBe(0);
});
