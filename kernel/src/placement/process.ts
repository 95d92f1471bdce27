/**
 * A process of this machine: started with a channel for messages, and ended with the kernel, however that ends. It carries a service, or
 * answers requests.
 *
 * Not here: the run itself (`remote-run.ts`), what runs in the process (`process-entry.ts`), how many there are (`workers.ts`, `fronts/`).
 */
import { getCompileCacheDir } from "node:module";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { guard } from "../subprocess/spawn/guard.ts";
import { makeProcessEvent } from "../subprocess/spawn/process-event.ts";
import { startConnected } from "../subprocess/spawn/start-process.ts";
import type { Carrier, CarrierListener, StartCarrier } from "./carrier.ts";
import { isLoadingFlag } from "./thread.ts";

/** `number` is the place of the worker among those of its service, from 1. */
export const startProcess =
  (number: number): StartCarrier =>
  (start, listener) => {
    const inSource = import.meta.url.endsWith(".ts");
    const entry = new URL(`./process-entry.${inSource ? "ts" : "js"}`, import.meta.url);
    return startEntry({ name: `worker ${number} of ${start.service}`, entry, env: start.env, start }, listener);
  };

interface ProcessEntry {
  /** In words: `worker 1 of box`. */
  readonly name: string;
  /** The module that the process runs. */
  readonly entry: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its first message. */
  readonly start: object;
}

interface ProcessCarrier extends Carrier {
  /** Gives it a connection. One that it does not get is cut. */
  readonly give: (socket: Socket) => void;
}

/** Starts a process that runs the entry. */
export const startEntry = ({ name, entry, ...rest }: ProcessEntry, listener: CarrierListener): ProcessCarrier => {
  const flags = entry.href.endsWith(".ts") ? ["--conditions=@fairlead/source"] : process.execArgv.filter(isLoadingFlag);
  const cache = getCompileCacheDir();
  const env = { ...rest.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) };
  const command = { file: process.execPath, args: [...flags, fileURLToPath(entry)] };
  const child = startConnected(command, { cwd: process.cwd(), env });
  const { nodeChildProcess, pid } = child;
  const ended = makeProcessEvent<void>();
  /** Connections that are on their way to it. */
  const sending = new Set<Socket>();
  const end = (error: Error): void => {
    if (pid !== undefined) guard.forget(pid);
    for (const socket of sending) socket.destroy();
    ended.succeed(undefined);
    listener.ended(error);
  };
  if (pid === undefined) nodeChildProcess.once("error", end);
  else {
    guard.watch(pid);
    nodeChildProcess.on("message", listener.message);
    // A message that was under way when it was killed: its end says so.
    nodeChildProcess.on("error", () => undefined);
    // Its last messages are read by the time that the channel is closed, and not always when it exits. Node does not say that it is
    // closed when a connection was under way, only that all is.
    const exited = makeExit((code, signal) =>
      end(new Error(signal === null ? `${name} has ended with exit code ${code}` : `${name} was ended by ${signal}`)),
    );
    nodeChildProcess.once("exit", exited.exit).once("disconnect", exited.closed).once("close", exited.closed);
    nodeChildProcess.send(rest.start, () => undefined);
  }
  return {
    kind: "process",
    name,
    pid,
    post: (message) => void nodeChildProcess.send(message as object, () => undefined),
    give(socket) {
      sending.add(socket);
      // Kept open here until it is sent: Node loses what it holds of a connection when the process ends before it has said that it got it.
      nodeChildProcess.send("connection", socket, { keepOpen: true }, () => {
        sending.delete(socket);
        socket.destroy();
      });
    },
    kill: Effect.suspend(() => {
      child.kill("SIGKILL");
      return ended.wait;
    }),
  };
};

type ReportExit = (code: number | null, signal: NodeJS.Signals | null) => void;

/** Reports once both have come. */
const makeExit = (report: ReportExit) => {
  let exit: Parameters<ReportExit> | undefined;
  let isClosed = false;
  const look = (): void => {
    if (exit !== undefined && isClosed) report(...exit);
  };
  return {
    exit: (...args: Parameters<ReportExit>): void => {
      exit = args;
      look();
    },
    closed: (): void => {
      isClosed = true;
      look();
    },
  };
};
