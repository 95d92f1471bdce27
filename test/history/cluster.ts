/** Histories over the nodes of a cluster, some of which are killed, paused and stopped meanwhile, and so is their PostgreSQL. */
import type { Reply } from "@fairlead/kernel";
// @boundaries-ignore the helpers are the kernel's own
import { type NodeProcess, startNode } from "../../kernel/src/testing/cluster-nodes.ts";
// @boundaries-ignore the helpers are the kernel's own
import { startPostgres } from "../../kernel/src/testing/postgres-server.ts";
import { checkHistory } from "./check.ts";
import { LedgerClients } from "./clients.ts";
import { makeRandom } from "./random.ts";
import { type Judged, keys } from "./workers.ts";

interface Plan {
  readonly seed: number;
  /** Ends the run, once it is true between two faults. */
  readonly isOver: (faults: number) => boolean;
}

const count = 3;
/** Milliseconds that a client waits for a node. */
const patienceMs = 1_000;
const module = new URL("./saved-ledger.ts", import.meta.url).href;

/** What a client knows of a call that its node does not answer. */
const unanswered: Reply = { ok: false, error: { code: "deadline_exceeded", message: "no answer", retryable: false } };

const within = async (reply: Promise<Reply>): Promise<Reply> => {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const timer = setTimeout(() => resolve(unanswered), patienceMs);
  const first = await Promise.race([reply, promise]);
  clearTimeout(timer);
  return first;
};

export const judgeCluster = async ({ seed, isOver }: Plan): Promise<Judged> => {
  const random = makeRandom(seed);
  const server = await startPostgres(["-c", "fsync=off"]);
  let named = 0;
  const start = (): Promise<NodeProcess> =>
    startNode({ name: `node-${named++}`, postgres: server.settings, service: "ledger", module, expiryMs: 2_500 });
  const nodes: NodeProcess[] = await Promise.all(Array.from({ length: count }, start));
  const choose = (): number => Math.floor(random() * nodes.length);
  const clients = new LedgerClients({
    call: (procedure, input, idempotencyKey) => {
      const node = nodes[choose()];
      if (node === undefined) throw new Error("there is no node");
      return within(node.call(`ledger.${procedure}`, input, idempotencyKey === undefined ? {} : { idempotencyKey }));
    },
    count: 8,
    keys,
    random,
  });
  /** One that has ended by itself, too, is followed by another. */
  const replace = async (at: number): Promise<void> => {
    await nodes[at]?.ended;
    nodes[at] = await start();
  };
  const counts = { killed: 0, paused: 0, stopped: 0, crashed: 0 };
  const fault = async (): Promise<void> => {
    const at = choose();
    const node = nodes[at];
    const draw = random();
    if (node === undefined) return;
    if (draw < 0.25) {
      node.signal("SIGKILL");
      counts.killed += 1;
      return replace(at);
    }
    if (draw < 0.4) {
      clients.kill();
      counts.killed += 1;
      const ended = nodes.map((one, place) => one.ended.then(() => place));
      return replace(await Promise.race(ended));
    }
    if (draw < 0.8) {
      node.signal("SIGSTOP");
      // Its keys have another owner when these are answered, or nearly so.
      await clients.more(40 + Math.floor(random() * 120));
      node.signal("SIGCONT");
      counts.paused += 1;
      return;
    }
    if (draw < 0.9) {
      counts.stopped += 1;
      await node.close();
      return replace(at);
    }
    counts.crashed += 1;
    await server.crash();
  };
  try {
    const running = clients.run();
    for (let faults = 0; !isOver(faults); faults += 1) {
      await clients.more(50 + Math.floor(random() * 150));
      await fault();
    }
    await clients.more(100);
    clients.end();
    await running;
    await clients.readAll();
    const tags = Map.groupBy(clients.operations, ({ outcome }) => outcome.tag);
    const figures = Object.fromEntries([...tags].map(([tag, found]) => [tag, found.length]));
    return { faults: checkHistory(clients.operations), figures: { ...figures, ...counts } };
  } finally {
    for (const node of nodes) {
      node.signal("SIGCONT");
      node.signal("SIGKILL");
      await node.ended;
    }
    await server.stop();
  }
};
