/**
 * One call from the command line: its output as JSON on stdout, or of a subscription one event a line.
 *
 * Of a list in pages with --all one item a line. With --as the call itself, in another form.
 *
 * Pretty for people on a terminal; elsewhere, and with --json, the bytes that the HTTP API sends.
 */
import { type CallOptions, createClient, type ProcedureDescriptor, type Transport } from "@fairlead/client";
import type { Command } from "commander";
import { type Context, text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import type { KernelConnection } from "../kernel/connection.ts";

interface AnyService {
  readonly run: { readonly input: unknown; readonly output: unknown; readonly errors: Record<never, never> };
}

interface AnyStream {
  readonly run: AnyService["run"] & { readonly kind: "subscription" };
}

/** A procedure by its full name, and what it is called with. */
interface NamedCall {
  readonly name: string;
  readonly input: unknown;
}

/** Flags of the call itself, whatever is called. */
export const defineCallFlags = (command: Command): Command =>
  command
    .option("--as <form>", "Show the call, and make none: curl, typescript, python or mcp")
    .option("--all", "For lists in pages: every item of every page, one a line")
    .option("--start", "For long work: start it as a run, print that, and do not wait")
    .option("--watch", "With --start: follow it to its end, and answer its questions")
    .option("--file <path>", "For uploads: the file to send, or - for stdin")
    .option("--media-type <type>", "With --file: its media type, where its name does not say")
    .option("--out <path>", "For downloads: where to write the file, or - for stdout")
    .option("--idempotency-key <key>", "For keyed procedures: a repeat with this key gets the stored answer")
    .option("--stream", "For subscriptions: one event a line until interrupted")
    .option("--limit <n>", "With --stream or --all: end after this many")
    .option("--last-event-id <id>", "With --stream: start after this event");

type Flags = Readonly<Record<string, unknown>>;

export const runCall = async (
  context: Context,
  kernel: KernelConnection,
  { name, input, flags }: NamedCall & { readonly flags: Flags },
): Promise<void> => {
  const { transport, procedure } = kernel;
  const as = text(flags.as);
  if (as !== undefined) {
    if (flags.all === true) throw new UsageError("--as shows one call, and --all makes many", "leave one of them out");
    const { showCall } = await import("../snippet/collect.ts");
    const file = { file: text(flags.file), mediaType: text(flags.mediaType), out: text(flags.out) };
    return showCall(context, kernel, { as, name, input, idempotencyKey: text(flags.idempotencyKey), file });
  }
  if (flags.start === true) {
    const { startRun } = await import("../run/start-run.ts");
    return startRun(context, kernel, { name, input, watch: flags.watch === true, key: text(flags.idempotencyKey) });
  }
  const descriptor = await procedure(name);
  const file = { transport, descriptor, input, flags };
  if (descriptor.upload === true) return (await import("./file-call.ts")).uploadFile(context, file);
  if (flags.file !== undefined) throw new UsageError(`${name} takes no file`, "leave --file out");
  if (descriptor.download === true) return (await import("./file-call.ts")).downloadFile(context, file);
  if (flags.out !== undefined) throw new UsageError(`${name} gives no file`, "leave --out out");
  if (flags.all === true) await printItems(context, { transport, descriptor, input }, flags);
  else if (descriptor.kind === "subscription") await streamEvents(context, { transport, descriptor, input }, flags);
  else await callOnce(context, { transport, descriptor, input }, flags);
};

interface CallTarget {
  readonly transport: Transport;
  readonly descriptor: ProcedureDescriptor;
  readonly input: unknown;
}

const callOnce = async (
  context: Context,
  { transport, descriptor, input }: CallTarget,
  flags: Flags,
): Promise<void> => {
  if (flags.stream === true) throw new UsageError(`${descriptor.name} is not a subscription`, "leave --stream out");
  if (flags.limit !== undefined)
    throw new UsageError(
      `${descriptor.name} is called once: --limit goes with --stream or --all`,
      "leave --limit out; the flag of a field with that name is --field-limit",
    );
  if (flags.lastEventId !== undefined)
    throw new UsageError(`${descriptor.name} is not a subscription`, "leave --last-event-id out");
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

interface AnyList {
  readonly run: {
    readonly paginated: true;
    readonly input: unknown;
    readonly output: AnyPage;
    readonly errors: Record<never, never>;
  };
}

interface AnyPage {
  readonly items: readonly unknown[];
}

const printItems = async (
  { io, timeoutMs }: Context,
  { transport, descriptor, input }: CallTarget,
  flags: Flags,
): Promise<void> => {
  if (descriptor.paginated !== true) throw new UsageError(`${descriptor.name} gives no pages`, "leave --all out");
  const limit = parseLimit(flags.limit);
  const procedures = { run: { ...descriptor, kind: "query", paginated: true } } as const;
  const client = createClient<AnyList>({ id: "cli", procedures }, transport);
  let count = 0;
  for await (const item of client.run.items(input, {
    signal: io.signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })) {
    io.out(JSON.stringify(item));
    count += 1;
    if (count === limit) return;
  }
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
  if (count === 0) context.say("no event came");
};

const parseLimit = (value: unknown): number => {
  const given = text(value);
  if (given === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new UsageError(`--limit takes a number, not ${JSON.stringify(given)}`, "give a whole number above 0");
};

const progressText = (at: { readonly progress: number; readonly total?: number; readonly message?: string }): string =>
  `${at.progress}${at.total === undefined ? "" : ` of ${at.total}`}${at.message === undefined ? "" : `: ${at.message}`}`;
