/**
 * Log messages of an upstream on their way to a caller's client: those that it wants, so many of one call, none too long, texts cleaned, and a message that says
 * what was left out. Pure. Not here: whose a message is (`upstream/caller-questions.ts`).
 */
import { cleanText } from "@fairlead/contracts";
import { type ClientLog, type LogMessage, type LogSeverity, logSeverities } from "@fairlead/kernel/service";
import { isRecord } from "../json/record.ts";
import { cutText } from "./cut-text.ts";

/** Messages of one call that its client wants; a call that says more is a flood. */
const mostMessages = 1_000;
/** Characters of a text, or of the JSON of something else. */
const longestData = 8_000;
const longestLogger = 120;

/** The log for one call. The client sees the upstream's name before that of its logger. */
export const boundedLog = (log: ClientLog, connection: string): ClientLog => {
  let sent = 0;
  const isAudible = (level: LogSeverity): boolean => severity(level) >= severity(log.level);
  return {
    level: log.level,
    send: ({ level, logger, data }) => {
      // What goes nowhere takes no one's place.
      if (!isAudible(level)) return;
      sent += 1;
      if (sent > mostMessages + 1) return;
      const from = logger === undefined ? connection : `${connection}/${cleanText(logger, longestLogger)}`;
      if (sent <= mostMessages) log.send({ level, logger: from, data: boundedData(data) });
      else {
        const shown = isAudible("warning") ? "warning" : log.level;
        log.send({ level: shown, logger: connection, data: `more than ${mostMessages} messages: the rest is cut` });
      }
    },
  };
};

const severity = (level: LogSeverity): number => logSeverities.indexOf(level);

const boundedData = (data: LogMessage["data"]): unknown => {
  if (typeof data === "string") return cutText(data, longestData);
  const text = JSON.stringify(data) ?? "";
  return text.length <= longestData ? cleanData(data) : cutText(text, longestData);
};

/** All texts of it, names of fields included. It is JSON, and short. */
const cleanData = (data: unknown): unknown => {
  if (typeof data === "string") return cleanText(data, longestData);
  if (Array.isArray(data)) return data.map(cleanData);
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [cleanText(name, longestData), cleanData(value)]),
  );
};
