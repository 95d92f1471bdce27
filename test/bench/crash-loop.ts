/**
 * What a child that crashes all the time costs the other services: the latency of a call of theirs over HTTP, with every process quiet and
 * with one of Path of Building's stand-ins killed, started and given its build again without end. Rounds are taken in turn.
 */

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineContract, query } from "@fairlead/contracts";
import { makeLog, openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import pob from "@fairlead/service-pob";
import * as z from "zod";

const rounds = 6;
const callsARound = 500;
const checkout = fileURLToPath(new URL("../../services/pob/src/testing/engine/stock/src", import.meta.url));
const build_xml = readFileSync(new URL("field.xml", import.meta.url), "utf8");
/** Allocating this node ends the stand-in's process. */
const deadly = { classId: 3, ascendClassId: 0, nodes: [9001] };

const bystander = defineContract({
  id: "bystander",
  version: "1.0.0",
  summary: "Is asked while others crash.",
  procedures: {
    add: query({
      summary: "Adds.",
      input: z.object({ a: z.int().describe("One."), b: z.int().describe("The other.") }),
      output: z.object({ sum: z.int().describe("Both together.") }),
    }),
  },
});

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

export const benchCrashLoop = async (): Promise<void> => {
  const state = await mkdtemp(join(tmpdir(), "fairlead-bench-"));
  const kernel = await openKernel({
    root: state,
    env: { PATH: process.env.PATH, POB_LUA_ENABLED: "true", POB_FORK_PATH: checkout },
    flags: { port: 0, stateDir: state },
    services: [pob, defineService(bystander, () => ({ handlers: { add: ({ a, b }) => ({ sum: a + b }) } }))],
    log: makeLog({ level: "error", write: () => {} }),
  });
  const url = `http://127.0.0.1:${(await kernel.serve()).port}/api/bystander/add?a=1&b=2`;
  const memory = kernel.connect();
  const ask = async (): Promise<number> => {
    const started = process.hrtime.bigint();
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`a bystander was refused: ${answer.status}`);
    return Number(process.hrtime.bigint() - started) / 1_000;
  };
  let crashes = 0;
  const crashUntil = async (over: () => boolean): Promise<void> => {
    await memory.call("pob.luaLoadBuild", { build_xml });
    while (!over()) {
      const reply = await memory.call("pob.luaSetTree", deadly);
      if (reply.ok) throw new Error("the stand-in survived");
      crashes++;
      if (reply.error.message.includes("is down")) await memory.call("pob.luaStart", {});
    }
  };
  const measure = async (into: number[]): Promise<void> => {
    for (let i = 0; i < callsARound; i++) into.push(await ask());
  };
  const [quiet, stormy]: [number[], number[]] = [[], []];
  await measure([]);
  for (let round = 0; round < rounds; round++) {
    await measure(quiet);
    let over = false;
    const storm = crashUntil(() => over);
    await measure(stormy);
    over = true;
    await storm;
  }
  for (const [name, times] of [
    ["quiet", quiet],
    ["while a child crashes", stormy],
  ] as const) {
    const sorted = times.toSorted((a, b) => a - b);
    const shown = [0.5, 0.9, 0.99].map((share) => `${(share * 100).toFixed(0)}%: ${at(sorted, share).toFixed(0)} us`);
    process.stdout.write(`${name.padEnd(24)} ${shown.join(", ")}\n`);
  }
  process.stdout.write(`${crashes} crashes in ${rounds * callsARound} calls\n`);
  await kernel.close();
  await rm(state, { recursive: true, force: true });
};
