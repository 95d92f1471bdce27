/** Processes that hang while nobody calls, that die again and again, and what errors say of them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { closeTestKernels, dps, hasLuajit, load, only, openTestKernel } from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

const checkouts = inLongTier ? ["stock", "fork"] : ["stock"];

describe.runIf(hasLuajit).each(checkouts)("a %s checkout", (checkout) => {
  test("that is stopped while idle is replaced before the next call", async () => {
    const kernel = openTestKernel(checkout, { POB_TIMEOUT_MS: "12000" }, { healthMs: 50 });
    await load(kernel);
    process.kill(-(await kernel.pid()), "SIGSTOP");
    expect((await kernel.states(6)).slice(2)).toEqual(["Draining", "Backoff", "Starting", "Ready"]);
    expect(await dps(kernel)).toMatchObject({ ...only(47.4), meta: { recovered: true } });
  });

  if (inLongTier) {
    test("that died too often is refused for a while, then started by a call, and by lua_start at once", async () => {
      const deadly = { classId: 3, ascendClassId: 0, nodes: [9001] };
      const kernel = openTestKernel(checkout, {}, { stormMs: 3_600_000 });
      await load(kernel);
      let refused: Readonly<Record<string, unknown>>;
      do refused = await kernel.callForError("luaSetTree", deadly);
      while (!String(refused.message).includes("is down"));
      expect(refused).toMatchObject({
        message: expect.stringContaining("exited with code 9"),
        hint: "lua_start starts it again at once, the first call after 3600 seconds does so by itself",
      });
      expect(await kernel.call("luaStart")).toContain("was started");
      expect(await dps(kernel)).toMatchObject(only(47.4));

      const forgiving = openTestKernel(checkout, {}, { stormMs: 1 });
      await load(forgiving);
      for (let deaths = 0; deaths < 7; deaths += 1) await forgiving.callForError("luaSetTree", deadly);
      expect(await dps(forgiving)).toMatchObject(only(47.4));
    });
  }
});

describe("what an error says", () => {
  const run = (script: string) => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead-pob-"));
    writeFileSync(join(folder, "HeadlessWrapper.lua"), script);
    const kernel = openTestKernel("", { POB_FORK_PATH: folder });
    return { kernel, end: () => rmSync(folder, { recursive: true }) };
  };

  test.runIf(hasLuajit).each([
    [
      "a Lua error",
      `local function deep() error("Data/Gems.lua is missing\\nand more") end\ndeep()`,
      /Data\/Gems\.lua is missing"/,
    ],
    [
      "what PoB leaves on its screen",
      `launch = { promptMsg = "^1Error:\\n\\n^0In 'Init': Data/Global.lua is missing\\nstack traceback:\\n\\t[C]: in ?" }`,
      /In 'Init': Data\/Global\.lua is missing"/,
    ],
  ])("%s is one line, without its traceback, and the hint is about the checkout", async (_name, script, message) => {
    const { kernel, end } = run(script);
    const refused = await kernel.callForError("luaStart");
    expect(refused).toMatchObject({
      message: expect.stringMatching(message),
      hint: expect.stringContaining("POB_FORK_PATH"),
    });
    expect(refused.message).not.toMatch(/traceback|\[C\]/);
    expect(refused.hint).not.toMatch(/install luajit/);
    end();
  });

  test.runIf(hasLuajit)("a LuaJIT that crashes is not to be installed", async () => {
    const { kernel, end } = run(`local ffi = require("ffi"); ffi.cdef("int raise(int);"); ffi.C.raise(11)`);
    const refused = await kernel.callForError("luaStart", {}, {});
    expect(refused.hint).not.toMatch(/install luajit/);
    end();
  });
});
