/**
 * How long a foreign program's loop waits while it is inspected: `node --conditions=@fairlead/source bench/gaps.ts [rows] [heavy|hostile]`. The gaps are
 * measured in the program itself, for each question and for as long without any; the longest ones of an idle program are the machine's own. At the end a
 * histogram: of how many questions the longest gap was so long, and of how many of those above 10 ms it was no longer without the collector's stops.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { defaultLimits } from "@fairlead/linq/limits";
import { RemoteProcess } from "../src/remote/remote-process.ts";
import { first, heavy, hostile, type Question } from "./gap-questions.ts";

const [rows = "1000000", only] = process.argv.slice(2);
const child = fork(fileURLToPath(new URL("./gaps-target.ts", import.meta.url)), [rows], {
  execArgv: ["--conditions=@fairlead/source", "--inspect=127.0.0.1:0"],
  silent: true,
});
let said = "";
child.stderr?.on("data", (chunk) => {
  said += String(chunk);
});
await once(child, "message");
const address = /ws:\/\/([\d.]+:\d+)\//.exec(said)?.[1] ?? "";
const limits = { ...defaultLimits, wallMs: 60_000, fuelPerQuery: 1e9, items: 50_000_000 };
const open = (place: string, names: readonly string[], most = limits): RemoteProcess => {
  const roots = Object.fromEntries(names.map((name) => [name, `${place}.${name}`]));
  return new RemoteProcess({ address, timeoutMs: 120_000, roots, limits: most });
};
const { signal } = new AbortController();

/** A gap above 10 ms: its CPU time, how long it was by the clock, and how much of that the collector had stopped the program. */
type LongGap = readonly [cpu: number, clock: number, collector: number];

interface Gaps {
  readonly counts: readonly (readonly [ms: number, times: number])[];
  readonly longest: readonly LongGap[];
}

const gaps = async (): Promise<Gaps> => {
  child.send("gaps");
  const [{ counts, longest }] = (await once(child, "message")) as [Gaps];
  return { counts: counts.toSorted(([a], [b]) => b - a), longest };
};

const looking = { depth: 1, includePrivate: true, limit: 50, offset: 0 };
const show = (name: string, ms: number, { counts, longest }: Gaps): void => {
  const over = longest.slice(0, 20).map(([cpu, clock, collector]) => `${cpu} (gc ${collector} of ${clock})`);
  const most = String(counts[0]?.[0] ?? 0).padStart(3);
  console.log(`${String(Math.round(ms)).padStart(6)} ms  longest ${most} ms  ${name}  ${over.join(", ")}`);
};

/** Upper bounds of the columns, in milliseconds. */
const columns = [2, 4, 6, 8, 10, 15, 20, 50, 100, Number.POSITIVE_INFINITY];
const goal = 10;

/** CPU time of a gap without the collector's part, which is known by the clock. */
const ownTime = ([cpu, clock, collector]: LongGap): number =>
  Math.min(clock - collector, cpu * (1 - collector / Math.max(clock, 1)));

/** Questions, and turns of the program's loop, by how long their longest gap was. */
class Histogram {
  readonly #questions = columns.map(() => 0);
  readonly #turns = columns.map(() => 0);
  #collector = 0;

  add({ counts, longest }: Gaps): void {
    const [[most] = [0]] = counts;
    const at = (ms: number): number => columns.findIndex((column) => ms <= column);
    this.#questions[at(most)] = (this.#questions[at(most)] ?? 0) + 1;
    for (const [ms, times] of counts) this.#turns[at(ms)] = (this.#turns[at(ms)] ?? 0) + times;
    if (most > goal && longest.every((gap) => ownTime(gap) <= goal)) this.#collector++;
  }

  print(name: string): void {
    const heads = columns.map((column, at) => (Number.isFinite(column) ? `<= ${column}` : `> ${columns[at - 1]}`));
    console.log(`\n| ${name} | ${heads.join(" | ")} |\n|${"---|".repeat(columns.length + 1)}`);
    console.log(`| questions, by their longest gap | ${this.#questions.join(" | ")} |`);
    console.log(`| turns of the program's loop | ${this.#turns.join(" | ")} |`);
    console.log(`\nAbove ${goal} ms because of the collector alone: ${this.#collector} questions.\n`);
  }
}

const askAll = async (name: string, remote: RemoteProcess, questions: readonly Question[]): Promise<void> => {
  const histogram = new Histogram();
  for (const [tool, input] of questions) {
    const began = performance.now();
    const answer = await remote.ask(tool, { ...(tool === "query" ? {} : looking), ...input }, signal);
    const took = performance.now() - began;
    const found = await gaps();
    histogram.add(found);
    const failed = answer.kind === "value" ? "" : ` ${JSON.stringify(answer).slice(0, 120)}`;
    if (name === "heavy" || found.longest.length > 0)
      show(`${tool} ${JSON.stringify(input).slice(0, 200)}${failed}`, took, found);
  }
  histogram.print(`${questions.length} ${name} questions`);
  await remote.close();
};

const idle = async (): Promise<void> => {
  await gaps();
  await wait(3_000);
  show("(idle)", 3_000, await gaps());
};

await idle();
const loading = open("app", ["Orders"]);
await loading.ask(first[0], { ...looking, ...first[1] }, signal);
show("the first one, which loads the language", 0, await gaps());
await loading.close();
if (only !== "hostile") await askAll("heavy", open("app", ["Orders", "ById", "Ids", "Totals"]), heavy);
if (only !== "heavy") {
  const remote = open("hostile", ["W", "Rows", "List", "Trap", "Proxy", "Liar"], defaultLimits);
  await askAll("hostile", remote, hostile);
}
await idle();
child.kill();
