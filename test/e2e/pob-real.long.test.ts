/**
 * The checks of `pob-real.ts`, where `TESTS_POB_CHECKOUT` names a checkout of Path of Building, which is only read. Without one there is
 * nothing to check here: the stand-in has the tests that always run.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const checkout = process.env.TESTS_POB_CHECKOUT;
const canRun = checkout !== undefined && spawnSync("luajit", ["-v"]).status === 0;
if (!canRun)
  process.stderr.write("skipped: the checks with a real Path of Building, because TESTS_POB_CHECKOUT names none\n");

it.runIf(canRun)("a real Path of Building passes every check of ours", { timeout: 900_000 }, async () => {
  const script = fileURLToPath(new URL("./pob-real.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@fairlead/source", script, checkout ?? ""], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const [code] = await once(child, "close");
  expect(out.split("\n").filter((line) => line.startsWith("FAIL"))).toEqual([]);
  expect(out.split("\n").filter((line) => line.startsWith("ok")).length).toBeGreaterThan(20);
  expect(code).toBe(0);
});
