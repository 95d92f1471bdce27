/** A thousand SIGKILLs while clients make keyed calls, as the self-test does it, with its own service alone: four kernels at a time, since most of it is waiting. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startKernel } from "../src/selftest/kernel-process.ts";
import type { StageSetup } from "../src/selftest/stage.ts";
import { kills } from "../src/selftest/writes.ts";

const atOnce = 4;
/** Each of 5 kills. */
const rounds = 50;

test("after a thousand kills every acknowledged answer is there, and no call ran twice", {
  timeout: 7_200_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-kills-"));
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "fairlead.config.json"), '{ "only": [] }');
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "cache") };
  let folders = 0;
  const newFolder = (): string => {
    folders += 1;
    return join(folder, `state-${folders}`);
  };
  const setup: StageSetup = {
    seed: 1,
    scale: rounds,
    project,
    env,
    start: (more) => startKernel({ project, env, stateDir: newFolder(), ...more }),
    newFolder,
    corpus: [],
  };
  const began = performance.now();
  const results = await Promise.all(Array.from({ length: atOnce }, () => kills(setup)));
  for (const { figures } of results) console.log(figures);
  console.log(`${((performance.now() - began) / 60_000).toFixed(1)} minutes`);
  expect(results.flatMap(({ problems }) => problems)).toEqual([]);
});
