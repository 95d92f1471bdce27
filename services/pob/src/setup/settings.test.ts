import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { listTreeVersions, pobConfig, readSettings } from "./settings.ts";

const engines = fileURLToPath(new URL("../testing/engine/", import.meta.url));
const MiB = 1_048_576;

const read = (env: Readonly<Record<string, string>> = {}, config: unknown = {}) =>
  readSettings({ env: { HOME: "/home/ada", ...env }, config: pobConfig.parse(config) });

describe("the variables of the bridge", () => {
  test("have the defaults that the bridge promises", () => {
    expect(read()).toMatchObject({
      enabled: false,
      cwd: "/home/ada/Projects/pob-api-fork/src",
      command: "luajit",
      timeoutMs: 10_000,
      memoryBytes: 1_500 * MiB,
      mostMemoryBytes: 3_000 * MiB,
      processes: 3,
      buildsFolder: undefined,
      problem: { why: expect.stringContaining("/home/ada/Projects"), fix: expect.stringContaining("git clone") },
    });
  });

  test.each([
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
    ["TRUE", true],
    ["auto", "auto"],
    ["Auto", "auto"],
    ["", false],
  ])("POB_LUA_ENABLED=%s", (value, enabled) => {
    expect(read({ POB_LUA_ENABLED: value })).toMatchObject({ enabled });
  });

  test.each([
    ["~/pob", "/home/ada/pob"],
    ["~", "/home/ada"],
    ["/opt/pob/src", "/opt/pob/src"],
    ["/opt/~/pob", "/opt/~/pob"],
    [`${engines}stock`, `${engines}stock/src`],
    [`${engines}stock/src`, `${engines}stock/src`],
  ])("POB_FORK_PATH=%s", (value, cwd) => {
    expect(read({ POB_FORK_PATH: value })).toMatchObject({ cwd });
  });

  test("POB_CMD names the program", () => {
    expect(read({ POB_CMD: "/opt/luajit" })).toMatchObject({ command: "/opt/luajit" });
  });

  test("without POB_ARGS the checkout decides; with them nothing else does", () => {
    const [stock, fork] = [{ POB_FORK_PATH: `${engines}stock` }, { POB_FORK_PATH: `${engines}fork` }];
    expect(read(stock)).toMatchObject({ kind: "shim", args: [expect.stringMatching(/lua\/shim\.lua$/)] });
    expect(read(fork)).toMatchObject({ kind: "fork", args: ["HeadlessWrapper.lua"] });
    expect(read({ ...fork, POB_DRIVER: "shim" })).toMatchObject({ kind: "shim" });
    for (const documented of ["HeadlessWrapper.lua", " HeadlessWrapper.lua "]) {
      expect(read({ ...stock, POB_ARGS: documented })).toEqual(read(stock));
      expect(read({ ...fork, POB_ARGS: documented })).toEqual(read(fork));
      expect(read(fork, { args: [documented.trim()] })).toEqual(read(fork));
    }
    const own = { POB_ARGS: " Mine.lua  --fast ", POB_DRIVER: "shim" };
    expect(read({ ...stock, ...own })).toMatchObject({ kind: "custom", args: ["Mine.lua", "--fast"] });
  });

  test.each([
    ["2500", 2_500],
    [" 600000 ", 600_000],
    ["", 10_000],
  ])("POB_TIMEOUT_MS=%s", (value, timeoutMs) => {
    expect(read({ POB_TIMEOUT_MS: value })).toMatchObject({ timeoutMs });
  });

  test.each([
    ["POB_TIMEOUT_MS", "abc", "a whole number from 100 to 600000"],
    ["POB_TIMEOUT_MS", "5", "a whole number from 100 to 600000"],
    ["POB_TIMEOUT_MS", "-1", "a whole number from 100 to 600000"],
    ["POB_TIMEOUT_MS", "99999999", "a whole number from 100 to 600000"],
    ["POB_MEMORY_MB", "2G", "a whole number from 300 to 65536"],
    ["POB_PROCESSES", "1.5", "a whole number from 1 to 64"],
    ["POB_LUA_ENABLED", "yess", "true, false or auto"],
    ["POB_LUA_ENABLED", "constructor", "true, false or auto"],
    ["POB_DRIVER", "steam", "shim or fork"],
  ])("%s=%s is a mistake that is reported, and counts as not set", (name, value, expected) => {
    const { mistakes, ...settings } = read({ [name]: value });
    expect(mistakes).toEqual([
      {
        variable: name,
        why: `${name} is "${value}", which is not ${expected}; it counts as not set`,
        fix: expect.stringContaining(name),
      },
    ]);
    expect({ ...settings, mistakes: [] }).toEqual(read());
  });

  test("POB_MEMORY_MB, POB_PROCESSES and POB_BUILDS_PATH", () => {
    expect(read({ POB_MEMORY_MB: "800", POB_PROCESSES: "2", POB_BUILDS_PATH: "~/builds" })).toMatchObject({
      memoryBytes: 800 * MiB,
      mostMemoryBytes: 1_600 * MiB,
      processes: 2,
      buildsFolder: "/home/ada/builds",
    });
  });
});

test("the configuration wins over variables, and what it does not know is refused", () => {
  const env = { POB_LUA_ENABLED: "false", POB_FORK_PATH: "/variable", POB_TIMEOUT_MS: "500" };
  expect(read(env, { enabled: true, path: "/configured", timeoutMs: 900 })).toMatchObject({
    enabled: true,
    cwd: "/configured",
    timeoutMs: 900,
  });
  expect(() => read({}, { pth: "/typo" })).toThrow(/pth/);
});

test("a checkout's trees are those it has files of", () => {
  expect(listTreeVersions(`${engines}stock/src`)).toEqual(["3_28"]);
  expect(listTreeVersions("/no/such/folder")).toBeUndefined();
});
