/** Benches one procedure of a kernel: finds the way to call it, tries it once, puts the load on it, and says what it found. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import type { KernelConnection } from "../kernel/connection.ts";
import { type LoadPlan, type Progress, runLoad } from "./load.ts";
import { type Profile, readProfile, startProfile } from "./profile.ts";
import { type BenchReport, toReport } from "./report.ts";
import { memorySender, type Sender, type TransportName, wireSender } from "./sender.ts";
import { readServerCpu } from "./server-cpu.ts";

interface BenchRequest {
  readonly name: string;
  readonly input: unknown;
  readonly transport: TransportName;
  readonly plan: LoadPlan;
  /** Whether something that changes state may be called. */
  readonly allowed: boolean;
  /** Whether this process is profiled, which has to be the kernel's. */
  readonly profiled: boolean;
}

interface BenchFindings {
  readonly report: BenchReport;
  readonly profile?: Profile;
}

export const runBench = async (
  context: Context,
  kernel: KernelConnection,
  request: BenchRequest,
): Promise<BenchFindings> => {
  const { name, transport, plan } = request;
  const { sender, readCpu } = await openSender(context, kernel, request);
  try {
    const failed = await sender.send();
    if (failed !== undefined)
      throw new CommandError(
        { code: failed, exit: 1 },
        {
          message: `${name} fails over ${transport}: ${failed}`,
          hint: `\`fairlead call ${name}\` with the same input says why`,
        },
      );
    let cpuBefore: Promise<number | undefined> = Promise.resolve(undefined);
    let stop: Promise<Awaited<ReturnType<typeof startProfile>>> | undefined;
    const result = await runLoad(plan, {
      send: sender.send,
      now: () => performance.now(),
      wait: (ms) => sleep(ms, undefined, { signal: context.io.signal }).catch(() => undefined),
      signal: context.io.signal,
      onBegin: () => {
        cpuBefore = readCpu();
        if (request.profiled) stop = startProfile();
      },
      onProgress: showProgress(context, plan),
    });
    const [before, after] = [await cpuBefore, await readCpu()];
    const cpuMs = before === undefined || after === undefined ? undefined : after - before;
    const settings = {
      procedure: name,
      transport,
      ...("rate" in plan.load ? { rate: plan.load.rate } : { callers: plan.load.callers }),
      forMs: plan.forMs,
    };
    const report = toReport(settings, result, cpuMs);
    const profile = stop === undefined ? undefined : readProfile(`${name} over ${transport}`, await (await stop)());
    return { report, ...(profile !== undefined && { profile }) };
  } finally {
    sender.close();
  }
};

interface OpenSender {
  readonly sender: Sender;
  /** Milliseconds of CPU that the server has needed so far, where that can be known. */
  readonly readCpu: () => Promise<number | undefined>;
}

const openSender = async (
  { io, token }: Context,
  kernel: KernelConnection,
  { name, input, transport, allowed }: BenchRequest,
): Promise<OpenSender> => {
  const descriptor = await kernel.procedure(name);
  if (descriptor.kind === "subscription" || descriptor.upload === true || descriptor.download === true)
    throw new UsageError(`${name} is not answered by one document`, "bench a query or a mutation");
  if (descriptor.kind !== "query" && !allowed)
    throw new UsageError(
      `${name} may change something, and a bench calls it again and again`,
      "say --yes where that does no harm",
    );
  const tool =
    transport === "mcp" ? [...(await kernel.tools())].find(([, procedure]) => procedure === name)?.[0] : undefined;
  if (transport === "mcp" && tool === undefined)
    throw new UsageError(`${name} is no MCP tool`, "leave --transport out, or take http");
  const call = { descriptor, input, tool, newKey: () => randomUUID() };
  if (transport === "memory") {
    const readCpu = async (): Promise<number> => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
    return { sender: memorySender(kernel.transport, call, io.signal), readCpu };
  }
  const { address } = kernel;
  if (address === undefined) throw new Error(`a kernel in this process has no address for ${transport}`);
  const { socket, served } = address;
  if (socket !== undefined && served === undefined && transport !== "http")
    throw new UsageError(
      `the kernel of this project takes no ${transport}: it listens nowhere`,
      "take --transport http",
    );
  // On the socket the command is known by a key of its own; elsewhere it is who its token says.
  const open = served === undefined ? address : { url: served, token: token() };
  return { sender: wireSender(open, transport, call), readCpu: () => readServerCpu(address) };
};

const everyMs = 200;
const width = 30;

/** A bar on a terminal, drawn over itself; silent elsewhere. */
const showProgress = ({ io, say }: Context, { warmUpMs, forMs }: LoadPlan): ((progress: Progress) => void) => {
  if (!io.tty.err) return () => undefined;
  let drawn: number | undefined;
  return ({ atMs, calls, failed }) => {
    if (drawn !== undefined && atMs - drawn < everyMs) return;
    const over = drawn === undefined ? "" : "\u001B[1A\u001B[2K";
    drawn = atMs;
    const share = Math.min(1, (atMs + warmUpMs) / (warmUpMs + forMs));
    const bar = "█".repeat(Math.round(share * width)).padEnd(width, "░");
    const words = atMs < 0 ? "warming up" : `${calls} calls, ${failed} failed`;
    say(`${over}${bar} ${words}`);
  };
};
