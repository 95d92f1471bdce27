import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryProject } from "../testing/fixture.ts";
import { loadingThread } from "./loading-thread.ts";

test.each([
  ["ends the process", "process.exit(3);", { type: "exit", end: "code 3" }],
  ["throws in a timer", 'setTimeout(() => { throw new Error("late"); });', { type: "failed", message: "late" }],
])("what a contract that %s says is read though its thread has ended by then", async (_, body, reply) => {
  using project = temporaryProject({});
  const [file, ended] = [join(project.root, "sums.contract.js"), join(project.root, "ended")];
  const note = `process.on("exit", () => writeFileSync(${JSON.stringify(ended)}, ""));`;
  writeFileSync(file, `import { writeFileSync } from "node:fs";\n${note}\n${body}\nawait new Promise(() => {});`);
  const request = {
    type: "load",
    contract: { file, source: "sums.contract.js", builtIn: false },
    versions: new Map(),
    isProvedNext: false,
  } as const;
  const loading = loadingThread().load(request, { timeoutMs: 60_000, onOutput: () => undefined });
  // This loop stands still until the thread has ended, and a little longer.
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(ended)) Atomics.wait(pause, 0, 0, 10);
  Atomics.wait(pause, 0, 0, 100);
  expect(await loading).toMatchObject(reply);
});
