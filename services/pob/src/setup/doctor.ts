/**
 * What Path of Building needs on this machine, row by row, each with the command that would fix it. Path of Building itself is not
 * started (`session/trial.ts` does that); LuaJIT is, for one line, because only it knows which libraries it finds.
 */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SelfCheck } from "@fairlead/kernel/service";
import type { CommandEnd } from "@fairlead/kernel/subprocess";
import * as z from "zod";
import { listTreeVersions, type PobSettings } from "./settings.ts";

/** The rows without which nothing is computed, found without starting a program. */
export const essentialRows = (settings: PobSettings): readonly SelfCheck[] => [
  programRow(settings.command),
  checkoutRow(settings),
  ...(settings.problem === undefined ? [treeRow(settings)] : []),
];

/** A row for each variable with an invalid value. */
const variableRows = ({ mistakes }: PobSettings): readonly SelfCheck[] =>
  mistakes.map(({ why, fix }) => ({ name: "variables", ok: false, detail: why, fix }));

/** All rows; one that says so when Path of Building is switched off. */
export const doctorRows = async (settings: PobSettings): Promise<readonly SelfCheck[]> => {
  if (settings.enabled === false)
    return leftOutRows(settings, "switched off; POB_LUA_ENABLED=true fairlead doctor shows what they would need");
  const [program, checkout, ...trees] = essentialRows(settings);
  const lua = program?.ok === true && settings.kind !== "custom" ? await luaRows(settings.command) : [];
  return [
    ...variableRows(settings),
    ...(lua.length > 0 || program === undefined ? [] : [program]),
    ...lua,
    ...(checkout === undefined ? [] : [checkout]),
    ...(settings.problem === undefined ? [versionRow(settings)] : []),
    ...trees,
  ];
};

/** The rows of a service without Path of Building, and why. */
export const leftOutRows = (settings: PobSettings, detail: string): readonly SelfCheck[] => [
  ...variableRows(settings),
  { name: "lua tools", ok: true, detail },
];

/** The first thing that is not there without which nothing is computed; runs LuaJIT for one line. */
export const findMissing = async (settings: PobSettings): Promise<SelfCheck | undefined> => {
  const missing = essentialRows(settings).find(({ ok }) => !ok);
  if (missing !== undefined || settings.kind === "custom") return missing;
  return (await luaRows(settings.command)).find(({ name, ok }) => name === luajitRow && !ok);
};

const luajitRow = "LuaJIT";

const programRow = (command: string): SelfCheck => {
  const found = isAbsolute(command)
    ? existsSync(command)
    : // biome-ignore lint/style/noProcessEnv: children get the PATH of the process, whatever the service is given.
      (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, command)));
  return found
    ? { name: luajitRow, ok: true, detail: command }
    : { name: luajitRow, ok: false, detail: `the program ${command} is not in PATH`, fix: installLuajit };
};

const installLuajit = "apt-get install luajit, brew install luajit, or set POB_CMD to its path";
const probe = fileURLToPath(new URL("../../lua/probe.lua", import.meta.url));
const probeSchema = z.object({ jit: z.string(), gc64: z.boolean(), zlib: z.boolean() });

const luaRows = async (command: string): Promise<readonly SelfCheck[]> => {
  // Loaded here, since every start of the service reads this file.
  const { runToEnd } = await import("@fairlead/kernel/subprocess");
  const { output, end } = await runToEnd({
    command,
    args: [probe],
    cwd: dirname(probe),
    timeLimitMs: 5_000,
    outputBytes: 10_000,
  });
  const parsed = probeSchema.safeParse(parseJson(output));
  if (!parsed.success) {
    const why = output.trim().split("\n")[0] || describeEnd(end);
    const detail = `${command} is not LuaJIT: ${why.slice(0, 200)}`;
    return [{ name: luajitRow, ok: false, detail, fix: installLuajit }];
  }
  const { jit, gc64, zlib } = parsed.data;
  const detail = `${jit}${gc64 ? "" : "; without GC64 it can use 1 to 2 GB"} (${command})`;
  return [
    { name: luajitRow, ok: true, detail },
    zlib
      ? { name: "zlib", ok: true, detail: "found by LuaJIT" }
      : {
          name: "zlib",
          ok: false,
          detail: "LuaJIT does not find the system's zlib, so timeless jewels would be computed wrongly",
          fix: "apt-get install zlib1g, or brew install zlib",
        },
  ];
};

const describeEnd = (end: CommandEnd): string => {
  switch (end.kind) {
    case "exited":
      return `it ended with ${end.exit.signal ?? `code ${end.exit.code}`} and printed nothing`;
    case "missing":
      return `${end.path} cannot be run`;
    case "unrunnable":
      return `${end.path} cannot be run: ${end.why}`;
    case "spawn":
      return end.why;
    case "timeout":
    case "canceled":
      return "it did not end within 5 seconds";
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const checkoutRow = ({ cwd, kind, problem }: PobSettings): SelfCheck =>
  problem === undefined
    ? { name: "checkout", ok: true, detail: `${cwd} (${kind})` }
    : { name: "checkout", ok: false, detail: problem.why, fix: problem.fix };

const versionRow = ({ cwd, kind }: PobSettings): SelfCheck => {
  const path = [join(cwd, "..", "manifest.xml"), join(cwd, "manifest.xml")].find((one) => existsSync(one));
  const version =
    path === undefined ? undefined : /<Version\s[^<>]*?\bnumber="([^"<]+)"/.exec(readFileSync(path, "utf8"))?.[1];
  if (version !== undefined) return { name: "version", ok: true, detail: version };
  const detail = "unknown: there is no manifest.xml";
  return kind === "custom"
    ? { name: "version", ok: true, detail }
    : { name: "version", ok: false, detail, fix: `git -C ${cwd} checkout -- ../manifest.xml` };
};

const treeRow = ({ cwd, kind }: PobSettings): SelfCheck => {
  const folder = join(cwd, "TreeData");
  const found = listTreeVersions(cwd) ?? [];
  const newest = found
    .filter((name) => /^\d+_\d+$/.test(name))
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1);
  if (kind === "custom" || newest !== undefined) {
    const detail = newest === undefined ? "not looked for" : `the newest is ${newest}, of ${found.length}`;
    return { name: "passive trees", ok: true, detail };
  }
  const fix = `git -C ${cwd} checkout -- TreeData`;
  return { name: "passive trees", ok: false, detail: `${folder} has no trees`, fix };
};
