/** Histories over the nodes of a cluster, some of which are killed, paused and stopped meanwhile, and so is their PostgreSQL. */
import { setTimeout as delay } from "node:timers/promises";
import type { Reply } from "@fairlead/kernel";
// @boundaries-ignore the helpers are the kernel's own
import { type NodeProcess, startNode } from "../../kernel/src/testing/cluster-nodes.ts";
// @boundaries-ignore the helpers are the kernel's own
import { startPostgres } from "../../kernel/src/testing/postgres-server.ts";
import { checkHistory } from "./check.ts";
import { LedgerClients } from "./clients.ts";
import { makeRandom } from "./random.ts";
import { type Judged, keys } from "./workers.ts";

type Fault = "kill" | "kill after work" | "pause" | "stop" | "crash of the store";

interface Plan {
  readonly seed: number;
  /** The fault with this number, from 0; the run ends where there is none. */
  readonly fault: (at: number, random: () => number) => Fault | undefined;
}

/** For runs of any length. */
export const anyFault = (random: () => number): Fault => {
  const draw = random();
  if (draw < 0.25) return "kill";
  if (draw < 0.4) return "kill after work";
  if (draw < 0.8) return "pause";
  return draw < 0.9 ? "stop" : "crash of the store";
};

const count = 3;
/** Milliseconds that a client waits for a node. */
const patienceMs = 1_000;
const module = new URL("./saved-ledger.ts", import.meta.url).href;

/** What a client knows of a call that its node does not answer. */
const unanswered: Reply = { ok: false, error: { code: "deadline_exceeded", message: "no answer", retryable: false } };

/** A client that is refused does not ask again at once: a node that starts needs the processor, too. */
const pauseMs = 25;

const within = async (reply: Promise<Reply>): Promise<Reply> => {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const timer = setTimeout(() => resolve(unanswered), patienceMs);
  const first = await Promise.race([reply, promise]);
  clearTimeout(timer);
  if (!first.ok) await delay(pauseMs);
  return first;
};

export const judgeCluster = async ({ seed, fault }: Plan): Promise<Judged> => {
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
  const faults: Readonly<Record<Fault, (at: number, node: NodeProcess) => Promise<void>>> = {
    kill: (at, node) => {
      counts.killed += 1;
      node.signal("SIGKILL");
      return replace(at);
    },
    "kill after work": async () => {
      counts.killed += 1;
      clients.kill();
      return replace(await Promise.race(nodes.map((one, place) => one.ended.then(() => place))));
    },
    pause: async (_, node) => {
      counts.paused += 1;
      node.signal("SIGSTOP");
      // Its keys have another owner when these are answered, or nearly so.
      await clients.more(20 + Math.floor(random() * 60));
      node.signal("SIGCONT");
    },
    stop: async (at, node) => {
      counts.stopped += 1;
      await node.close();
      return replace(at);
    },
    "crash of the store": async () => {
      counts.crashed += 1;
      await server.crash();
    },
  };
  try {
    const running = clients.run();
    for (let number = 0; ; number += 1) {
      await clients.more(50 + Math.floor(random() * 150));
      const next = fault(number, random);
      if (next === undefined) break;
      const at = choose();
      const node = nodes[at];
      if (node !== undefined) await faults[next](at, node);
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
