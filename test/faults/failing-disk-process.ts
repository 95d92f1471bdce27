/**
 * Sessions of keyed calls on a disk that fails below SQLite: run with `failing-disk.c` preloaded. Each has a folder of its own; then a second kernel looks
 * at what the first one acknowledged. Prints one line of JSON. `node failing-disk-process.ts <sessions> <seed> <folder>`
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defineContract, mutation } from "@fairlead/contracts";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { defineService } from "@fairlead/kernel/service";
import fc from "fast-check";
import * as z from "zod";

const [, , sessions = "1", seed = "1", folder = "."] = process.argv;

export interface DiskFigures {
  readonly sessions: number;
  /** Sessions in which a write or a sync failed. */
  readonly failed: number;
  /** Calls that were acknowledged, and those that failed, by code. */
  readonly acknowledged: number;
  readonly codes: Readonly<Record<string, number>>;
  /** What must not be: each in words, with its session. */
  readonly wrong: readonly string[];
}

const contract = defineContract({
  id: "disk",
  version: "1.0.0",
  summary: "Answers tests.",
  procedures: {
    take: mutation({
      summary: "Takes a number.",
      retry: "keyed",
      input: z.object({ name: z.string().describe("Whose.") }),
      output: z.object({ number: z.int().describe("The number, a new one each time.") }),
    }),
  },
});

let taken = 0;
const service = defineService(contract, () => ({
  handlers: {
    take: async () => {
      taken += 1;
      return { number: taken };
    },
  },
}));

const open = (stateDir: string) => openMemoryKernel([service], { stateDir, log: () => undefined });
const keys = Array.from({ length: 24 }, (_, at) => `key-${at}`);
const take = (kernel: ReturnType<typeof open>, key: string) =>
  kernel.call("disk.take", { name: key }, { idempotencyKey: key });

const codes: Record<string, number> = {};
const wrong: string[] = [];
let acknowledged = 0;
let failed = 0;

interface Fault {
  readonly kind: string;
  readonly at: number;
  readonly lasts: boolean;
}

const session = async (name: string, { kind, at, lasts }: Fault): Promise<void> => {
  const stateDir = join(folder, name);
  mkdirSync(stateDir);
  const where = `${name}: ${kind} at ${at}${lasts ? ", lasting" : ""}`;
  Object.assign(process.env, {
    FAULT_FILE: "kernel.sqlite",
    FAULT_KIND: kind,
    FAULT_AT: String(at),
    FAULT_SESSION: name,
  });
  if (lasts) process.env.FAULT_LASTS = "yes";
  delete process.env.FAULT_SEEN;
  const first = open(stateDir);
  const answers = new Map<string, unknown>();
  for (let next = 0; next < keys.length; next += 4) {
    const batch = keys.slice(next, next + 4);
    const replies = await Promise.all(batch.map((key) => take(first, key)));
    for (const [index, reply] of replies.entries()) {
      const code = reply.ok ? "ok" : reply.error.code;
      codes[code] = (codes[code] ?? 0) + 1;
      if (reply.ok) answers.set(batch[index] ?? "", reply.value);
      else if (code !== "unavailable" && code !== "data_loss") wrong.push(`${where}: ${code} ${reply.error.message}`);
    }
  }
  await first.close();
  if (process.env.FAULT_SEEN !== undefined) failed += 1;
  for (const each of ["FAULT_FILE", "FAULT_LASTS"]) delete process.env[each];
  const second = open(stateDir);
  for (const [key, value] of answers) {
    const reply = await take(second, key);
    if (!reply.ok || JSON.stringify(reply.value) !== JSON.stringify(value))
      wrong.push(`${where}: ${key} was ${JSON.stringify(value)} and is ${JSON.stringify(reply)}`);
  }
  acknowledged += answers.size;
  await second.close();
  const aside = readdirSync(join(stateDir, "kernel")).filter((file) => file.includes("damaged"));
  if (aside.length > 0) wrong.push(`${where}: nothing was damaged, but ${aside.join()} was put aside`);
  rmSync(stateDir, { recursive: true });
};

const faults = fc.sample(
  fc.record({
    kind: fc.constantFrom("eio", "enospc", "short", "fsync"),
    at: fc.integer({ min: 1, max: 60 }),
    lasts: fc.boolean(),
  }),
  { numRuns: Number(sessions), seed: Number(seed) },
);
for (const [at, fault] of faults.entries()) await session(`session-${at}`, fault);
const figures: DiskFigures = { sessions: faults.length, failed, acknowledged, codes, wrong };
console.log(JSON.stringify(figures));
