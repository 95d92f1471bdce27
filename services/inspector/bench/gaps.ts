/**
 * How long a foreign program's loop waits while it is inspected: `node --conditions=@fairlead/source bench/gaps.ts [rows]`. The gaps are measured
 * in the program itself, for each question and for as long without any; the longest ones of an idle program are the machine's own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { defaultLimits } from "@fairlead/linq/limits";
import type { ToolName } from "../src/protocol/message.ts";
import { RemoteProcess } from "../src/remote/remote-process.ts";

const rows = process.argv[2] ?? "1000000";
const child = fork(fileURLToPath(new URL("./gaps-target.ts", import.meta.url)), [rows], {
  execArgv: ["--inspect=127.0.0.1:0"],
  silent: true,
});
let said = "";
child.stderr?.on("data", (chunk) => {
  said += String(chunk);
});
await once(child, "message");
const address = /ws:\/\/([\d.]+:\d+)\//.exec(said)?.[1] ?? "";
const names = ["Orders", "ById", "Ids", "Totals"];
const limits = { ...defaultLimits, wallMs: 60_000, fuelPerQuery: 1e9, items: 50_000_000 };
const roots = Object.fromEntries(names.map((name) => [name, `app.${name}`]));
const remote = new RemoteProcess({ address, timeoutMs: 120_000, roots, limits });
const { signal } = new AbortController();

interface Gaps {
  readonly counts: readonly (readonly [number, number])[];
  /** Of each above 10 ms: its CPU time, how long it was by the clock, and how much of that the collector had stopped the program. */
  readonly longest: readonly (readonly [number, number, number])[];
}

const gaps = async (): Promise<Gaps> => {
  child.send("gaps");
  const [{ counts, longest }] = (await once(child, "message")) as [Gaps];
  return { counts: counts.toSorted(([a], [b]) => b - a), longest };
};

const questions: readonly (readonly [ToolName, Readonly<Record<string, unknown>>])[] = [
  ["eval", { expr: "1 + 1" }],
  ["query", { from: "Orders", where: 'customer.city == "city7" && total > 500', orderBy: "total desc", take: 10 }],
  ["query", { from: "Orders", where: "lines.Any(count > 3)", select: "new { id, total }" }],
  ["query", { from: "Orders", groupBy: "customer.city", orderBy: "Count() desc" }],
  ["query", { from: "Orders", groupBy: "customer.name", orderBy: "Key", take: 3 }],
  [
    "query",
    { from: "Orders", groupBy: "id", select: "new { Key, Sum(total) as sum }", orderBy: "Sum(total) desc", take: 3 },
  ],
  ["query", { from: "Orders", orderBy: "customer.name, total desc", skip: 500_000, take: 3, select: "id" }],
  ["query", { from: "Orders", distinct: true, select: "customer.name", take: 3 }],
  ["query", { from: "ById", where: "Value.total > 9000", orderBy: "Value.total", take: 3, select: "Key" }],
  ["query", { from: "Ids", where: "it % 7 == 3", orderBy: "it desc", take: 3 }],
  ["query", { from: "Totals", groupBy: "it", orderBy: "Count()", take: 3 }],
  ["eval", { expr: "Orders.OrderBy(customer.name).Skip(10).First().id" }],
  ["eval", { expr: "Orders.Select(new { id, total }).OrderBy(total).First().id" }],
  ["eval", { expr: "Orders.GroupBy(customer.name).Count()" }],
  ["eval", { expr: "Orders.Take(300).Count(Orders.Take(3000).Any(total < 0))" }],
  ["eval", { expr: "Ids.Where(it > 5).Distinct().Count()" }],
  ["eval", { expr: "ById.Values.Sum(total) + ById.Keys.Max(it)" }],
  ["eval", { expr: "Totals.OrderByDescending(it).Reverse().First()" }],
  ["eval", { expr: "Ids.Contains(-1) || Orders.Contains(5)" }],
  ["eval", { expr: "Orders.Take(50)", depth: 6 }],
  ["explore", { target: "Orders", limit: 1_000, depth: 3 }],
  ["explore", { target: "ById", limit: 50, offset: 900_000, depth: 2 }],
];

const looking = { depth: 1, includePrivate: true, limit: 50, offset: 0 };
const show = (name: string, ms: number, { counts, longest }: Gaps): void => {
  const over = longest.map(([cpu, clock, collector]) => `${cpu} (gc ${collector} of ${clock})`);
  const most = counts[0]?.[0] ?? 0;
  console.log(
    `${String(Math.round(ms)).padStart(6)} ms  longest ${String(most).padStart(3)} ms  ${name}  ${over.join(", ")}`,
  );
};

await gaps();
await wait(3_000);
show("(idle)", 3_000, await gaps());
for (const [tool, input] of questions) {
  const began = performance.now();
  const answer = await remote.ask(tool, { ...(tool === "query" ? {} : looking), ...input }, signal);
  const took = performance.now() - began;
  const failed = answer.kind === "value" ? "" : ` ${JSON.stringify(answer).slice(0, 160)}`;
  show(`${tool} ${JSON.stringify(input)}${failed}`, took, await gaps());
}
await wait(3_000);
show("(idle)", 3_000, await gaps());
await remote.close();
child.kill();
