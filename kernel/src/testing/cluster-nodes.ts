/** Nodes of a cluster as processes of a test: called by messages, killed and paused by signals. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CallRequest, Reply } from "../call/call.ts";
import type { NodeMessage, NodeRequest, NodeStart } from "./cluster-node.ts";

interface NodeOptions {
  readonly name: string;
  /** Settings of `store.postgres`. */
  readonly postgres: object;
  /** Id of the service. */
  readonly service: string;
  /** Address of the module whose default export it is. */
  readonly module: string;
  readonly expiryMs?: number;
}

export interface NodeProcess {
  readonly name: string;
  readonly stateDir: string;
  call(procedure: string, input: object, options?: Pick<CallRequest, "idempotencyKey" | "timeoutMs">): Promise<Reply>;
  emit(event: string, service: string, data: Readonly<Record<string, unknown>>): void;
  /** Resolves with the next event of that type for which it is true. */
  seen(type: string, is: (data: Readonly<Record<string, unknown>>) => boolean): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Stops as `fairlead up` does; resolves once the process has ended. */
  close(): Promise<void>;
  readonly ended: Promise<unknown>;
}

/** The answer of a process that has ended: it may have run there. */
const gone: Reply = {
  ok: false,
  error: { code: "unavailable", message: "the process may have run it, and has ended", retryable: false },
};

export const startNode = async ({
  name,
  postgres,
  service,
  module,
  expiryMs = 6_000,
}: NodeOptions): Promise<NodeProcess> => {
  const stateDir = mkdtempSync(join(tmpdir(), `fairlead-node-${name}-`));
  const child: ChildProcess = fork(fileURLToPath(new URL("./cluster-node.ts", import.meta.url)), {
    execArgv: ["--conditions=@fairlead/source"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const waiting = new Map<number, (reply: Reply) => void>();
  const listeners = new Set<(message: NodeMessage) => void>();
  let nextId = 1;
  let isOver = false;
  void ended.then(() => {
    isOver = true;
    for (const resolve of waiting.values()) resolve(gone);
    waiting.clear();
  });
  child.on("message", (message: NodeMessage) => {
    for (const listener of listeners) listener(message);
    if (!("id" in message)) return;
    waiting.get(message.id)?.(message.reply);
    waiting.delete(message.id);
  });
  const send = (message: NodeStart | NodeRequest): void => void child.send(message, () => undefined);
  const ready = new Promise<void>((resolve, reject) => {
    listeners.add((message) => "ready" in message && resolve());
    void ended.then(() => reject(new Error(`the node ${name} did not start`)));
  });
  send({
    ...{ service, module },
    flags: { stateDir, cluster: { listen: "127.0.0.1:0", name, expiryMs }, store: { postgres }, lagMs: 60_000 },
    env: { FAIRLEAD_CLUSTER_SECRET: "a secret of this test alone" },
  });
  await ready;
  return {
    name,
    stateDir,
    ended,
    call: (procedure, input, options = {}) =>
      new Promise((resolve) => {
        if (isOver) return resolve(gone);
        const id = nextId++;
        waiting.set(id, resolve);
        send({ id, procedure, input, options });
      }),
    emit: (event, service, data) => send({ event, service, data }),
    seen: (type, is) =>
      new Promise((resolve) => {
        const listener = (message: NodeMessage): void => {
          if (!("seen" in message) || message.seen !== type || !is(message.data as Record<string, unknown>)) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      }),
    signal: (signal) => void (isOver || child.kill(signal)),
    close: async () => {
      send({ close: true });
      await ended;
    },
  };
};
