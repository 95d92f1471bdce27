/**
 * Log messages of an upstream on their way to a caller's client: so many of one call, none too long, texts cleaned, and a message that says
 * what was left out. Pure. Not here: whose a message is (`upstream/caller-questions.ts`).
 */
import { cleanText } from "@fairlead/contracts";
import type { ClientLog, LogMessage } from "@fairlead/kernel/service";
import { cutText } from "./cut-text.ts";

/** Messages of one call; a call that says more is a flood. */
const mostMessages = 1_000;
/** Characters of a text, or of the JSON of something else. */
const longestData = 8_000;
const longestLogger = 120;

/** The log for one call. The client sees the upstream's name before that of its logger. */
export const boundedLog = (log: ClientLog, connection: string): ClientLog => {
  let sent = 0;
  return {
    level: log.level,
    send: ({ level, logger, data }) => {
      sent += 1;
      if (sent > mostMessages + 1) return;
      const from = logger === undefined ? connection : `${connection}/${cleanText(logger, longestLogger)}`;
      if (sent <= mostMessages) log.send({ level, logger: from, data: boundedData(data) });
      else
        log.send({ level: "warning", logger: connection, data: `more than ${mostMessages} messages: the rest is cut` });
    },
  };
};

const boundedData = (data: LogMessage["data"]): unknown => {
  if (typeof data === "string") return cutText(data, longestData);
  const text = JSON.stringify(data) ?? "";
  return text.length <= longestData ? data : cutText(text, longestData);
};
