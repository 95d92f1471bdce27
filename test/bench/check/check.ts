/**
 * `npm run bench -- --check [words of rows]`: fails where something of ours has become more than 15 % dearer than `docs/bench.json` says, as a ratio of
 * CPU time to the least that can do the same. `--record` writes that file.
 *
 * Up to three runs, each with processes of its own: what a run finds dearer is measured again, and the least of all rounds counts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isFailure, judge, type Machine, type Recorded, ratioIn, toLine, type Verdict } from "./judge.ts";
import { type Row, rows, type SideName } from "./rows.ts";
import { openSides } from "./sides.ts";

const runs = 3;
const rounds = Number(process.env.BENCH_ROUNDS ?? 16);
/** Rounds that are not counted: V8 goes on compiling for some 25,000 requests, and a server's first ten rounds are up to twice as dear. */
const warmUp = Number(process.env.BENCH_WARM_UP ?? 20);

const file = process.env.BENCH_TABLE ?? fileURLToPath(new URL("../../../docs/bench.json", import.meta.url));

const machine: Machine = { node: process.versions.node.split(".")[0] ?? "", arch: process.arch };

const readTable = (): Recorded => JSON.parse(readFileSync(file, "utf8")) as Recorded;

const measured = new Map<SideName, number[]>();

/** One more run of these rows, in new processes; what it finds is added. */
const run = async (wanted: readonly Row[]): Promise<void> => {
  const needed = [...new Set(wanted.flatMap(({ side, limit }) => [side, limit]))];
  const sides = await openSides(needed);
  try {
    for (let index = -warmUp; index < rounds; index += 1) {
      for (const side of needed) {
        const micros = await sides.measure(side);
        if (index >= 0) measured.set(side, [...(measured.get(side) ?? []), micros]);
      }
    }
  } finally {
    sides.close();
  }
};

const choose = (words: readonly string[]): readonly Row[] =>
  words.length === 0 ? rows : rows.filter(({ name }) => words.some((word) => name.includes(word)));

/** Resolves with whether nothing failed. */
export const checkBench = async (words: readonly string[]): Promise<boolean> => {
  const against = readTable();
  const wanted = choose(words);
  if (wanted.length === 0) {
    console.error(
      `no row has ${words.join(" or ")} in its name; there are\n${rows.map(({ name }) => name).join("\n")}`,
    );
    return false;
  }
  const verdicts = new Map<string, Verdict>();
  let open = wanted;
  for (let left = runs; left > 0 && open.length > 0; left -= 1) {
    await run(open);
    for (const verdict of judge(open, measured, against, machine)) verdicts.set(verdict.name, verdict);
    // What is within the bound is judged: a later run may find a limit cheaper, and would then have to measure ours again.
    open = open.filter(({ name }) => isOpen(verdicts.get(name)));
  }
  for (const verdict of verdicts.values()) console.log(toLine(verdict));
  return ![...verdicts.values()].some(isFailure);
};

/** True where another run may say more. */
const isOpen = (verdict: Verdict | undefined): boolean =>
  verdict?.outcome === "dearer" || verdict?.outcome === "restless";

/**
 * Writes the table: of each row the dearest of three runs, since what is checked is the least of as many. With `again` a row that is dearer in the table
 * stays as it is: once on a quiet machine and once on a busy one, and the table holds for both.
 */
export const recordBench = async (again: boolean): Promise<void> => {
  const before: Readonly<Record<string, number>> = again ? readTable().rows : {};
  const dearest = new Map(rows.map(({ name }) => [name, before[name] ?? 0]));
  for (let index = 0; index < runs; index += 1) {
    measured.clear();
    await run(rows);
    for (const row of rows) dearest.set(row.name, Math.max(dearest.get(row.name) ?? 0, ratioIn(row, measured)));
    const ratios = rows.map((row) => `${ratioIn(row, measured).toFixed(2)}`);
    console.log(ratios.join("  "));
  }
  const ratios = Object.fromEntries([...dearest].map(([name, ratio]) => [name, Number(ratio.toFixed(2))]));
  const recorded: Recorded = { ...machine, recorded: new Date().toISOString().slice(0, 10), rows: ratios };
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
  for (const { name } of rows) console.log(`${ratios[name]?.toFixed(2).padStart(6)}  ${name}`);
};
