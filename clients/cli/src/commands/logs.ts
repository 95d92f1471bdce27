/** `fairlead logs`: what this project's kernel logged, also after it has ended. */
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { parseDuration } from "../command/duration.ts";
import { UsageError } from "../command/failure.ts";
import { withRunningKernel } from "../kernel/kernel-client.ts";
import {
  formatLogLine,
  isLogLevel,
  type LogFilter,
  type LogLine,
  parseLogLine,
  passes,
  toLogLine,
} from "../log/log-entry.ts";
import { readLog } from "../log/log-reader.ts";
import { statePlace } from "../owner/place.ts";

/** Lines that are shown without --tail and --since. */
const usualTail = 100;

const logs: CommandModule = {
  define: (command) => {
    command
      .argument("[service]", "Only lines about this service; `kernel` for those about none")
      .option("-f, --follow", "Go on with the lines that come, until interrupted")
      .option("--tail <n>", "The last lines, at most this many (default: 100, or all with --since)")
      .option("--since <when>", "Lines from then on: a duration like 10m or 2h, or a time like 2026-11-22T20:00:00Z")
      .option("--level <level>", "Lines of this level and above: debug, info, warn or error")
      .addHelpText(
        "after",
        "\nThe log is kept in the state folder (`fairlead status` names it), about 8 MB of it. Calls that only read are logged" +
          ' where `log.calls` of the configuration is "all" (or FAIRLEAD_LOG_CALLS=all).' +
          "\n\nExamples:\n  fairlead logs\n  fairlead logs weather -f --level warn\n  fairlead logs --since 10m --json\n",
      );
  },

  run: async (context, { args: [service], flags }) => {
    const filter = readFilter(service, flags);
    const tail = readTail(flags, filter);
    const show = (line: LogLine): string => formatLogLine(line, context.paint);
    if (context.url !== undefined) return followRemote(context, filter, flags.follow === true);
    const { folder } = await statePlace(context);
    const { lines, follow } = readLog(folder);
    const print = (raw: string): void => {
      const line = parseLogLine(raw);
      if (line !== undefined && passes(line, filter)) context.io.out(context.json ? raw : show(line));
    };
    const found = lines.filter((raw) => {
      const line = parseLogLine(raw);
      return line !== undefined && passes(line, filter);
    });
    for (const raw of found.slice(Math.max(0, found.length - tail))) print(raw);
    if (flags.follow === true) await follow(print, context.io.signal);
    else if (found.length === 0)
      context.say(
        `nothing to show in the log of ${folder}; calls that only read are logged where \`log.calls\` is "all" (FAIRLEAD_LOG_CALLS=all)`,
      );
    return 0;
  },
};

const readFilter = (service: string | undefined, flags: Readonly<Record<string, unknown>>): LogFilter => {
  const level = text(flags.level);
  if (level !== undefined && !isLogLevel(level))
    throw new UsageError(`--level takes debug, info, warn or error, not ${JSON.stringify(level)}`);
  const since = text(flags.since);
  return { service, level, since: since === undefined ? undefined : readTime(since) };
};

const readTime = (given: string): number => {
  const time = /^\d{4}-/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(time) ? Date.now() - parseDuration("--since", given) : time;
};

const readTail = (flags: Readonly<Record<string, unknown>>, { since }: LogFilter): number => {
  const given = text(flags.tail);
  if (given === undefined) return since === undefined ? usualTail : Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new UsageError(`--tail takes a number of lines, not ${JSON.stringify(given)}`, "give a whole number");
};

/** The log of a kernel elsewhere is read as events: what it still has in memory, then what comes. */
const followRemote = async (context: Context, filter: LogFilter, follow: boolean): Promise<number> => {
  if (!follow) throw new UsageError("the log of a kernel at --url can only be followed", "add -f");
  const { signal } = context.io;
  return withRunningKernel(context, async (client) => {
    try {
      for await (const { at, service, data } of client.events({ after: 0, types: ["log"] }, { signal })) {
        const entry = { at, service, ...data };
        const line = toLogLine(entry);
        if (passes(line, filter))
          context.io.out(context.json ? JSON.stringify(entry) : formatLogLine(line, context.paint));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return 0;
  });
};

export default logs;
