/**
 * Measures the sides of rows, one round at a time: servers in a process each, all else in one process that answers nobody. What else the machine does
 * makes a round dearer and never cheaper, so the least of many rounds, taken in turns, is what counts.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PayloadName } from "../payload.ts";
import { pin } from "../pin.ts";
import { type Running, round, startServer } from "../requests.ts";
import type { ListServerName, ServerName } from "../servers/all.ts";
import { type ProcessSide, type ServerSide, type SideName, serverSides } from "./rows.ts";

export interface Sides {
  /** Microseconds of CPU for one operation, over one round of them. */
  measure(side: SideName): Promise<number>;
  close(): void;
}

interface Asked {
  readonly server: ServerName | ListServerName;
  readonly payload: PayloadName;
  /** Requests of one round: enough that the system's clock of CPU time is no matter. */
  readonly requests: number;
}

const asked: Readonly<Record<ServerSide, Asked>> = {
  "raw sum": { server: "raw node:http", payload: "sum", requests: 1_500 },
  "raw echo": { server: "raw node:http", payload: "echo", requests: 1_000 },
  "HTTP sum": { server: "Fairlead HTTP", payload: "sum", requests: 1_500 },
  "HTTP echo": { server: "Fairlead HTTP", payload: "echo", requests: 1_000 },
  "tRPC sum": { server: "Fairlead tRPC", payload: "sum", requests: 1_500 },
  "tRPC echo": { server: "Fairlead tRPC", payload: "echo", requests: 1_000 },
  "MCP sum": { server: "Fairlead MCP", payload: "sum", requests: 1_500 },
  "MCP echo": { server: "Fairlead MCP", payload: "echo", requests: 1_000 },
  "raw list": { server: "raw node:http, the bytes of tools/list", payload: "sum", requests: 250 },
  "MCP list": { server: "Fairlead MCP tools/list", payload: "sum", requests: 250 },
};

const isServerSide = (side: SideName): side is ServerSide => serverSides.some((each) => each === side);

/** Starts what these sides need. */
export const openSides = async (needed: readonly SideName[]): Promise<Sides> => {
  const servers = new Map<ServerName | ListServerName, Running>();
  for (const side of needed) {
    if (!isServerSide(side)) continue;
    const { server } = asked[side];
    if (servers.has(server)) continue;
    servers.set(server, await startServer(server));
  }
  const own = needed.every(isServerSide) ? undefined : startProcess();
  return {
    measure: (side) => {
      if (!isServerSide(side)) return measureIn(own, side);
      const { server, payload, requests } = asked[side];
      const running = servers.get(server);
      if (running === undefined) throw new Error(`${server} was not started: ${side} was not among the sides`);
      return round(running, payload, requests);
    },
    close: () => {
      for (const { child } of servers.values()) child.disconnect();
      own?.disconnect();
    },
  };
};

const startProcess = (): ChildProcess => {
  const child = fork(fileURLToPath(new URL("./process.ts", import.meta.url)), [], {
    execArgv: ["--conditions=@fairlead/source", "--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // A round trip between two processes costs up to three times as much where each has to wake a core of its own.
  pin(child.pid, 0);
  return child;
};

const measureIn = (own: ChildProcess | undefined, side: ProcessSide): Promise<number> =>
  new Promise((resolve, reject) => {
    if (own === undefined) return reject(new Error(`no process was started: ${side} was not among the sides`));
    const ended = (code: number | null): void => reject(new Error(`the process that measures ended with ${code}`));
    own.once("exit", ended);
    own.once("message", (micros) => {
      own.off("exit", ended);
      resolve(Number(micros));
    });
    own.send(side);
  });
