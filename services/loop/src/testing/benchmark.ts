/**
 * Measures advance and ingest_event with every commit on the disk, in a session of as many steps as the first argument says
 * (10,000 when it says nothing), and shows whether a step costs more late than early. Run by `npm run bench`.
 */
import { rmSync } from "node:fs";
import { DirectClient } from "../direct-client.ts";
import { shortHash } from "../value/hash.ts";
import { countingIds } from "../value/id.ts";
import { temporaryFolder } from "./repository.ts";
import { scriptReplies } from "./scripted-model.ts";

const steps = Number(process.argv[2] ?? 10_000);
const { path } = temporaryFolder();
const client = await DirectClient.create({ projectPath: path });
client.startSession({
  step_budget: 100_000,
  ticket_step_budget: 100_000,
  max_cycles: 999,
  max_proposals: 10,
  spindle: { stall: 0, oscillation: 0, repetition: 0, ping_pong: 0, repeated_failure: 0 },
});

const times: Record<"advance" | "ingest_event", number[]> = { advance: [], ingest_event: [] };

const timed = async <T>(what: keyof typeof times, work: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  const result = await work();
  times[what].push(performance.now() - began);
  return result;
};

const lap = (): void => {
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  cpu.push((user + system) / 1_000 / (steps / 5));
};

const ids = countingIds();
/** Letters only, and unlike every other one. */
const freshTitle = (): string =>
  shortHash(ids()).replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));

/** CPU time of this process per step, in milliseconds, for each fifth of the session. */
const cpu: number[] = [];
let before = process.cpuUsage();

for (let step = 0; step < steps; step += 1) {
  if (step > 0 && step % Math.ceil(steps / 5) === 0) lap();
  const { prompt, next_action, reason } = await timed("advance", () => client.advance());
  if (next_action === "STOP") throw new Error(`stopped after ${step} steps: ${reason}`);
  const known = /: ([a-z]{12})$/m.exec(prompt ?? "")?.[1];
  const titles = known === undefined ? Array.from({ length: 10 }, freshTitle) : [known];
  for (const { type, payload } of scriptReplies(prompt ?? "", { titles, folder: path }))
    await timed("ingest_event", () => client.ingestEvent(type as "QA_PASSED", payload));
}
lap();
await client.close();

const quantile = (values: readonly number[], q: number): string =>
  `${(values.toSorted((a, b) => a - b)[Math.floor(values.length * q)] ?? 0).toFixed(2)} ms`;

for (const [what, values] of Object.entries(times)) {
  const fifth = Math.floor(values.length / 5);
  const halves = [0, 1, 2, 3, 4].map((n) => quantile(values.slice(n * fifth, (n + 1) * fifth), 0.5));
  console.log(
    `${what}: ${values.length} calls, p50 ${quantile(values, 0.5)}, p99 ${quantile(values, 0.99)}; p50 by fifths of the session: ${halves.join(", ")}`,
  );
}
console.log(`CPU of a step by fifths: ${cpu.map((value) => `${value.toFixed(2)} ms`).join(", ")}`);
rmSync(path, { recursive: true });
