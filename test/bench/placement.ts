/**
 * Placements side by side: the kernel alone, with two workers, and with two that share its port, in rounds in turn. CPU is that of all processes of the server. Below it,
 * how evenly one port that several processes share gives them connections.
 */
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import rules from "@fairlead/contracts/rules";
import { load, requestBytes } from "./load.ts";
import { echoValue } from "./payload.ts";
import { median } from "./upstreams.ts";

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  /** All of its processes. */
  readonly pids: readonly number[];
}

const ask = (child: ChildProcess): Promise<Omit<Server, "child">> =>
  new Promise((resolve) => child.once("message", (message) => resolve(message as Omit<Server, "child">)));

const start = async (script: string, args: readonly string[]): Promise<Server> => {
  const file = fileURLToPath(new URL(`./servers/${script}.ts`, import.meta.url));
  const child = fork(file, [...args], { execArgv: ["--conditions=@fairlead/source"] });
  const first = await ask(child);
  if (first.pids.length > 0) return { child, ...first };
  child.send("processes");
  return { child, ...(await ask(child)) };
};

/** Milliseconds of CPU so far. Linux counts in hundredths of a second. */
const cpu = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const total = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpu(pid), 0);

interface Row {
  readonly perSecond: number[];
  readonly micros: number[];
  readonly generator: number[];
}

const measure = async (
  { port, pids }: Server,
  wire: Parameters<typeof requestBytes>[1],
  requests: number,
  row: Row,
) => {
  const bytes = requestBytes(port, wire);
  const [before, own] = [total(pids), process.cpuUsage()];
  const { seconds, failures, sample } = await load(port, bytes, { requests, connections: 8 });
  if (failures > 0) throw new Error(`${failures} failed: ${sample}`);
  const { user, system } = process.cpuUsage(own);
  const spent = total(pids) - before;
  row.perSecond.push(requests / seconds);
  row.micros.push((spent / requests) * 1_000);
  row.generator.push((user + system) / 1_000 / (spent + (user + system) / 1_000));
};

const line = (...cells: readonly string[]): void =>
  void process.stdout.write(`${cells.map((cell, at) => (at === 0 ? cell.padEnd(28) : cell.padStart(16))).join("")}\n`);

const rounds = 5;

export const benchPlacement = async (): Promise<void> => {
  const wires = {
    "2 KB echo": [{ path: "/api/placed/echo", body: echoValue }, 4_000],
    "a key": [{ path: "/api/placed/keyed", body: { key: "a session", notes: [] } }, 4_000],
    "rules.resolveAttack": [
      { path: "/api/rules/resolveAttack", body: rules.procedures.resolveAttack.examples?.[0]?.input },
      2_000,
    ],
    "2 ms of CPU": [{ path: "/api/placed/compute", body: { rounds: 1_800_000, notes: [] } }, 1_000],
  } as const;
  const servers = {
    alone: await start("placed", ["0"]),
    workers: await start("placed", ["2"]),
    "shared port": await start("placed", ["2", "shared"]),
  };
  line("8 lanes", "", "a second", "ratio", "us CPU", "per CPU-second", "generator");
  for (const [name, [wire, requests]] of Object.entries(wires)) {
    const rows = Object.entries(servers).map(([how, server]) => ({
      how,
      server,
      row: { perSecond: [], micros: [], generator: [] } as Row,
    }));
    for (const { server } of rows) await measure(server, wire, requests, { perSecond: [], micros: [], generator: [] });
    for (let round = 0; round < rounds; round += 1)
      for (const { server, row } of rows) await measure(server, wire, requests, row);
    const results = rows.map(({ how, row }) => ({
      how,
      perSecond: median(row.perSecond),
      micros: median(row.micros),
      generator: median(row.generator),
    }));
    const [alone] = results;
    if (alone === undefined) return;
    for (const { how, perSecond, micros, generator } of results)
      line(
        how === "alone" ? name : "",
        how,
        perSecond.toFixed(0),
        (perSecond / alone.perSecond).toFixed(2),
        micros.toFixed(0),
        (alone.micros / micros).toFixed(2),
        `${(generator * 100).toFixed(0)} %`,
      );
  }
  for (const { child } of Object.values(servers)) child.disconnect();

  line("one port, four processes", "busiest/idlest", "us CPU");
  for (const how of ["reusePort", "handed over"]) {
    const [spread, micros]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const server = await start("shared-port", [how]);
      const bytes = requestBytes(server.port, { path: "/", body: echoValue });
      const before = server.pids.map(cpu);
      const requests = 40_000;
      await load(server.port, bytes, { requests, connections: 8 });
      const spent = server.pids.map((pid, at) => cpu(pid) - (before[at] ?? 0));
      const ofWorkers = spent.slice(1);
      spread.push(Math.max(...ofWorkers) / Math.max(Math.min(...ofWorkers), 1));
      micros.push((spent.reduce((sum, each) => sum + each, 0) / requests) * 1_000);
      server.child.disconnect();
    }
    line(how, median(spread).toFixed(1), median(micros).toFixed(1));
  }
};
