/**
 * Overload: goodput and times of what is admitted at 1, 2, 4 and 10 times the capacity, in an open loop; a polite caller beside a greedy one; how soon all is well
 * again. The server is pinned to one core where `taskset` is there, and the load to the other.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type OpenLoopLoad, openLoop, percentile } from "./open-loop.ts";
import { pin } from "./pin.ts";

const seconds = Number(process.env.BENCH_SECONDS ?? 5);

/** Calls a second that the handler itself allows: the CPU, or the places. */
const workloads = { compute: 1_000 / 5, wait: 64 / 0.02 } as const;

export const benchOverload = async (): Promise<void> => {
  const server = fork(fileURLToPath(new URL("./overload-server.ts", import.meta.url)), {
    execArgv: ["--conditions=@fairlead/source"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [{ port, raw }] = await once(server, "message");
  pin(server.pid, 0);
  pin(process.pid, 1);
  for (const [name, capacity] of Object.entries(workloads)) await benchWorkload(port, name, capacity);
  await benchSum(port, raw);
  server.disconnect();
};

/**
 * A call that costs little more than its refusal. With P calls a second at most, and R raw requests that Node answers, a load of 2P leaves time for
 * s calls where s / P + (2P - s) / R = 1: that is the limit that refusals leave, where each costs as much as a raw request.
 */
const benchSum = async (port: number, raw: number): Promise<void> => {
  const peak = await findPeak(port, "/api/load/sum");
  const rawPeak = await findPeak(raw, "/");
  const { goodput, answered, served, late, refused, sent } = await openLoop({
    port,
    path: "/api/load/sum",
    token: "greedy",
    perSecond: 2 * peak,
    seconds,
  });
  const limit = Math.max(0, (rawPeak - 2 * peak) / (rawPeak / peak - 1));
  console.log(
    `\n| sum | a second |\n|---|---|\n| at most | ${peak.toFixed(0)} |\n| raw requests at most | ${rawPeak.toFixed(0)} |\n| goodput at 2x | ${goodput.toFixed(0)} |\n| the limit that refusals leave | ${limit.toFixed(0)} |`,
  );
  const waits = [answered, served, late].map((times) => percentile(times, 0.99).toFixed(1));
  console.log(
    `\nAt 2x ${refused} of ${sent} were refused; p99 ${waits[0]} ms, ${waits[1]} ms on its connection; sent up to ${waits[2]} ms too late.`,
  );
};

/** The highest goodput at rates that grow until it does not follow. */
const findPeak = async (port: number, path: string): Promise<number> => {
  let peak = 0;
  for (let perSecond = 2_000; perSecond < 100_000; perSecond *= 1.25) {
    const { goodput } = await openLoop({ port, path, token: "greedy", perSecond, seconds: 1 });
    peak = Math.max(peak, goodput);
    if (goodput < perSecond * 0.8) break;
  }
  return peak;
};

const benchWorkload = async (port: number, name: string, capacity: number): Promise<void> => {
  const load = (times: number, more: Partial<OpenLoopLoad> = {}) =>
    openLoop({ port, path: `/api/load/${name}`, token: "greedy", perSecond: capacity * times, seconds, ...more });
  console.log(
    `\n| ${name}, ${capacity} a second at most | goodput | p50, ms | p99, ms | p99 on its connection, ms | refused | lost | sent too late, p99, ms |\n|---|---|---|---|---|---|---|---|`,
  );
  for (const times of [0.2, 1, 2, 4, 10]) {
    if (times > 1) await load(times, { seconds: 1 });
    const { goodput, answered, served, late, refused, lost } = await load(times);
    const waits = [percentile(answered, 0.5), percentile(answered, 0.99), percentile(served, 0.99)];
    const cells = [
      goodput.toFixed(0),
      ...waits.map((ms) => ms.toFixed(1)),
      refused,
      lost,
      percentile(late, 0.99).toFixed(1),
    ];
    console.log(`| ${times}x | ${cells.join(" | ")} |`);
  }
  const [polite] = await Promise.all([load(0.05, { token: "polite" }), load(4)]);
  console.log(`\nA polite caller beside a greedy one at 4x: ${polite.answered.length} of ${polite.sent} answered.`);
  await load(10, { seconds: 2 });
  const ended = performance.now();
  let recovered = 0;
  while (recovered === 0 && performance.now() - ended < 10_000) {
    const at = performance.now() - ended;
    const { refused, lost } = await load(0.5, { seconds: 0.25 });
    if (refused + lost === 0) recovered = at;
  }
  console.log(`After 2 s at 10x, nothing is refused at 0.5x from ${recovered.toFixed(0)} ms on.`);
};
