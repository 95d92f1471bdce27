/**
 * Where Path of Building is and how to drive it: the environment variables of the bridge and the service's section of the
 * configuration, which wins. A problem is reported with the path that was tried and the command that would fix it.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Host } from "@fairlead/kernel/service";
import * as z from "zod";

/** `shim` drives a stock checkout, `fork` speaks JSON lines by itself, `custom` is whatever POB_ARGS starts, spoken to as a fork. */
type EngineKind = "shim" | "fork" | "custom";

export interface PobSettings {
  /** `auto`: where all that it needs is found when the service starts. */
  readonly enabled: boolean | "auto";
  readonly kind: EngineKind;
  readonly command: string;
  readonly args: readonly string[];
  /** The checkout's `src`, or what was configured when there is none. */
  readonly cwd: string;
  /** Time of one request. */
  readonly timeoutMs: number;
  /** Time of a request that loads a build: an explicit timeout, or else as long as the call itself may take. */
  readonly loadTimeoutMs: number;
  /** Memory of its own above which the process is restarted when it is idle, its build loaded again. */
  readonly memoryBytes: number;
  /** Memory that no process gets more of, not even in the middle of a request. */
  readonly mostMemoryBytes: number;
  /** Most processes at once; other sessions sleep. */
  readonly processes: number;
  /** Milliseconds without a request after which memory is given back. */
  readonly idleMs: number;
  /** Milliseconds between two looks at an idle process: one that does not answer is replaced. */
  readonly healthMs: number;
  /** Milliseconds after which a call starts a process again that had died too often. */
  readonly stormMs: number;
  readonly buildsFolder: string | undefined;
  /** Variables with an invalid value; each counts as not set, and is reported. */
  readonly mistakes: readonly VariableProblem[];
  /** Why it cannot start, found without starting it. */
  readonly problem: { readonly why: string; readonly fix: string } | undefined;
}

/** What is wrong with a variable, and how to fix it. */
interface VariableProblem {
  readonly variable: string;
  readonly why: string;
  readonly fix: string;
}

/** The service's section of the configuration. */
export const pobConfig = z.strictObject({
  enabled: z.union([z.boolean(), z.literal("auto")]).optional(),
  path: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  driver: z.enum(["shim", "fork"]).optional(),
  timeoutMs: z.int().min(100).max(600_000).optional(),
  memoryMb: z.int().min(1).max(65_536).optional(),
  processes: z.int().min(1).max(64).optional(),
  idleMs: z.int().min(10).optional(),
  healthMs: z.int().min(10).optional(),
  stormMs: z.int().min(1).optional(),
  builds: z.string().optional(),
});

export type PobConfig = z.output<typeof pobConfig>;

const shim = fileURLToPath(new URL("../../lua/shim.lua", import.meta.url));
const defaultPath = "~/Projects/pob-api-fork/src";
const wrapper = "HeadlessWrapper.lua";

export const readSettings = ({ config: own, env }: Pick<Host<PobConfig>, "config" | "env">): PobSettings => {
  const home = env.HOME ?? homedir();
  const cwd = sourceFolder(expandPath(own.path ?? nonEmpty(env.POB_FORK_PATH) ?? defaultPath, home));
  const given = ownArguments(own.args ?? splitWords(env.POB_ARGS));
  const variables = readVariables(env);
  const kind = given !== undefined ? "custom" : (own.driver ?? variables.driver ?? detectEngine(cwd));
  const builds = own.builds ?? nonEmpty(env.POB_BUILDS_PATH);
  const timeoutMs = own.timeoutMs ?? variables.timeoutMs;
  const memoryMb = own.memoryMb ?? variables.memoryMb ?? 1_500;
  return {
    enabled: own.enabled ?? variables.enabled ?? false,
    kind,
    command: own.command ?? nonEmpty(env.POB_CMD) ?? "luajit",
    args: given ?? (kind === "fork" ? [wrapper] : [shim]),
    cwd,
    timeoutMs: timeoutMs ?? 10_000,
    loadTimeoutMs: timeoutMs ?? 60_000,
    memoryBytes: memoryMb * 1_048_576,
    mostMemoryBytes: Math.max(2 * memoryMb, 600) * 1_048_576,
    processes: own.processes ?? variables.processes ?? 3,
    idleMs: own.idleMs ?? 30_000,
    healthMs: own.healthMs ?? 15_000,
    stormMs: own.stormMs ?? 30_000,
    buildsFolder: builds === undefined ? undefined : expandPath(builds, home),
    mistakes: variables.mistakes,
    problem: findCheckoutProblem(cwd, kind),
  };
};

