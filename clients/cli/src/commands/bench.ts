/** `fairlead bench`: load on one procedure of the project's own services, and what it took. */
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { mostUnderWay } from "../bench/load.ts";
import { formatReport, parseReport } from "../bench/report.ts";
import { runBench } from "../bench/run-bench.ts";
import { type TransportName, transports } from "../bench/sender.ts";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { parseDuration } from "../command/duration.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { readInput } from "../command/input.ts";
import { withKernel } from "../kernel/connect.ts";
import { exitOfSignal } from "../terminal/io.ts";

const defaultRate = 100;
const defaultProfile = "fairlead-profile.html";

const bench: CommandModule = {
  usageHint: "name a procedure, like `fairlead bench weather.forecast -d @input.json --rate 500`",
  define: (command) => {
    command
      .argument("<procedure>", "Full name, like weather.forecast")
      .option("-d, --data <json>", "Input: JSON, @file, or - for stdin")
      .option("--rate <n>", `Calls a second, begun whether others have ended or not (default: ${defaultRate})`)
      .option("--concurrency <n>", "So many callers instead, each of which waits for its answer")
      .option("--for <duration>", "How long it counts (default: 10s)")
      .option("--warm-up <duration>", "How long before that it does not (default: 2s)")
      .option("--transport <name>", "http, trpc, mcp, or memory: a kernel in this process")
      .option(
        "--profile [file]",
        `With memory: a flame graph (default: ${defaultProfile}) and the most expensive lines`,
      )
      .option("--compare <file>", "Show what --json printed earlier beside it")
      .option("--yes", "Call it though it may change something")
      .addHelpText(
        "after",
        "\nWithout --transport: over HTTP where a kernel of this project runs, else in this process, on a state of its own.\n\nExamples:\n" +
          '  fairlead bench weather.forecast -d \'{"city":"Bergen"}\' --rate 500 --for 30s\n' +
          "  fairlead bench weather.forecast -d @input.json --json > last.json\n" +
          "  fairlead bench weather.forecast -d @input.json --compare last.json\n",
      );
  },

  run: async (context, { args, flags }) => {
    const name = args[0] ?? "";
    if (!/^[^.]+\.[^.]+$/.test(name))
      throw new UsageError(
        `${JSON.stringify(name)} is not a procedure name`,
        "like weather.forecast; `fairlead ls` lists them",
      );
    const plan = {
      load: parseLoad(text(flags.rate), text(flags.concurrency)),
      warmUpMs: parseDuration("--warm-up", text(flags.warmUp) ?? "2s"),
      forMs: parseLength(text(flags.for) ?? "10s"),
    };
    const transport = await chooseTransport(context, text(flags.transport));
    const profiled = flags.profile !== undefined;
    if (profiled && transport !== "memory")
      throw new UsageError(
        `--profile looks into this process, and over ${transport} the kernel is another one`,
        "add --transport memory",
      );
    const profileFile = resolve(context.cwd, text(flags.profile) ?? defaultProfile);
    if (profiled) assertWritable(profileFile);
    const before = readEarlier(context, text(flags.compare), name);
    const input = await readInput(text(flags.data), { cwd: context.cwd, stdin: context.io.stdin });
    const request = { name, input, transport, plan, allowed: flags.yes === true, profiled };
    const isLocal = transport === "memory";
    const { report, profile } = await withKernel(
      isLocal ? { ...context, local: true } : context,
      (kernel) => runBench(context, kernel, request),
      isLocal ? { needs: [name.split(".")[0] ?? name] } : { running: true },
    );
    if (profile !== undefined) writeFileSync(profileFile, profile.html);
    const lines = profile?.lines ?? [];
    context.print(
      { ...report, ...(profile !== undefined && { profile: { file: profileFile, lines } }) },
      () => `${formatReport(report, before)}${profile === undefined ? "" : formatLines(profileFile, lines)}`,
    );
    if (report.interrupted === true) return exitOfSignal(context.io.signal.reason);
    const failed = Object.values(report.errors).reduce((sum, count) => sum + count, 0);
    if (failed < report.calls || report.calls === 0) return 0;
    throw new CommandError({ code: "findings", exit: 9 }, { message: `every call of ${name} failed` });
  },
};

/** Where a kernel of the project runs, over HTTP; else in this process. */
const chooseTransport = async (context: Context, given: string | undefined): Promise<TransportName> => {
  const known = transports.find((name) => name === given);
  if (given !== undefined && known === undefined)
    throw new UsageError(`--transport takes ${transports.join(", ")}, not ${JSON.stringify(given)}`);
  if (known === "memory" && context.url !== undefined)
    throw new UsageError("--transport memory is a kernel in this process", "leave --url out");
  if (known !== undefined) return known;
  if (context.url !== undefined) return "http";
  if (context.local) return "memory";
  const { findOwner, statePlace } = await import("../owner/place.ts");
  const { folder } = await statePlace(context);
  return (await findOwner(folder)).state === "open" ? "http" : "memory";
};

const parseLoad = (
  rate: string | undefined,
  callers: string | undefined,
): { readonly rate: number } | { readonly callers: number } => {
  if (rate !== undefined && callers !== undefined)
    throw new UsageError("--rate and --concurrency do not go together", "leave one of them out");
  if (callers === undefined) return { rate: parseCount("--rate", rate ?? `${defaultRate}`, 1_000_000) };
  return { callers: parseCount("--concurrency", callers, mostUnderWay) };
};

const parseCount = (flag: string, given: string, most: number): number => {
  const count = Number(given);
  if (/^[1-9]\d{0,6}$/.test(given) && count <= most) return count;
  throw new UsageError(`${flag} takes a whole number from 1 to ${most}, not ${JSON.stringify(given)}`);
};

const parseLength = (given: string): number => {
  const ms = parseDuration("--for", given);
  if (ms > 0) return ms;
  throw new UsageError("--for 0 counts nothing", "give a duration like 10s");
};

const readEarlier = ({ cwd }: Context, path: string | undefined, name: string): ReturnType<typeof parseReport> => {
  if (path === undefined) return undefined;
  const file = resolve(cwd, path);
  const found = parseReport(readText(file));
  if (found === undefined)
    throw new UsageError(
      `${file} is not the report of a bench`,
      "make one with `fairlead bench ... --json > last.json`",
    );
  if (found.procedure === name) return found;
  throw new UsageError(`${file} is a report of ${found.procedure}`, `compare with one of ${name}`);
};

/** Before the load, since a profile that cannot be kept is a bench for nothing. */
const assertWritable = (file: string): void => {
  try {
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
  } catch (cause) {
    throw new UsageError(`${file} cannot be written`, "correct the path after --profile", { cause });
  }
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UsageError(`${file} cannot be read`, "correct the path after --compare", { cause });
  }
};

const formatLines = (file: string, lines: readonly { readonly place: string; readonly share: number }[]): string =>
  [
    "",
    "",
    "the most expensive lines, of the time it was busy:",
    ...lines.map(({ place, share }) => `  ${`${(share * 100).toFixed(1)} %`.padStart(7)}  ${place}`),
    `flame graph: ${file}`,
  ].join("\n");

export default bench;
