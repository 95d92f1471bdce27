/** `fairlead doctor` starts Path of Building where no kernel runs, and says how long a build takes; over the stand-in. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownBin, repository, run } from "./command.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const hasLuajit = spawnSync("luajit", ["-v"]).status === 0;
if (!hasLuajit)
  process.stderr.write("skipped: the doctor's trial of Path of Building, because luajit is not installed\n");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-doctor-"));
  writeFileSync(join(folder, "fairlead.config.json"), JSON.stringify({ only: ["pob"], stateDir: "./state", port: 0 }));
});
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

const computing = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
  const { out } = await run({ bin: ownBin, cwd: folder, env: { POB_LUA_ENABLED: "true", ...env } }, [
    "doctor",
    "--json",
  ]);
  const { rows } = JSON.parse(out) as { readonly rows: readonly { readonly check: string }[] };
  return rows.find(({ check }) => check === "  pob: computing");
};

const stock = join(repository, "services/pob/src/testing/engine/stock");

it.runIf(hasLuajit)("computes a build of ours", async () => {
  expect(await computing({ POB_FORK_PATH: stock })).toMatchObject({
    result: "ok",
    detail: expect.stringMatching(/^started in \d+ ms, computed a build of ours in \d+ ms$/),
  });
});

if (inLongTier) {
  it.runIf(hasLuajit)("says why it could not", async () => {
    // Too little for Path of Building's own start.
    expect(await computing({ POB_FORK_PATH: stock, POB_ARGS: "-e os.exit(3)" })).toMatchObject({
      result: "warning",
      detail: expect.stringContaining("3"),
      fix: expect.stringContaining("luaStart"),
    });
  });
}
