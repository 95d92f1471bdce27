/**
 * Three workloads at 1,000,000 rows (jsonata: 20,000) against a hand-written loop, alternated with it in one process for each
 * contender, so that no loop meets the other's objects. CPU time of the main thread, garbage collected in between; the ratio is the
 * median of the rounds', so that a machine that is slow for a while is slow for both. Then how long a question takes to compile.
 * `node --expose-gc --conditions=@fairlead/source bench/main.ts [rows] [rounds]`
 */

import { spawnSync } from "node:child_process";
import { check, contextFor, dynamic, rowScope, runQuery } from "@fairlead/linq";
import { contenders, inspectorOver } from "./contenders.ts";
import { fetchPeers } from "./peers.ts";
import { entities, type Name, names, workloads } from "./workloads.ts";

const [, , rowsText = "1000000", roundsText = "9", chosen] = process.argv;
const count = Number(rowsText);
const rounds = Number(roundsText);

/** jsonata's grouping is quadratic. */
const most = (contender: string): number => (contender === "jsonata" ? Math.min(count, 20_000) : count);

/** Milliseconds of CPU time of one run; repeated until the coarse clock can measure it. */
const cpu = async (run: () => unknown): Promise<number> => {
  globalThis.gc?.();
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    await run();
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= 80) return ms / runs;
  }
};

const best = (times: readonly number[]): number => Math.min(...times);
const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

const sorted = (rows: readonly unknown[]): readonly string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row as object).sort())).sort();

const ratios = async (title: string): Promise<string> => {
  const make = contenders[title];
  if (make === undefined) throw new Error(`No contender '${title}'`);
  const { rows, run } = await make(entities(most(title)));
  const cells = [];
  for (const name of names) {
    const { loop } = workloads[name];
    const { rows: answer, path } = await run(name);
    if (sorted(answer).join() !== sorted(loop(rows)).join()) throw new Error(`${title} answers ${name} wrongly`);
    const ofRounds: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const limit = await cpu(() => loop(rows));
      const time = await cpu(() => run(name));
      times.push(time);
      ofRounds.push(time / limit);
    }
    cells.push(
      `${median(ofRounds).toFixed(2).padStart(7)} (${best(times).toFixed(1)} ms)${path === undefined ? "" : ` ${path}`}`,
    );
  }
  return `${title.padEnd(25)} ${String(rows.length).padStart(9)} ${cells.map((cell) => cell.padEnd(28)).join("")}`;
};

/** Microseconds of many runs: the first, the median, the best. */
const micros = (run: () => void): string => {
  const times = Array.from({ length: 300 }, () => {
    const start = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - start) / 1000;
  });
  return `first ${times[0]?.toFixed(0)} µs, median ${median(times).toFixed(0)} µs, best ${best(times).toFixed(0)} µs`;
};

const compiling = (): readonly string[] => {
  const rows = entities(2_000);
  const settings = inspectorOver(rows, "object");
  const { where = "", orderBy = "", select = "" } = workloads.A.query;
  const context = contextFor(settings);
  const compile = (): void => {
    for (const text of [where, orderBy, select]) check(text, rowScope(dynamic), context);
  };
  const whole = (): void => void runQuery({ from: "Rows", ...workloads.A.query }, settings);
  return [
    `compile A (parse and check)                     ${micros(compile)}`,
    `A over 2,000 rows, compiled, generated and run  ${micros(whole)}`,
  ];
};

const heading = (): void => {
  console.log(`node ${process.version}; ratio to the hand-written loop, median of ${rounds} rounds (best CPU time)`);
  for (const name of names) console.log(`  ${name}: ${workloads[name satisfies Name].title}`);
  console.log(`${"".padEnd(25)} ${"rows".padStart(9)} ${names.map((name) => name.padStart(7).padEnd(28)).join("")}`);
};

if (chosen === undefined) {
  fetchPeers();
  heading();
  for (const title of Object.keys(contenders)) {
    const here = [import.meta.filename, rowsText, roundsText, title];
    // Rows are read by a generated loop where V8 reads natives, and with care elsewhere.
    for (const flags of title.startsWith("fairlead") ? [["--allow-natives-syntax"], []] : [[]])
      spawnSync(process.execPath, [...process.execArgv, ...flags, ...here], { stdio: "inherit" });
  }
  for (const line of compiling()) console.log(line);
} else console.log(await ratios(chosen));
