/**
 * What Path of Building's bridge costs on top of what it computes: a warm call against the bare request to the same Lua and against
 * the kernel's own path, and the ranking of two hundred nodes with one process and with two.
 *
 * Lua runs the stand-in, whose nodes take a few milliseconds each. Wall time on a busy machine says little about the ranking, so
 * the processor time of the copies is shown too: two workers may not need much more of it than one.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { lineProtocol, makeSubprocess, type RequestOptions, type Subprocess } from "@fairlead/kernel/subprocess";
import pob from "@fairlead/service-pob";
import * as Effect from "effect/Effect";

const room = fileURLToPath(new URL("../../services/pob/", import.meta.url));
const checkout = `${room}src/testing/engine/stock/src`;
const xml = readFileSync(new URL("field.xml", import.meta.url), "utf8");
const rounds = 2_000;

/** Microseconds of the fastest and the median call. */
const timed = async (name: string, once: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const started = process.hrtime.bigint();
    await once();
    times.push(Number(process.hrtime.bigint() - started) / 1_000);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [least = 0, median = 0] = [sorted[0], sorted[Math.floor(rounds / 2)]];
  process.stdout.write(`${name.padEnd(34)} least ${least.toFixed(0)} us, median ${median.toFixed(0)} us\n`);
  return median;
};

interface Ranking {
  readonly answer: string;
  readonly wallMs: number;
  /** Processor time of all copies together. */
  readonly processorMs: number;
}

const ranking = async (lua: Subprocess, workers: number): Promise<Ranking> => {
  const params = { stat: "TotalDPS", maxPoints: 2, limit: 500, workers };
  let seconds: readonly number[] = [];
  const onPart: RequestOptions["onPart"] = ({ part }) => {
    seconds = (part as { readonly seconds?: readonly number[] }).seconds ?? [];
  };
  const started = performance.now();
  const { value } = await lua.ask({ call: "rank", params }, { timeoutMs: 120_000, onPart });
  const wallMs = performance.now() - started;
  return {
    answer: JSON.stringify(value),
    wallMs,
    processorMs: 1_000 * seconds.reduce((total, each) => total + each, 0),
  };
};

/** One worker and two in turn, so that both meet the same neighbours; the least of each counts. */
const benchRanking = async (lua: Subprocess): Promise<void> => {
  const runs = { one: [] as Ranking[], two: [] as Ranking[] };
  for (let i = 0; i < 10; i++) {
    runs.one.push(await ranking(lua, 1));
    runs.two.push(await ranking(lua, 2));
  }
  const least = (list: readonly Ranking[], what: "wallMs" | "processorMs"): number =>
    list.reduce((best, each) => Math.min(best, each[what]), Number.POSITIVE_INFINITY);
  for (const [name, list] of Object.entries(runs)) {
    const [wall, processor] = [least(list, "wallMs"), least(list, "processorMs")];
    process.stdout.write(`ranking with ${name}: least ${wall.toFixed(0)} ms, processor ${processor.toFixed(0)} ms\n`);
  }
  const same = new Set([...runs.one, ...runs.two].map(({ answer }) => answer)).size === 1;
  const faster = least(runs.one, "wallMs") / least(runs.two, "wallMs");
  process.stdout.write(`${same ? "the same answer" : "ANOTHER ANSWER"}, ${faster.toFixed(2)} times faster\n`);
};

const benchLua = (lua: Subprocess) => async (): Promise<number> => {
  await lua.start();
  await lua.ask({ call: "load", params: { xml, nodes: [] } });
  await benchRanking(lua);
  return await timed("the same two requests to bare Lua", async () => {
    await lua.ask({ call: "stats", params: { fields: ["Life"] } });
    await lua.ask({ call: "tree", params: {} });
  });
};

export const benchPob = async (): Promise<void> => {
  const bare = await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const lua = yield* makeSubprocess({
          name: "lua",
          command: "luajit",
          args: [`${room}lua/shim.lua`],
          cwd: checkout,
          dialect: lineProtocol({ protocol: "pob", versions: [1], inFlight: 1 }),
        });
        return yield* Effect.promise(benchLua(lua));
      }),
    ),
  );
  const kernel = openMemoryKernel([pob], {
    env: { PATH: process.env.PATH, POB_LUA_ENABLED: "true", POB_FORK_PATH: checkout },
  });
  await kernel.call("pob.luaLoadBuild", { build_xml: xml });
  const path = await timed("the kernel's own path (ping)", () => kernel.call("kernel.ping", { service: "pob" }));
  const whole = await timed("lua_get_stats of one field", () => kernel.call("pob.luaGetStats", { fields: ["Life"] }));
  process.stdout.write(
    `over bare Lua ${(whole - bare).toFixed(0)} us, of which the kernel's path ${path.toFixed(0)} us\n`,
  );
  await kernel.close();
};
