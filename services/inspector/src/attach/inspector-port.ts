/**
 * The inspector port of a running program: the one it has, or one that it opens when it is asked to by SIGUSR1. Who answers there is always asked for
 * its process id, so that nothing is asked of another program that took the port meanwhile.
 */
import { setTimeout as delay } from "node:timers/promises";
import { DebuggerError, DebuggerSession } from "../remote/debugger-session.ts";
import { AttachError } from "./attach-error.ts";
import { isTaken, type ListenedPort, listenedPorts, type NodeProcess } from "./node-process.ts";

export interface InspectorPort {
  readonly pid: number;
  /** A `ws:` address. */
  readonly address: string;
  /** True when it was closed before. */
  readonly isOurs: boolean;
}

/** Milliseconds that a program has to open its port, and to answer on it. */
const openingMs = 3_000;
const lookEveryMs = 20;

/** A process that was asked to open its port, which a busy one does when no call waits for it any more. */
interface SignalledProcess {
  readonly startedAt: string;
  /** The ports that it had before; an inspector on any other is ours to close. */
  readonly known: ReadonlySet<number>;
}

/** By process id, until their ports are closed. */
export type SignalledProcesses = Map<number, SignalledProcess>;

/** Throws `AttachError`. */
export const openInspectorPort = async (found: NodeProcess, signalled: SignalledProcesses): Promise<InspectorPort> => {
  const { pid, inspectorPort, takesSignal, startedAt } = found;
  const before = await listenedPorts(pid);
  const earlier = signalled.get(pid);
  const known = earlier?.startedAt === startedAt ? earlier.known : new Set<number>(before.map(({ port }) => port));
  const late = without(before, known);
  const ours = await findInspector(found, late);
  if (ours !== undefined) return { pid, address: ours, isOurs: true };
  const open = await findInspector(
    found,
    before.filter(({ port }) => found.startsInspector || port === inspectorPort),
  );
  if (open !== undefined) return { pid, address: open, isOurs: false };
  if (!takesSignal)
    throw new AttachError(
      "not_node",
      `Process ${pid} does not take SIGUSR1, which opens the inspector of Node, and would be ended by it; start it with \`node --inspect=0\``,
    );
  const isLate = late.some(({ port }) => port === inspectorPort);
  if (inspectorPort !== 0 && !isLate && (await isTaken(pid, inspectorPort)))
    throw new AttachError(
      "port_taken",
      `Process ${pid} would open its inspector on port ${inspectorPort}, where another process listens`,
    );
  signalProcess(pid);
  signalled.set(pid, { startedAt, known });
  const until = performance.now() + openingMs;
  while (performance.now() < until) {
    const opened = await findInspector(found, without(await listenedPorts(pid), known));
    if (opened !== undefined) return { pid, address: opened, isOurs: true };
    await delay(lookEveryMs);
  }
  throw new AttachError("not_opened", `Process ${pid} did not open its inspector within ${openingMs} ms`);
};

const without = (ports: readonly ListenedPort[], known: ReadonlySet<number>): readonly ListenedPort[] =>
  ports.filter(({ port }) => !known.has(port));

/** True when the process answers there still: it may have closed its port since. */
export const isAnswering = async ({ address }: InspectorPort, { ownPid }: NodeProcess): Promise<boolean> =>
  (await askPid(address)) === ownPid;

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
  return true;
})()`;

/** Throws `AttachError` where the process gives no answer and has its port still. */
export const closeInspectorPort = async (
  { pid, address, isOurs }: InspectorPort,
  signalled: SignalledProcesses,
): Promise<void> => {
  if (!isOurs) return;
  const isClosing = (await onceAt(address, (session) => session.data(closing))) === true;
  const open = isClosing ? [] : await listenedPorts(pid);
  if (open.some(({ port }) => port === Number(new URL(address).port)))
    throw new AttachError(
      "not_closed",
      `Process ${pid} is detached, but did not answer within ${openingMs} ms, and its inspector is open still; attach to it and detach again`,
    );
  signalled.delete(pid);
};

/** What an expression gives there. Throws `AttachError`. */
export const readFromProcess = async ({ pid, address }: InspectorPort, expression: string): Promise<unknown> => {
  const answer = await onceAt(address, (session) => session.data(expression));
  if (answer === undefined)
    throw new AttachError("not_opened", `Process ${pid} gave no answer on its inspector within ${openingMs} ms`);
  return answer;
};
