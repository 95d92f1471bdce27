/**
 * Path of Building by every way in: HTTP, tRPC, MCP and the generated client meet the same session, the same refusals and the same
 * recovery. Lua runs a stand-in for Path of Building; the real one is proved by `pob-real.ts`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { createClient, fetchTransport } from "@fairlead/client";
import { type PobTypes, pob as pobDescriptor } from "@fairlead/client/pob";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import pob from "@fairlead/service-pob";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createTRPCUntypedClient, httpLink } from "@trpc/client";
import { afterEach, describe, expect, it } from "vitest";
import { repository } from "./command.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const hasLuajit = spawnSync("luajit", ["-v"]).status === 0;
if (!hasLuajit)
  process.stderr.write("skipped: tests of Path of Building by every way in, because luajit is not installed\n");

interface Refusal {
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
}

/** A procedure's answer, or its refusal as the wire's envelope. */
type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: Refusal };
type Ask = (procedure: string, input?: object) => Promise<Answer>;
type Way = (url: string) => Promise<Ask>;

const refused = (error: unknown): Answer => ({ ok: false, error: error as Refusal });
const queries: ReadonlySet<string> = new Set(
  Object.entries(pob.contract.procedures).flatMap(([name, { kind }]) => (kind === "query" ? [name] : [])),
);

const byHttp: Way =
  async (url) =>
  async (procedure, input = {}) => {
    const answer = await fetch(`${url}/api/pob/${procedure}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    const body: unknown = await answer.json();
    return answer.ok ? { ok: true, value: body } : refused(body);
  };

const byTrpc: Way = async (url) => {
  const client = createTRPCUntypedClient({ links: [httpLink({ url: `${url}/trpc`, methodOverride: "POST" })] });
  return async (procedure, input = {}) => {
    const path = `pob.${procedure}`;
    try {
      return {
        ok: true,
        value: await (queries.has(procedure) ? client.query(path, input) : client.mutation(path, input)),
      };
    } catch (error) {
      return refused((error as { readonly data: { readonly error: unknown } }).data.error);
    }
  };
};

const byMcp: Way = async (url) => {
  const client = new Client({ name: "pob", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return async (procedure, input = {}) => {
    try {
      const name = procedure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const { structuredContent: value, isError, _meta } = await client.callTool({ name, arguments: { ...input } });
      if (isError === true) return refused(_meta?.["fairlead/error"]);
      const wrapped = typeof value === "object" && value !== null && Object.keys(value).join() === "value";
      return { ok: true, value: wrapped && "value" in value ? value.value : value };
    } catch (error) {
      return refused(error);
    }
  };
};

const byClient: Way = async (url) => {
  const client = createClient<PobTypes>(pobDescriptor, fetchTransport({ url }), { retry: false });
  const procedures = client as unknown as Readonly<Record<string, (input: object) => Promise<unknown>>>;
  return async (procedure, input = {}) => {
    try {
      return { ok: true, value: await procedures[procedure]?.(input) };
    } catch (error) {
      return refused(error);
    }
  };
};

/** A build of the marauder beside the field, whose two hundred nodes take a while to rank. */
const fieldBuild =
  '<PathOfBuilding><Build level="20" targetVersion="3_0"/><Tree><Spec treeVersion="3_28" classId="1" nodes="2"/></Tree></PathOfBuilding>';

const build = (nodes: readonly number[]): string =>
  `<PathOfBuilding><Build level="20" targetVersion="3_0" className="Witch" ascendClassName="None" mainSocketGroup="1"/>
<Tree activeSpec="1"><Spec treeVersion="3_28" classId="3" ascendClassId="0" nodes="${nodes.join()}"/></Tree>
<Skills><SkillSet id="1"><Skill enabled="true"><Gem nameSpec="Arc" level="10" enabled="true"/></Skill></SkillSet></Skills>
</PathOfBuilding>`;

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

const open = async (way: Way, env: Readonly<Record<string, string>> = {}) => {
  const state = mkdtempSync(join(tmpdir(), "fairlead-pob-"));
  const checkout = join(repository, "services/pob/src/testing/engine/stock");
  const kernel = await openKernel({
    root: state,
    env: { PATH: process.env.PATH, POB_LUA_ENABLED: "true", POB_FORK_PATH: checkout, FAIRLEAD_LAG_MS: "60000", ...env },
    flags: { port: 0, stateDir: state },
    services: [pob],
    log: makeLog({ level: "error", write: () => {} }),
  });
  close = async () => {
    await kernel.close();
    rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  };
  const url = `http://127.0.0.1:${(await kernel.serve()).port}`;
  return { kernel, url, ask: await way(url) };
};

const kernelSays = async <T>(kernel: Kernel, procedure: string, input: object): Promise<T> => {
  const reply = await kernel.connect().call(`kernel.${procedure}`, input);
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as T;
};

/** Ends LuaJIT itself, not what contains it, once the call has reached it. */
const killLua = async (kernel: Kernel, procedure: string): Promise<void> => {
  const underWay = async (): Promise<boolean> => {
    const { procedures } = await kernelSays<{ procedures: { procedure: string; running: number }[] }>(
      kernel,
      "stats",
      {},
    );
    return procedures.some((one) => one.procedure === `pob.${procedure}` && one.running > 0);
  };
  while (!(await underWay())) await turn();
  await killNow(kernel);
};

const killNow = async (kernel: Kernel): Promise<void> => {
  process.kill(await findLua(kernel), "SIGKILL");
};

const findLua = async (kernel: Kernel): Promise<number> => {
  const { details } = await kernelSays<{ details: { sessions: { pid: number }[] } }>(kernel, "info", {
    service: "pob",
  });
  return luaBelow(details.sessions[0]?.pid ?? Number.NaN);
};

const luaBelow = (pid: number): number => {
  if (process.platform !== "linux") return pid;
  if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "luajit") return pid;
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return luaBelow(Number(child));
};

