/**
 * The inspector port of a running program: the one it has, or one that it opens when it is asked to by SIGUSR1. Who answers there is always asked for
 * its process id, so that nothing is asked of another program that took the port meanwhile.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DebuggerError, DebuggerSession } from "../remote/debugger-session.ts";
import { AttachError } from "./attach-error.ts";
import { isTaken, type ListenedPort, listenedPorts, type NodeProcess } from "./node-process.ts";

export interface InspectorPort {
  /** A `ws:` address. */
  readonly address: string;
  /** True when it was closed before. */
  readonly isOurs: boolean;
}

/** Milliseconds that a program has to open its port, and to answer on it. */
const openingMs = 3_000;
const lookEveryMs = 20;

/** Throws `AttachError`. */
export const openInspectorPort = async (found: NodeProcess): Promise<InspectorPort> => {
  const before = await listenedPorts(found.pid);
  const open = await findInspector(
    found,
    before.filter(({ port }) => found.startsInspector || port === found.inspectorPort),
  );
  if (open !== undefined) return { address: open, isOurs: false };
  const { pid, inspectorPort, takesSignal } = found;
  if (!takesSignal)
    throw new AttachError(
      "not_node",
      `Process ${pid} does not take SIGUSR1, which opens the inspector of Node, and would be ended by it; start it with \`node --inspect=0\``,
    );
  if (inspectorPort !== 0 && (await isTaken(pid, inspectorPort)))
    throw new AttachError(
      "port_taken",
      `Process ${pid} would open its inspector on port ${inspectorPort}, where another process listens`,
    );
  signalProcess(pid);
  const known = new Set(before.map(({ port }) => port));
  const until = performance.now() + openingMs;
  while (performance.now() < until) {
    const news = (await listenedPorts(pid)).filter(({ port }) => !known.has(port));
    const opened = await findInspector(found, news);
    if (opened !== undefined) return { address: opened, isOurs: true };
    await delay(lookEveryMs);
  }
  throw new AttachError("not_opened", `Process ${pid} did not open its inspector within ${openingMs} ms`);
};

const signalProcess = (pid: number): void => {
  try {
    process.kill(pid, "SIGUSR1");
  } catch {
    throw new AttachError("no_process", `Process ${pid} has ended, or belongs to another user`);
  }
};

/** The first port where that process answers as a debugger. */
const findInspector = async ({ ownPid }: NodeProcess, ports: readonly ListenedPort[]): Promise<string | undefined> => {
  for (const { host, port } of ports) {
    const address = await debuggerAt(host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`);
    if (address !== undefined && (await askPid(address)) === ownPid) return address;
  }
  return undefined;
};

/** The `ws:` address of the debugger that a port offers; nothing where it is no debugger. */
const debuggerAt = async (address: string): Promise<string | undefined> => {
  try {
    const answer = await fetch(`http://${address}/json/list`, { signal: AbortSignal.timeout(openingMs) });
    const targets: unknown = await answer.json();
    const [first] = Array.isArray(targets) ? targets : [];
    const url: unknown = first?.webSocketDebuggerUrl;
    return typeof url === "string" ? url : undefined;
  } catch {
    return undefined;
  }
};

const askPid = (address: string): Promise<unknown> => onceAt(address, (session) => session.data("process.pid"));

/** One question over a connection of its own; undefined where there is no answer. */
const onceAt = async (address: string, ask: (session: DebuggerSession) => Promise<unknown>): Promise<unknown> => {
  const session = new DebuggerSession({ address, timeoutMs: openingMs }, () => undefined);
  try {
    return await ask(session);
  } catch (error) {
    if (error instanceof DebuggerError) return undefined;
    throw error;
  } finally {
    session.lose("it was asked");
  }
};

/** Closes the inspector once the connection that asks for it has ended: until then closing would wait for it, and the program with it. */
const closing = `(() => {
  const { close } = process.getBuiltinModule("node:inspector");
  const { setTimeout } = process.getBuiltinModule("node:timers");
  setTimeout(close, 50).unref();
})()`;

/** Never rejects: a program that is gone has no port. */
export const closeInspectorPort = async ({ address, isOurs }: InspectorPort): Promise<void> => {
  if (isOurs) await onceAt(address, (session) => session.data(closing));
};

export const readFromProcess = async (address: string, expression: string): Promise<unknown> =>
  onceAt(address, (session) => session.data(expression));
