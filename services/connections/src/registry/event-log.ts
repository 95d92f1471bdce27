/** The log line of what happens to a connection: what an operator acts on at `info` and `warn`, each retry at `debug`. Pure. */
import type { LogLevel } from "@fairlead/kernel/service";
import type { ConnectionEvent } from "../machine/connection.ts";

interface ConnectionLogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @param wasConnected whether it was up until this event */
export const connectionLogLine = (event: ConnectionEvent, wasConnected: boolean): ConnectionLogLine => {
  const { name: connection } = event;
  switch (event.type) {
    case "Connecting":
      return { level: "info", message: "connection added", fields: { connection, endpoint: event.endpoint } };
    case "Connected":
      return { level: "info", message: "connected", fields: { connection, tools: event.tools } };
    case "Removed":
      return { level: "info", message: "connection removed", fields: { connection } };
    case "ToolsRefreshed":
      return { level: "debug", message: "tools listed again", fields: { connection, tools: event.tools } };
    case "Blocked":
    case "Reconnecting": {
      const { reason, message: error, hint } = event.fault;
      const { delayMs: retryMs } = event;
      const fields = { connection, reason, error, ...(hint !== undefined && { hint }), retryMs };
      if (event.type === "Blocked") return { level: "warn", message: "connection blocked", fields };
      return wasConnected
        ? { level: "warn", message: "connection lost", fields }
        : { level: "debug", message: "connection not made yet", fields: { ...fields, attempt: event.attempt } };
    }
  }
};
