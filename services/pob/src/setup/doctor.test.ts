import { afterEach, describe, expect, test } from "vitest";
import { buildXml, closeTestKernels, hasLuajit, openTestKernel } from "../testing/test-kernel.ts";

afterEach(closeTestKernels);

describe("without Path of Building", () => {
  test("reading builds works, computing says what is missing and how to fix it", async () => {
    const kernel = openTestKernel("no-such-folder");
    expect(await kernel.call("parseBuild", { source: { build: buildXml() } })).toMatchObject({ className: "Witch" });
    expect(await kernel.callForError("luaGetStats")).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("no-such-folder"),
      hint: expect.stringContaining("git clone"),
    });
  });

  test("the doctor's rows name what is missing, each with its fix", async () => {
    expect(await openTestKernel("no-such-folder", { POB_CMD: "no-such-luajit" }).checks()).toEqual([
      { name: "LuaJIT", ok: false, detail: expect.stringContaining("no-such-luajit"), fix: expect.any(String) },
      { name: "checkout", ok: false, detail: expect.stringContaining("no-such-folder"), fix: expect.any(String) },
    ]);
    expect(await openTestKernel("broken", { POB_CMD: process.execPath }).checks()).toEqual([
      { name: "LuaJIT", ok: false, detail: expect.stringContaining("is not LuaJIT"), fix: expect.any(String) },
      { name: "checkout", ok: true, detail: expect.stringContaining("(shim)") },
      { name: "version", ok: false, detail: expect.any(String), fix: expect.stringContaining("git -C") },
      { name: "passive trees", ok: false, detail: expect.any(String), fix: expect.stringContaining("git -C") },
    ]);
    expect(await openTestKernel("stock", { POB_LUA_ENABLED: "false" }).checks()).toEqual([
      { name: "lua tools", ok: true, detail: expect.stringContaining("POB_LUA_ENABLED=true") },
    ]);
  });

  test("a missing LuaJIT is named with the command that installs it", async () => {
    const kernel = openTestKernel("stock", { POB_CMD: "no-such-luajit" });
    expect(await kernel.callForError("luaStart")).toMatchObject({
      message: expect.stringContaining("no-such-luajit"),
      hint: expect.stringContaining("apt-get install luajit"),
    });
  });

  test("POB_ARGS that start nothing which speaks are named, at the first start that fails", async () => {
    const kernel = openTestKernel("stock", { POB_CMD: process.execPath, POB_ARGS: "--version" });
    expect(await kernel.callForError("luaStart")).toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("POB_ARGS"),
    });
    expect(await kernel.states(2)).toEqual(["Starting", "Backoff"]);
  });

  test("a start that no caller waits for any more is given up as a call", async () => {
    const kernel = openTestKernel("stock", { POB_CMD: process.execPath, POB_ARGS: "-e setInterval(()=>{},1e3)" });
    expect(await kernel.callForError("luaStart", {}, { timeoutMs: 300 })).toMatchObject({ code: "deadline_exceeded" });
    expect(await kernel.states(1)).toEqual(["Starting"]);
  });

  test("a variable that cannot be meant is reported: by the state, the doctor and what it switches off; reading goes on", async () => {
    const kernel = openTestKernel("stock", { POB_LUA_ENABLED: "yess", POB_TIMEOUT_MS: "abc" });
    const why = 'POB_LUA_ENABLED is "yess", which is not true, false or auto; it counts as not set';
    expect(await kernel.degraded()).toEqual({ why, fix: "set POB_LUA_ENABLED=true, or unset it, and start again" });
    expect(await kernel.callForError("luaStart")).toMatchObject({ message: expect.stringContaining(why) });
    expect(await kernel.checks()).toMatchObject([
      { ok: false, detail: why },
      { ok: false, detail: expect.stringContaining("POB_TIMEOUT_MS"), fix: expect.stringContaining("=10000") },
      { name: "lua tools" },
    ]);
    expect(await kernel.call("validateBuild", { build: buildXml() })).toMatchObject({ valid: true });
  });

  test.runIf(hasLuajit)("`auto` offers them where LuaJIT and a checkout are found", async () => {
    const kernel = openTestKernel("stock", { POB_LUA_ENABLED: "auto" });
    expect(await kernel.call("luaStart")).toContain("was started");
    expect(await kernel.checks()).toMatchObject([
      { name: "LuaJIT", ok: true },
      {},
      { name: "checkout", ok: true },
      {},
      {},
    ]);
  });

  test.each([
    [
      "a checkout",
      "no-such-folder",
      {},
      /POB_LUA_ENABLED is auto, and there is no Path of Building at .*no-such-folder/,
    ],
    [
      "LuaJIT",
      "stock",
      { POB_CMD: "no-such-luajit" },
      /the program no-such-luajit is not in PATH; apt-get install luajit/,
    ],
    ["a LuaJIT that is one", "stock", { POB_CMD: process.execPath }, /is not LuaJIT/],
  ])("`auto` leaves them out without %s, and is in good health", async (_name, checkout, env, why) => {
    const kernel = openTestKernel(checkout, { POB_LUA_ENABLED: "auto", ...env });
    expect(await kernel.callForError("luaStart")).toMatchObject({
      code: "unimplemented",
      message: expect.stringMatching(why),
    });
    expect(await kernel.checks()).toEqual([{ name: "lua tools", ok: true, detail: expect.stringMatching(why) }]);
    expect(await kernel.degraded()).toBeNull();
  });

  test("switched off, the lua procedures are not there", async () => {
    const kernel = openTestKernel("stock", { POB_LUA_ENABLED: "false" });
    expect(await kernel.callForError("luaStart")).toMatchObject({
      code: "unimplemented",
      message: "pob.luaStart is switched off: set POB_LUA_ENABLED=true to use Path of Building",
    });
    expect(await kernel.call("validateBuild", { build: buildXml() })).toMatchObject({ valid: true });
  });
});
