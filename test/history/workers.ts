/** Histories over worker processes of one machine, some of which are killed and paused meanwhile. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel } from "@fairlead/kernel";
import { checkHistory } from "./check.ts";
import { LedgerClients } from "./clients.ts";
import service from "./ledger.ts";
import { makeRandom } from "./random.ts";

export interface Judged {
  readonly faults: readonly string[];
  /** Operations by their outcome. */
  readonly figures: Readonly<Record<string, number>>;
}

interface Plan {
  readonly seed: number;
  /** Ends the run, once it is true between two faults. */
  readonly isOver: (faults: number) => boolean;
}

/** A service as a value, with the module that a worker loads. */
export const ledgerService = { ...service, module: new URL("./ledger.ts", import.meta.url).href } as typeof service;

export const keys = ["a", "b", "c", "d", "e", "f"];

export const judgeWorkers = async ({ seed, isOver }: Plan): Promise<Judged> => {
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-history-"));
  const random = makeRandom(seed);
  const kernel = await openKernel({
    services: [ledgerService],
    flags: { stateDir, workers: 2, lagMs: 60_000 },
    log: () => undefined,
  });
  try {
    await kernel.started();
    const transport = kernel.connect();
    const clients = new LedgerClients({
      call: (procedure, input, idempotencyKey) =>
        transport.call(`ledger.${procedure}`, input, { ...(idempotencyKey !== undefined && { idempotencyKey }) }),
      count: 8,
      keys,
      random,
    });
    const pids = async (): Promise<readonly number[]> => {
      const reply = await transport.call("kernel.services", {});
      if (!reply.ok) throw new Error(reply.error.message);
      const { services } = reply.value as { services: { id: string; children: { pid: number | null }[] }[] };
      return services.find(({ id }) => id === "ledger")?.children.flatMap(({ pid }) => pid ?? []) ?? [];
    };
    const running = clients.run();
    const counts = { killed: 0, paused: 0 };
    for (let faults = 0; !isOver(faults); faults += 1) {
      await clients.more(50 + Math.floor(random() * 200));
      const there = await pids();
      const pid = there[Math.floor(random() * there.length)];
      if (pid === undefined) continue;
      const draw = random();
      if (draw < 0.3) {
        if (signal(pid, "SIGKILL")) counts.killed += 1;
        continue;
      }
      if (draw < 0.6) {
        clients.kill();
        counts.killed += 1;
        continue;
      }
      if (!signal(pid, "SIGSTOP")) continue;
      // The other one goes on, until clients of this one hold all the lanes; then its deadline has to end it.
      await clients.more(20 + Math.floor(random() * 60));
      signal(pid, "SIGCONT");
      counts.paused += 1;
    }
    await clients.more(100);
    clients.end();
    await running;
    await clients.readAll();
    const tags = Map.groupBy(clients.operations, ({ outcome }) => outcome.tag);
    const figures = Object.fromEntries([...tags].map(([tag, found]) => [tag, found.length]));
    return { faults: checkHistory(clients.operations), figures: { ...figures, ...counts } };
  } finally {
    await kernel.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
};

/** Whether the process was there: it may have ended by itself. */
const signal = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};
