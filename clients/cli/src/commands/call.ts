/**
 * `fairlead call`: one procedure, its output as JSON on stdout. Subscriptions stream one event a line.
 *
 * Pretty for people on a terminal; elsewhere, and with --json, the bytes that the HTTP API sends.
 */
import { type CallOptions, createClient, type ProcedureDescriptor, type Transport } from "@fairlead/client";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { readInput } from "../command/input.ts";
import { withKernel } from "../kernel/connect.ts";
import type { KernelConnection } from "../kernel/connection.ts";

interface AnyService {
  readonly run: { readonly input: unknown; readonly output: unknown; readonly errors: Record<never, never> };
}

interface AnyStream {
  readonly run: AnyService["run"] & { readonly kind: "subscription" };
}

const call: CommandModule = {
  usageHint: `give the input as JSON after -d, like -d '{"city":"Bergen"}' or -d @input.json`,
  define: (command) => {
    command
      .argument("<procedure>", "Full name, like weather.forecast")
      .option("-d, --data <json>", "Input: JSON, @file, or - for stdin")
      .option("--idempotency-key <key>", "For keyed procedures: a repeat with this key gets the stored answer")
      .option("--stream", "For subscriptions: one event a line until interrupted")
      .option("--limit <n>", "With --stream: end after this many events")
      .option("--last-event-id <id>", "With --stream: start after this event")
      .addHelpText("after", '\nExamples:\n  fairlead call weather.forecast -d \'{"city":"Bergen"}\'\n');
  },

  run: async (context, { args, flags }) => {
    const name = args[0] ?? "";
    if (!/^[^.]+(?:\.[^.]+)?$/.test(name)) {
      throw new UsageError(
        `${JSON.stringify(name)} is not a procedure name`,
        "like weather.forecast; `fairlead ls` lists them",
      );
    }
    const input = await readInput(text(flags.data), { cwd: context.cwd, stdin: context.io.stdin });
    const work = async ({ transport, procedure }: KernelConnection): Promise<number> => {
      const descriptor = await procedure(name);
      if (descriptor.kind === "subscription") await streamEvents(context, { transport, descriptor, input }, flags);
      else await callOnce(context, { transport, descriptor, input }, flags);
      return 0;
    };
    return withKernel(context, work, { needs: [name.split(".")[0] ?? name] });
  },
};

interface CallTarget {
  readonly transport: Transport;
  readonly descriptor: ProcedureDescriptor;
  readonly input: unknown;
}

type Flags = Readonly<Record<string, unknown>>;

const callOnce = async (
  context: Context,
  { transport, descriptor, input }: CallTarget,
  flags: Flags,
): Promise<void> => {
  if (flags.stream === true) throw new UsageError(`${descriptor.name} is not a subscription`, "leave --stream out");
  const kind = descriptor.kind === "query" ? "query" : "mutation";
  const client = createClient<AnyService>({ id: "cli", procedures: { run: { ...descriptor, kind } } }, transport);
  const key = text(flags.idempotencyKey);
  const options: CallOptions = {
    signal: context.io.signal,
    ...(context.timeoutMs !== undefined && { timeoutMs: context.timeoutMs }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(context.verbose && { onProgress: (at) => context.say(progressText(at)) }),
  };
  const output = await client.run(input, options);
  const pretty = context.io.tty.out && !context.json;
  context.io.out(JSON.stringify(output ?? null, undefined, pretty ? 2 : undefined));
};

const streamEvents = async (
  context: Context,
  { transport, descriptor, input }: CallTarget,
  flags: Flags,
): Promise<void> => {
  const { io, timeoutMs } = context;
  const limit = parseLimit(flags.limit);
  const lastEventId = text(flags.lastEventId);
  const procedures = { run: { ...descriptor, kind: "subscription" } } as const;
  const client = createClient<AnyStream>({ id: "cli", procedures }, transport);
  const over = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signal = over === undefined ? io.signal : AbortSignal.any([io.signal, over]);
  let count = 0;
  try {
    for await (const event of client.run(input, { signal, ...(lastEventId !== undefined && { lastEventId }) })) {
      io.out(JSON.stringify(event));
      count += 1;
      if (count === limit) return;
    }
  } catch (error) {
    // --timeout is the length of a stream, not a deadline that it missed.
    if (over?.aborted !== true || io.signal.aborted) throw error;
  }
};

const parseLimit = (value: unknown): number => {
  const given = text(value);
  if (given === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new UsageError(`--limit takes a number of events, not ${JSON.stringify(given)}`, "give a whole number above 0");
};

const progressText = (at: { readonly progress: number; readonly total?: number; readonly message?: string }): string =>
  `${at.progress}${at.total === undefined ? "" : ` of ${at.total}`}${at.message === undefined ? "" : `: ${at.message}`}`;

export default call;
