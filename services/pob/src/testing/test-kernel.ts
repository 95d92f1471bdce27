/** What the tests of this service share: a small build for the stand-in engine, and a kernel with the service. Not part of it. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type MemoryKernel, type MemoryOptions, openMemoryKernel } from "@fairlead/kernel/memory";
import { expect } from "vitest";
import service from "../service.ts";

const engines = fileURLToPath(new URL("./engine/", import.meta.url));

/** Tests that need LuaJIT are skipped, with one line, where there is none. */
export const hasLuajit = spawnSync("luajit", ["-v"]).status === 0;
if (!hasLuajit) process.stderr.write("skipped: tests that run Lua, because luajit is not installed\n");

export interface BuildParts {
  readonly level?: number;
  readonly nodes?: readonly number[];
  readonly masteries?: string;
  readonly treeVersion?: string;
  readonly classId?: number;
  readonly targetVersion?: string;
  readonly gem?: string;
  readonly notes?: string;
}

export const buildXml = (parts: BuildParts = {}): string => {
  const {
    level = 20,
    nodes = [1, 10, 11, 40],
    masteries = "{40,101}",
    treeVersion = "3_28",
    classId = 3,
    targetVersion = "3_0",
    gem = "Arc",
  } = parts;
  return `<?xml version="1.0" encoding="UTF-8"?>
<PathOfBuilding>
<Build level="${level}" targetVersion="${targetVersion}" className="Witch" ascendClassName="None" mainSocketGroup="1"><PlayerStat stat="Life" value="301.5"/></Build>
<Tree activeSpec="1"><Spec treeVersion="${treeVersion}" classId="${classId}" ascendClassId="0" nodes="${nodes.join(",")}" masteryEffects="${masteries}"/></Tree>
<Skills activeSkillSet="1"><SkillSet id="1"><Skill enabled="true" slot="Body Armour" label="main"><Gem nameSpec="${gem}" level="10" quality="0" enabled="true"/></Skill></SkillSet></Skills>
<Items activeItemSet="1"><Item id="1">
Rarity: RARE
Test Wand
Driftwood Wand
30% increased Spell Damage
+20 to maximum Life
</Item><ItemSet id="1"><Slot name="Weapon 1" itemId="1"/></ItemSet></Items>
<Config><Input name="enemyIsBoss" string="None"/></Config>
<Notes>${parts.notes ?? "for tests"}</Notes>
</PathOfBuilding>`;
};

interface Details {
  readonly checks: unknown;
  readonly sessions: readonly { readonly pid: number | null; readonly diagnostics: { readonly stderr: string[] } }[];
}

const kernels: MemoryKernel[] = [];

export interface PobTestKernel {
  call(name: string, input?: object, options?: MemoryOptions): Promise<unknown>;
  /** All that a subscription gives until it ends. */
  collect(name: string, input?: object): Promise<readonly unknown[]>;
  /** The value, or the error as text. */
  callForError(name: string, input?: object, options?: MemoryOptions): Promise<Readonly<Record<string, unknown>>>;
  /** What `fairlead doctor` would show of the service. */
  checks(): Promise<unknown>;
  /** Why it is degraded, and what would fix it; null when it is not. */
  degraded(): Promise<unknown>;
  /** The first states that its process went through, as events reported them. */
  states(count: number): Promise<readonly unknown[]>;
  /** How many processes run. */
  processes(): Promise<number>;
  /** Process group of the first process. */
  pid(): Promise<number>;
  /** What the process that was used last printed to standard error. */
  printed(): Promise<readonly string[]>;
}

/** A kernel with this service over one of the stand-ins; closed by `closeTestKernels`. */
export const openTestKernel = (
  checkout: string,
  env: Readonly<Record<string, string>> = {},
  config: Readonly<Record<string, unknown>> = {},
): PobTestKernel => {
  const kernel = openMemoryKernel([service], {
    config: { pob: config },
    env: { PATH: process.env.PATH, POB_LUA_ENABLED: "true", POB_FORK_PATH: `${engines}${checkout}`, ...env },
  });
  kernels.push(kernel);
  const details = async () => {
    const reply = await kernel.call("kernel.info", { service: "pob" });
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    return (reply.value as { details: Details }).details;
  };
  return {
    call: async (name, input = {}, options) => {
      const reply = await kernel.call(`pob.${name}`, input, options);
      if (reply.ok) return reply.value;
      throw new Error(JSON.stringify(reply.error));
    },
    collect: async (name, input = {}) => {
      const opened = await kernel.subscribe(`pob.${name}`, input);
      if (!opened.ok) throw new Error(JSON.stringify(opened.error));
      const values: unknown[] = [];
      for await (const { value } of opened.items) values.push(value);
      return values;
    },
    callForError: async (name, input = {}, options) => {
      const reply = await kernel.call(`pob.${name}`, input, options);
      return reply.ok ? { answered: reply.value } : { ...reply.error };
    },
    states: async (count) => {
      const opened = await kernel.subscribe("kernel.events", { after: 0, types: ["child.state"] });
      if (!opened.ok) throw new Error(JSON.stringify(opened.error));
      const states: unknown[] = [];
      for await (const { value } of opened.items) {
        states.push((value as { data: { state: unknown } }).data.state);
        if (states.length === count) break;
      }
      return states;
    },
    degraded: async () => {
      const reply = await kernel.call("kernel.services", {});
      if (!reply.ok) throw new Error(JSON.stringify(reply.error));
      const { services } = reply.value as { services: readonly { id: string; degraded: unknown }[] };
      return services.find(({ id }) => id === "pob")?.degraded;
    },
    checks: async () => (await details()).checks,
    pid: async () => {
      const pid = (await details()).sessions[0]?.pid;
      if (typeof pid !== "number") throw new Error("no process runs");
      return pid;
    },
    printed: async () => (await details()).sessions.at(-1)?.diagnostics.stderr ?? [],
    processes: async () => (await details()).sessions.filter(({ pid }) => pid !== null).length,
  };
};

export const closeTestKernels = async (): Promise<void> => {
  await Promise.all(kernels.splice(0).map((kernel) => kernel.close()));
};

export const load = (kernel: PobTestKernel, xml = buildXml()): Promise<unknown> =>
  kernel.call("luaLoadBuild", { build_xml: xml, name: "test" });

/** The one stat that most tests look at, and how an answer with it looks. */
export const dps = (kernel: PobTestKernel): Promise<unknown> => kernel.call("luaGetStats", { fields: ["TotalDPS"] });
export const only = (value: number) => ({ stats: { TotalDPS: expect.closeTo(value) } });
