/** Clients that send slowly and clients that read nothing: others must be served meanwhile, and the kernel must not grow with what waits for them. */
import type { Socket } from "node:net";
import { openSocket } from "./send.ts";
import { percentile, type StageResult, type StageSetup } from "./stage.ts";

/** Of the quick run: slow sockets, deaf ones, and probes beside them. */
const quick = { slow: 200, deaf: 10, probes: 200 };
const mostGrowth = 512 * 1_048_576;

export const sockets = async ({ scale, start }: StageSetup): Promise<StageResult> => {
  const kernel = await start();
  const host = `127.0.0.1:${kernel.port}`;
  const before = (await kernel.usage())?.bytes ?? 0;
  const many = Math.min(quick.slow * scale, 5_000);
  const open: Socket[] = [];
  for (let at = 0; at < many; at += 1) {
    const socket = openSocket(kernel.port);
    socket.write(`POST /api/kernel/ping HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n`);
    open.push(socket);
  }
  const document = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(300);
  for (let at = 0; at < quick.deaf; at += 1) {
    const socket = openSocket(kernel.port);
    socket.pause();
    socket.write(document);
    open.push(socket);
  }
  const [times, failures] = await probe(host, quick.probes * Math.min(scale, 10));
  const grown = ((await kernel.usage())?.bytes ?? before) - before;
  for (const socket of open) socket.destroy();
  await kernel.end("SIGTERM");
  const problems = [
    ...failures.slice(0, 20).map((why) => `a probe failed: ${why}`),
    ...(grown > mostGrowth ? [`it has grown by ${(grown / 1_048_576).toFixed(0)} MB`] : []),
  ];
  return {
    name: "slow and deaf sockets",
    ok: problems.length === 0,
    figures: `${many} slow, ${quick.deaf} deaf; ${times.length} probes on fresh connections: p99 ${percentile(times, 0.99).toFixed(0)} ms, ${failures.length} failed`,
    problems,
  };
};

const probe = async (
  host: string,
  count: number,
): Promise<readonly [times: readonly number[], failures: readonly string[]]> => {
  const times: number[] = [];
  const failures: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    const problem = await fetch(`http://${host}/livez`, { headers: { connection: "close" } }).then(
      (answer) => answer.text().then((text) => (answer.ok ? undefined : `${answer.status} ${text}`)),
      (cause: unknown) => String(cause instanceof Error ? (cause.cause ?? cause) : cause),
    );
    times.push(performance.now() - began);
    if (problem !== undefined) failures.push(problem);
  }
  return [times, failures];
};