/** The documented default of POB_ARGS leaves the choice to what is found, as no value does. */
const ownArguments = (words: readonly string[] | undefined): readonly string[] | undefined =>
  words?.length === 1 && words[0] === wrapper ? undefined : words;

/** Versions of the passive trees that a checkout has; nothing when it has no folder of them. */
export const listTreeVersions = (cwd: string): readonly string[] | undefined => {
  const folder = join(cwd, "TreeData");
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+_\d+/.test(name)) : undefined;
};

/** A fork is known by its API; our shim can drive it as well, when POB_DRIVER says so. */
const detectEngine = (cwd: string): EngineKind => (existsSync(join(cwd, "API", "Server.lua")) ? "fork" : "shim");

/** A leading `~` is the home folder; other paths are taken from the working directory. */
const expandPath = (path: string, home: string): string =>
  resolve(path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : path);

/** The checkout's root and its `src` are both accepted. */
const sourceFolder = (path: string): string => {
  const inside = join(path, "src");
  return !existsSync(join(path, wrapper)) && existsSync(join(inside, wrapper)) ? inside : path;
};

const findCheckoutProblem = (cwd: string, kind: EngineKind): PobSettings["problem"] => {
  const clone = `git clone https://github.com/PathOfBuildingCommunity/PathOfBuilding ${basename(cwd) === "src" ? dirname(cwd) : cwd}`;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return { why: `there is no Path of Building at ${cwd}`, fix: `set POB_FORK_PATH to a checkout, or: ${clone}` };
  }
  if (kind !== "custom" && !existsSync(join(cwd, wrapper))) {
    return {
      why: `${cwd} has no HeadlessWrapper.lua; installed releases leave it out`,
      fix: `set POB_FORK_PATH to a git checkout: ${clone}`,
    };
  }
  return undefined;
};

const nonEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value;

const splitWords = (value: string | undefined): readonly string[] | undefined => nonEmpty(value)?.trim().split(/\s+/);

interface Variables {
  readonly enabled: boolean | "auto" | undefined;
  readonly driver: "shim" | "fork" | undefined;
  readonly timeoutMs: number | undefined;
  readonly memoryMb: number | undefined;
  readonly processes: number | undefined;
  readonly mistakes: readonly VariableProblem[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A type of value: its name in words, an example, and how it is read; `undefined` for a text that is none. */
interface VariableType<A> {
  readonly expected: string;
  readonly example: string;
  readonly read: (nonEmpty: string) => A | undefined;
}

/** The variables that take only some values; one with another value counts as not set, and is reported. */
const readVariables = (env: Environment): Variables => {
  const mistakes: VariableProblem[] = [];
  const read = <A>(name: string, { expected, example, read: meaning }: VariableType<A>): A | undefined => {
    const nonEmpty = env[name]?.trim() ?? "";
    if (nonEmpty === "") return undefined;
    const value = meaning(nonEmpty);
    if (value === undefined) {
      const why = `${name} is ${JSON.stringify(nonEmpty.slice(0, mostShown))}, which is not ${expected}; it counts as not set`;
      mistakes.push({ variable: name, why, fix: `set ${name}=${example}, or unset it, and start again` });
    }
    return value;
  };
  return {
    enabled: read("POB_LUA_ENABLED", onOrOff),
    driver: read("POB_DRIVER", driver),
    timeoutMs: read("POB_TIMEOUT_MS", wholeNumber({ least: 100, most: 600_000, example: "10000" })),
    memoryMb: read("POB_MEMORY_MB", wholeNumber({ least: 300, most: 65_536, example: "1500" })),
    processes: read("POB_PROCESSES", wholeNumber({ least: 1, most: 64, example: "3" })),
    mistakes,
  };
};

const mostShown = 40;

const onOrOff: VariableType<boolean | "auto"> = {
  expected: "true, false or auto",
  example: "true",
  read: (nonEmpty) => {
    if (nonEmpty.toLowerCase() === "auto") return "auto";
    const on = ["true", "1"].includes(nonEmpty.toLowerCase());
    return on || ["false", "0"].includes(nonEmpty.toLowerCase()) ? on : undefined;
  },
};

const driver: VariableType<"shim" | "fork"> = {
  expected: "shim or fork",
  example: "shim",
  read: (nonEmpty) => (nonEmpty === "shim" || nonEmpty === "fork" ? nonEmpty : undefined),
};

interface NumberRange {
  readonly least: number;
  readonly most: number;
  readonly example: string;
}

const wholeNumber = ({ least, most, example }: NumberRange): VariableType<number> => ({
  expected: `a whole number from ${least} to ${most}`,
  example,
  read: (nonEmpty) => {
    const value = /^\d{1,9}$/.test(nonEmpty) ? Number(nonEmpty) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  },
});
