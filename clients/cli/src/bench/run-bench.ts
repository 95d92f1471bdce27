/** Benches one procedure of a kernel: finds the way to call it, tries it once, puts the load on it, and says what it found. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { codes, isCode } from "@fairlead/contracts";
import type { Context } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import type { KernelConnection } from "../kernel/connection.ts";
import { createKernelClient, describeService } from "../kernel/kernel-client.ts";
import { exitOfSignal } from "../terminal/io.ts";
import { type CallFailure, type LoadPlan, type Progress, runLoad } from "./load.ts";
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
  const limitMs = await findLimit(context, kernel, name);
  const { sender, readCpu } = await openSender(context, kernel, { ...request, limitMs });
  try {
    const failed = await sender.send();
    if (context.io.signal.aborted) throw interruptedError(context, name);
    if (failed !== undefined) throw failedError(request, failed);
    let cpuBefore: Promise<number | undefined> = Promise.resolve(undefined);
    let stop: Promise<Awaited<ReturnType<typeof startProfile>>> | undefined;
    const result = await runLoad(plan, {
      send: sender.send,
      limitMs,
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
    };
    const report = toReport(settings, result, cpuMs);
    const profile = stop === undefined ? undefined : readProfile(`${name} over ${transport}`, await (await stop)());
    return { report, ...(profile !== undefined && { profile }) };
  } finally {
    sender.close();
  }
};

/** The exit code is that of `fairlead call`. */
const failedError = ({ name, transport }: BenchRequest, { code, isDeclared, detail }: CallFailure): CommandError =>
  new CommandError(
    { code, exit: isDeclared === true ? 5 : isCode(code) ? codes[code].exit : 1 },
    {
      message: `${name} fails over ${transport}: ${code}${detail === undefined ? "" : ` (${detail})`}`,
      hint: `\`fairlead call ${name}\` with the same input says why`,
    },
  );

const interruptedError = ({ io }: Context, name: string): CommandError =>
  new CommandError(
    { code: "canceled", exit: exitOfSignal(io.signal.reason) },
    { message: `interrupted before ${name} had answered once` },
  );

/** Milliseconds, where neither the command nor the contract says how long a call may take. */
const defaultLimitMs = 30_000;

const findLimit = async (context: Context, kernel: KernelConnection, name: string): Promise<number> => {
  if (context.timeoutMs !== undefined) return context.timeoutMs;
  const [service = "", procedure] = name.split(".");
  // Who may call a procedure need not be allowed to have it described.
  const found = await describeService(createKernelClient(context, kernel), service, procedure).catch(() => undefined);
  return found?.procedures[0]?.deadlineMs ?? defaultLimitMs;
};

interface OpenSender {
  readonly sender: Sender;
  /** Milliseconds of CPU that the server has needed so far, where that can be known. */
  readonly readCpu: () => Promise<number | undefined>;
}

const openSender = async (
  { io, token }: Context,
  kernel: KernelConnection,
  { name, input, transport, allowed, limitMs }: BenchRequest & { readonly limitMs: number },
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
  const ends = { limitMs, signal: io.signal };
  if (transport === "memory") {
    const readCpu = async (): Promise<number> => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
    return { sender: memorySender(kernel.transport, call, ends), readCpu };
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
  return { sender: wireSender(open, transport, call, ends), readCpu: () => readServerCpu(address) };
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
