/**
 * Where Path of Building is and how to drive it: the environment variables of the bridge and the service's section of the
 * configuration, which wins. What is wrong is said in words that name the path tried and the command that would mend it.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Host } from "@fairlead/kernel/service";
import * as z from "zod";

/** `shim` drives a stock checkout, `fork` speaks JSON lines by itself, `custom` is whatever POB_ARGS starts, spoken to as a fork. */
export type EngineKind = "shim" | "fork" | "custom";

export interface Settings {
  readonly enabled: boolean;
  readonly kind: EngineKind;
  readonly command: string;
  readonly args: readonly string[];
  /** The checkout's `src`, or what was configured when there is none. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Resident memory above which the process is restarted when it is idle, its build loaded again. */
  readonly memoryBytes: number;
  /** Memory that no process gets more of, not even in the middle of a request. */
  readonly mostMemoryBytes: number;
  /** Most processes at once; other sessions sleep. */
  readonly processes: number;
  /** Milliseconds without a request after which memory is given back. */
  readonly idleMs: number;
  readonly buildsFolder: string | undefined;
  /** Why it cannot start, found without starting it. */
  readonly problem: { readonly why: string; readonly fix: string } | undefined;
}

/** The service's section of the configuration. */
export const pobConfig = z.strictObject({
  enabled: z.boolean().optional(),
  path: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  driver: z.enum(["shim", "fork"]).optional(),
  timeoutMs: z.int().min(100).max(600_000).optional(),
  memoryMb: z.int().min(1).max(65_536).optional(),
  processes: z.int().min(1).max(64).optional(),
  idleMs: z.int().min(10).optional(),
  builds: z.string().optional(),
});

export type PobConfig = z.output<typeof pobConfig>;

const shim = fileURLToPath(new URL("../lua/shim.lua", import.meta.url));
const defaultPath = "~/Projects/pob-api-fork/src";

export const readSettings = ({ config: own, env }: Pick<Host<PobConfig>, "config" | "env">): Settings => {
  const home = env.HOME ?? homedir();
  const cwd = sourceFolder(expand(own.path ?? text(env.POB_FORK_PATH) ?? defaultPath, home));
  const given = own.args ?? words(env.POB_ARGS);
  const kind = given !== undefined ? "custom" : (own.driver ?? driver(env.POB_DRIVER) ?? found(cwd));
  const builds = own.builds ?? text(env.POB_BUILDS_PATH);
  const memoryMb = own.memoryMb ?? number(env.POB_MEMORY_MB, { least: 300, most: 65_536, otherwise: 1_500 });
  return {
    enabled: own.enabled ?? ["true", "1"].includes(env.POB_LUA_ENABLED ?? ""),
    kind,
    command: own.command ?? text(env.POB_CMD) ?? "luajit",
    args: given ?? (kind === "fork" ? ["HeadlessWrapper.lua"] : [shim]),
    cwd,
    timeoutMs: own.timeoutMs ?? number(env.POB_TIMEOUT_MS, { least: 100, most: 600_000, otherwise: 10_000 }),
    memoryBytes: memoryMb * 1_048_576,
    mostMemoryBytes: Math.max(2 * memoryMb, 600) * 1_048_576,
    processes: own.processes ?? number(env.POB_PROCESSES, { least: 1, most: 64, otherwise: 3 }),
    idleMs: own.idleMs ?? 30_000,
    buildsFolder: builds === undefined ? undefined : expand(builds, home),
    problem: problemOf(cwd, kind),
  };
};

/** Versions of the passive trees that a checkout has; nothing when it has no folder of them. */
export const treesIn = (cwd: string): readonly string[] | undefined => {
  const folder = join(cwd, "TreeData");
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+_\d+/.test(name)) : undefined;
};

/** A fork is known by its API; our shim can drive it as well, when that is asked for. */
const found = (cwd: string): EngineKind => (existsSync(join(cwd, "API", "Server.lua")) ? "fork" : "shim");

const driver = (value: string | undefined): "shim" | "fork" | undefined =>
  value === "shim" || value === "fork" ? value : undefined;

/** A leading `~` is the home folder; other paths are taken from the working directory. */
const expand = (path: string, home: string): string =>
  resolve(path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : path);

/** The checkout's root and its `src` are both accepted. */
const sourceFolder = (path: string): string => {
  const inside = join(path, "src");
  return !existsSync(join(path, "HeadlessWrapper.lua")) && existsSync(join(inside, "HeadlessWrapper.lua"))
    ? inside
    : path;
};

const problemOf = (cwd: string, kind: EngineKind): Settings["problem"] => {
  const clone = `git clone https://github.com/PathOfBuildingCommunity/PathOfBuilding ${basename(cwd) === "src" ? dirname(cwd) : cwd}`;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return { why: `there is no Path of Building at ${cwd}`, fix: `set POB_FORK_PATH to a checkout, or: ${clone}` };
  }
  if (kind !== "custom" && !existsSync(join(cwd, "HeadlessWrapper.lua"))) {
    return {
      why: `${cwd} has no HeadlessWrapper.lua; installed releases leave it out`,
      fix: `set POB_FORK_PATH to a git checkout: ${clone}`,
    };
  }
  return undefined;
};

const text = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value;

const words = (value: string | undefined): readonly string[] | undefined => text(value)?.trim().split(/\s+/);

/** A variable that is no number, or too small a one, counts as not set. */
const number = (
  value: string | undefined,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number => {
  const wanted = Number(value);
  return value !== undefined && Number.isFinite(wanted) && wanted >= least ? Math.min(wanted, most) : otherwise;
};