const ways: readonly (readonly [name: string, way: Way])[] = [
  ["HTTP", byHttp],
  ["tRPC", byTrpc],
  ["MCP", byMcp],
  ["the generated client", byClient],
];

const hang = { classId: 3, ascendClassId: 0, nodes: [9002] };
const stats = (values: object) => ({ ok: true, value: { stats: values } });

describe.each(ways.filter((_, at) => inLongTier || at === 2))("by %s", (_name, way) => {
  it.runIf(hasLuajit)("loads, reads, changes and tries a build, and stops", async () => {
    const { ask } = await open(way);
    expect(await ask("luaStart")).toMatchObject({ ok: true, value: expect.stringContaining("was started") });
    expect(await ask("luaLoadBuild", { build_xml: build([1, 10, 11]) })).toMatchObject({
      ok: true,
      value: { level: 20 },
    });
    const fields = ["Life", "SpellDamageInc"];
    const before = { Life: 278, SpellDamageInc: 16 };
    expect(await ask("luaGetStats", { fields })).toMatchObject(stats(before));
    const whatIf = await ask("luaCalcWith", { addNodes: [12], fields });
    const change = { name: "SpellDamageInc", old: 16, new: 36, delta: 20 };
    expect(whatIf).toMatchObject({ ok: true, value: { changes: [change], dropped: [] } });
    expect(await ask("luaGetStats", { fields })).toMatchObject(stats(before));
    expect(await ask("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [10, 20, 777] })).toMatchObject({
      ok: true,
      value: { tree: { nodes: [1, 10, 20] }, added: [1], dropped: [{ node: 777, why: "unknown" }] },
    });
    expect(await ask("luaGetStats", { fields })).toMatchObject(stats({ Life: 288, SpellDamageInc: 8 }));
    expect(await ask("luaLoadBuild", { build_xml: "garbage" })).toMatchObject({
      ok: false,
      error: { reason: "bad_build" },
    });
    for (const said of ["was stopped", "was not running"])
      expect(await ask("luaStop")).toMatchObject({ ok: true, value: expect.stringContaining(said) });
  });

  if (inLongTier) {
    it.runIf(hasLuajit)(
      "a killed process fails its call at once, with the signal and what to do; the next call works",
      async () => {
        const { ask, kernel } = await open(way, { POB_TIMEOUT_MS: "600000" });
        await ask("luaLoadBuild", { build_xml: build([1, 10, 11]) });
        await ask("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [10] });
        const pending = ask("luaSetTree", hang);
        await killLua(kernel, "luaSetTree");
        expect(await pending).toMatchObject({
          ok: false,
          error: { code: "unavailable", message: expect.stringContaining("SIGKILL"), hint: expect.any(String) },
        });
        const next = { stats: { SpellDamageInc: 8 }, meta: { recovered: true } };
        expect(await ask("luaGetStats", { fields: ["SpellDamageInc"] })).toMatchObject({ ok: true, value: next });
        expect(await ask("luaGetStats")).toMatchObject({ ok: true, value: { meta: { recovered: false } } });
      },
    );
  }

  it("without Path of Building, the service is degraded and says what would fix it; reading builds works", async () => {
    const { ask, kernel } = await open(way, { POB_FORK_PATH: "/no/such/checkout" });
    expect(await ask("luaGetStats")).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("/no/such/checkout"), hint: expect.stringContaining("git clone") },
    });
    expect(await ask("parseBuild", { source: { build: build([1]) } })).toMatchObject({
      ok: true,
      value: { level: 20 },
    });
    const { services } = await kernelSays<{ services: { id: string; degraded: unknown }[] }>(kernel, "services", {});
    expect(services.find(({ id }) => id === "pob")?.degraded).toMatchObject({
      why: expect.any(String),
      fix: expect.any(String),
    });
  });

  it("switched off, the lua tools are refused", async () => {
    const { ask } = await open(way, { POB_LUA_ENABLED: "false" });
    const refusal = { ok: false, error: { message: expect.any(String) } };
    expect(await ask("luaStart")).toMatchObject(refusal);
    expect(await ask("validateBuild", { build: build([1]) })).toMatchObject({ ok: true, value: { valid: true } });
  });
});

