/**
 * Kernels that are stopped while keep-alive lanes send to them, and what became of each request: answered, refused before the kernel had
 * a byte of it (the connection was never made, or ended while it rested), or reset.
 */
import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, query } from "@fairlead/contracts";
import { openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import * as z from "zod";

/** A kernel that runs. */
export interface RunningKernel {
  readonly port: number;
  /** Stops it; resolves when it has ended. */
  stop(): Promise<unknown>;
}

export interface StopOptions {
  readonly stops: number;
  readonly lanes: number;
  /** A path below which a GET is answered with 200. */
  readonly path: string;
  readonly start: () => Promise<RunningKernel>;
  /** Kernels at a time, 1 when left out: a stop mostly waits for clients to fall quiet. */
  readonly atOnce?: number;
}

export interface StopResult {
  readonly answered: number;
  /** Answers that were not whole, or no answer to a request of which the kernel had acknowledged bytes. */
  readonly reset: number;
  /** Requests that crossed with the end of a connection that had rested. */
  readonly crossed: number;
}

export const stopUnderLoad = async ({ stops, atOnce = 1, ...options }: StopOptions): Promise<StopResult> => {
  const total = { answered: 0, reset: 0, crossed: 0 };
  let left = stops;
  const stopInTurn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      for (const lane of await stopOnce(options)) {
        total.answered += lane.answered;
        if (lane.end !== "refused") total[lane.end] += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, stopInTurn));
  return total;
};

const stopOnce = async ({
  lanes,
  path,
  start,
}: Pick<StopOptions, "lanes" | "path" | "start">): Promise<readonly Lane[]> => {
  const kernel = await start();
  const warm = Promise.withResolvers<void>();
  const running = Array.from({ length: lanes }, () => runLane(kernel.port, path, warm.resolve));
  await warm.promise;
  const ended = kernel.stop();
  const ends = await Promise.all(running);
  await ended;
  return ends;
};

interface Lane {
  readonly answered: number;
  readonly end: "reset" | "crossed" | "refused";
}

/** Answers on one connection after which a lane has warmed up. */
const warmAfter = 5;

/** Sends requests one after the other on a connection, and on a new one after each `connection: close`, until nobody listens. */
const runLane = async (port: number, path: string, onWarm: () => void): Promise<Lane> => {
  let answered = 0;
  for (;;) {
    const one = await runConnection(port, path, onWarm);
    answered += one.answered;
    if (one.end !== "closed") return { answered, end: one.end };
  }
};

interface ConnectionEnd {
  readonly answered: number;
  readonly end: "refused" | "closed" | "reset" | "crossed";
}

const runConnection = (port: number, path: string, onWarm: () => void): Promise<ConnectionEnd> =>
  new Promise((resolve) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    let answered = 0;
    let received = "";
    let isConnected = false;
    let isLast = false;
    const socket = connect(port, "127.0.0.1");
    const finish = (end: ConnectionEnd["end"]): void => {
      socket.destroy();
      resolve({ answered, end });
    };
    socket.setNoDelay(true).on("connect", () => {
      isConnected = true;
      socket.write(request);
    });
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
      const head = received.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < head + 4 + length) return;
      isLast = /\r\nconnection: close/i.test(received.slice(0, head + 2));
      received = "";
      answered += 1;
      if (answered === warmAfter) onWarm();
      if (isLast) finish("closed");
      else socket.write(request);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (isLast) return;
      if (!isConnected) finish("refused");
      // Ended while it rested, before the request got there: the kernel had nothing of it.
      else finish(received === "" && answered > 0 ? "crossed" : "reset");
    });
  });

/** A kernel in this process that adds numbers at `/api/probe/sum`. */
export const startInProcess = async (): Promise<RunningKernel> => {
  const options = {
    services: [probe],
    flags: { port: 0, stateDir: freshFolder(), lagMs: 60_000 },
    env: {},
    log: () => {},
  };
  const kernel = await openKernel(options);
  const { port } = await kernel.serve();
  return { port, stop: () => kernel.close() };
};

const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Adds.",
  procedures: { sum: query({ summary: "Adds.", input: z.object({ a: z.int(), b: z.int() }), output: z.int() }) },
});
const probe = defineService(contract, () => ({ handlers: { sum: ({ a, b }) => a + b } }));
const freshFolder = (): string => mkdtempSync(join(tmpdir(), "fairlead-stops-"));
