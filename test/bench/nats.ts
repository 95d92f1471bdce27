/**
 * Calls over NATS beside request-reply of NATS's own client, which parses and writes the same JSON: one client process, 64 calls at once, rounds in turn. CPU is that of the
 * client and of the answering process together; the server's own is the same for both and beside it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeLog, openKernel } from "@fairlead/kernel";
import { connect } from "@nats-io/transport-node";
// @boundaries-ignore the helper is the kernel's own
import { startNats } from "../../kernel/src/testing/nats-server.ts";
import { echoValue } from "./payload.ts";
import placed from "./servers/placed.service.ts";
import { median } from "./upstreams.ts";

interface Way {
  readonly name: string;
  readonly pid: number;
  readonly child: ChildProcess;
  readonly call: (input: unknown) => Promise<unknown>;
}

const cpu = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const lanes = 64;
const rounds = 7;
const calls = 8_000;

const measure = async (
  way: Way,
  input: unknown,
): Promise<readonly [perSecond: number, client: number, peer: number]> => {
  let left = calls;
  const [began, own, theirs] = [performance.now(), process.cpuUsage(), cpu(way.pid)];
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await way.call(input);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(own);
  const seconds = (performance.now() - began) / 1_000;
  return [calls / seconds, (user + system) / calls, ((cpu(way.pid) - theirs) * 1_000) / calls];
};

const startPeer = async (how: string, servers: string): Promise<Pick<Way, "child" | "pid">> => {
  const script = fileURLToPath(new URL("./servers/nats-peer.ts", import.meta.url));
  const child = fork(script, [how, servers], { execArgv: ["--conditions=@fairlead/source"] });
  const [pid] = await once(child, "message");
  return { child, pid };
};

export const benchNats = async (): Promise<void> => {
  const servers = { raw: await startNats(), account: await startNats(), secret: await startNats() };
  const connection = await connect({ servers: servers.raw.url });
  const openClient = (trust: "account" | "secret") =>
    openKernel({
      services: [placed],
      env: { FAIRLEAD_NATS_SECRET: "a secret of the bench" },
      flags: {
        lagMs: 60_000,
        stateDir: mkdtempSync(join(tmpdir(), "fairlead-bench-")),
        nats: { servers: servers[trust].url, trust },
      },
      log: makeLog({ level: "error" }),
    });
  const kernels = { account: await openClient("account"), secret: await openClient("secret") };
  const ways: Way[] = [
    {
      name: "raw",
      ...(await startPeer("raw", servers.raw.url)),
      call: async (input) =>
        (await connection.request("bench.echo", JSON.stringify(input), { timeout: 10_000 })).json(),
    },
  ];
  for (const trust of ["account", "secret"] as const) {
    await kernels[trust].started();
    const transport = kernels[trust].connect();
    ways.push({
      name: trust,
      ...(await startPeer(trust, servers[trust].url)),
      call: async (input) => {
        const reply = await transport.call("placed.echo", input);
        if (!reply.ok) throw new Error(JSON.stringify(reply.error));
        return reply.value;
      },
    });
  }
  const small = { title: "small", items: [] };
  for (const [name, input] of Object.entries({ small, "2 KB": echoValue })) {
    for (const way of ways) await measure(way, input);
    const rows = ways.map((way) => ({ way, figures: [] as (readonly number[])[] }));
    for (let round = 0; round < rounds; round += 1)
      for (const { way, figures } of rows) figures.push(await measure(way, input));
    for (const { way, figures } of rows) {
      const [perSecond = 0, client = 0, peer = 0] = [0, 1, 2].map((at) =>
        median(figures.map((figure) => figure[at] ?? 0)),
      );
      process.stdout.write(
        `${name.padEnd(8)}${way.name.padEnd(10)}${perSecond.toFixed(0).padStart(8)} a second${client.toFixed(1).padStart(8)} us client${peer.toFixed(1).padStart(8)} us peer\n`,
      );
    }
  }
  for (const { child } of ways) child.disconnect();
  await connection.close();
  await Promise.all(Object.values(kernels).map((kernel) => kernel.close()));
  await Promise.all(Object.values(servers).map((server) => server.stop()));
};