if (inLongTier) {
  it.runIf(hasLuajit)(
    "the generated client as it comes repeats a query that was killed, and the answer shows it",
    async () => {
      const { url, kernel } = await open(byHttp);
      const client = createClient<PobTypes>(pobDescriptor, fetchTransport({ url }));
      await client.luaLoadBuild({ build_xml: fieldBuild });
      /** Ranks, and kills the process at the first sign of progress; the answer may be on its way by then. */
      const rankKilled = async (): Promise<boolean> => {
        // Starts it again after a kill that came too late.
        await client.luaGetStats({});
        // Found before: by the time of a question to the kernel the ranking may be over.
        const lua = await findLua(kernel);
        let killed = false;
        const onProgress = (): void => {
          killed ||= process.kill(lua, "SIGKILL");
        };
        const { candidates, meta } = await client.luaRankNodes({ stat: "TotalDPS", maxPoints: 2 }, { onProgress });
        expect({ candidates, killed }).toEqual({ candidates: 203, killed: true });
        return meta.recovered;
      };
      for (let left = 4; !(await rankKilled()); left -= 1) expect(left).toBeGreaterThan(1);
    },
  );
}

it.runIf(hasLuajit)("one principal never sees the build of another", async () => {
  const { kernel } = await open(byHttp);
  const [ada, bob] = ["ada", "bob"].map((id) => kernel.connect({ id, access: ["read", "call"] }));
  expect(await ada?.call("pob.luaLoadBuild", { build_xml: build([1]) })).toMatchObject({ ok: true });
  expect(await bob?.call("pob.luaGetStats", {})).toMatchObject({ ok: false, error: { reason: "not_loaded" } });
  expect(await ada?.call("pob.luaGetStats", {})).toMatchObject({ ok: true });
});

describe("what is listed", () => {
  const toolsOf = async (enabled: string): Promise<readonly string[]> => {
    const { url } = await open(byHttp, { POB_LUA_ENABLED: enabled });
    const client = new Client({ name: "pob", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/pob`)));
    return (await client.listTools()).tools.map(({ name }) => name);
  };

  it("has the lua tools with the flag on", async () => {
    const wanted = [
      "lua_start",
      "lua_stop",
      "lua_load_build",
      "lua_get_stats",
      "lua_get_tree",
      "lua_set_tree",
      "lua_calc_with",
    ];
    expect(await toolsOf("true")).toEqual(expect.arrayContaining(wanted));
  });

  it("has none of them with the flag off", async () => {
    const tools = await toolsOf("false");
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.filter((name) => name.startsWith("lua_"))).toEqual([]);
  });

  it.each(
    (
      [
        ["true", true],
        ["false", false],
      ] as const
    ).filter((_, at) => inLongTier || at % 2 === 0),
  )("with the flag %s, the OpenAPI document is the same as what is offered", async (enabled, offered) => {
    const { url } = await open(byHttp, { POB_LUA_ENABLED: enabled });
    const text = await (await fetch(`${url}/openapi.json`)).text();
    expect(text.includes("/api/pob/parseBuild")).toBe(true);
    expect(/\blua[A-Z_]/.test(text)).toBe(offered);
  });
});
