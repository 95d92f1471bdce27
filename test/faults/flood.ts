/** Fresh clients of a kernel whose places are all taken by slow ones. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openProject, startTarget } from "./project.ts";

export interface FloodOptions {
  /** Slow connections that are kept up. */
  readonly slow: number;
  /** Probes, one after the other. */
  readonly probes: number;
}

export interface FloodResult {
  /** Connections that the slow clients made, those that were thrown out included. */
  readonly made: number;
  readonly failed: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes that the kernel's resident memory has grown. */
  readonly grown: number;
}

/** So that the probes see many generations of slow connections. */
const betweenProbesMs = 10;

const program = fileURLToPath(new URL("./slow-clients.ts", import.meta.url));

export const flood = async ({ slow, probes }: FloodOptions): Promise<FloodResult> => {
  const project = await openProject();
  const target = await startTarget(project);
  const clients = spawn(process.execPath, [program, String(target.port), String(slow)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const before = await target.memory();
    let said = "";
    clients.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    while (!said.includes("ready")) await once(clients.stdout, "data");
    const times: number[] = [];
    let failed = 0;
    for (let at = 0; at < probes; at += 1) {
      const began = performance.now();
      if (await probe(target.port)) times.push(performance.now() - began);
      else failed += 1;
      await pause(betweenProbesMs);
    }
    const grown = (await target.memory()) - before;
    clients.stdin.end();
    await once(clients, "close");
    times.sort((a, b) => a - b);
    const rank = (share: number): number => times[Math.floor(times.length * share)] ?? Number.POSITIVE_INFINITY;
    return { made: Number(said.split("\n").at(-2)), failed, p50: rank(0.5), p99: rank(0.99), grown };
  } finally {
    clients.kill("SIGKILL");
    await target.remove();
    await project.remove();
  }
};

/** True for a request on a connection of its own that is answered. */
const probe = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const sending = request({ host: "127.0.0.1", port, path: "/livez", agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode === 200));
    });
    sending.on("error", () => resolve(false)).end();
  });
