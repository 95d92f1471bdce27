/**
 * What a request costs each server, in microseconds of CPU, and its ratio to the limit: every server in a process of its own,
 * rounds taken in turn, the quiet quartile reported, so that other work on the machine does not decide.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { load, requestBytes } from "./load.ts";
import type { PayloadName, Wire } from "./payload.ts";
import { type ListServerName, type ServerName, servers } from "./servers/all.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const perRound = Number(process.env.BENCH_REQUESTS ?? 4_000);
const connections = 16;

export interface Running {
  readonly name: ServerName | ListServerName;
  readonly child: ChildProcess;
  readonly port: number;
  readonly wires: Readonly<Record<PayloadName, Wire>>;
}

const message = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once("message", (value) => resolve(value as T)));

export const startServer = async (name: ServerName | ListServerName): Promise<Running> => {
  const child = fork(fileURLToPath(new URL("./child.ts", import.meta.url)), [name], {
    execArgv: ["--conditions=@fairlead/source"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { port, wires } = await message<Pick<Running, "port" | "wires">>(child);
  return { name, child, port, wires };
};

const usage = async ({ child }: Running): Promise<{ readonly micros: number; readonly rss: number }> => {
  const answer = message<{ readonly cpu: NodeJS.CpuUsage; readonly rss: number }>(child);
  child.send("usage");
  const { cpu, rss } = await answer;
  return { micros: cpu.user + cpu.system, rss };
};

/** Microseconds of the server's CPU a request. */
export const round = async (server: Running, payload: PayloadName, requests = perRound): Promise<number> => {
  const bytes = requestBytes(server.port, server.wires[payload]);
  const before = await usage(server);
  const { failures, sample } = await load(server.port, bytes, { requests, connections });
  const after = await usage(server);
  if (failures > 0) throw new Error(`${server.name} failed ${failures} of ${requests}: ${sample.slice(0, 600)}`);
  return (after.micros - before.micros) / requests;
};

const quietQuartile = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;

/** Measures all servers; prints a table; returns microseconds of CPU a request. */
export const benchRequests = async (): Promise<void> => {
  const running = await Promise.all((Object.keys(servers) as ServerName[]).map((name) => startServer(name)));
  const figures = new Map(running.map(({ name }) => [name, { sum: [] as number[], echo: [] as number[] }]));
  for (const server of running) for (const payload of ["sum", "echo"] as const) await round(server, payload);
  for (let index = 0; index < rounds; index += 1) {
    for (const server of running) {
      for (const payload of ["sum", "echo"] as const)
        figures.get(server.name)?.[payload].push(await round(server, payload));
    }
  }
  const memory = new Map(
    await Promise.all(running.map(async (server) => [server.name, (await usage(server)).rss / 1_048_576] as const)),
  );
  const limit = figures.get("raw node:http");
  console.log(
    "| server | sum, µs CPU | of raw | 2 KB echo, µs CPU | of raw | RSS after, MB |\n|---|---|---|---|---|---|",
  );
  for (const [name, { sum, echo }] of figures) {
    const cells = [sum, echo].flatMap((values, index) => {
      const own = quietQuartile(values);
      const raw = quietQuartile((index === 0 ? limit?.sum : limit?.echo) ?? []);
      return [own.toFixed(1), (raw / own).toFixed(2)];
    });
    console.log(`| ${name} | ${cells.join(" | ")} | ${memory.get(name)?.toFixed(0)} |`);
  }
  for (const { child } of running) child.disconnect();
};
