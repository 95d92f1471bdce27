/** The events of the connections, from the kernel's numbered log. */
import { tracked } from "@fairlead/kernel/service";
import type { EventView } from "../registry/view.ts";
import { type HandlerFactory, viewConnection } from "./context.ts";

export const events: HandlerFactory<"events"> = (context) =>
  async function* ({ name, after, snapshot = false }, call) {
    const resumed = call.lastEventId === undefined ? after : parseEventId(call.lastEventId);
    const from = resumed === undefined ? {} : { after: resumed };
    const reading = context.events({ types: eventTypes, signal: call.signal, ...from });
    if (snapshot && resumed === undefined) {
      const names = name === undefined ? context.registry.names : [name];
      const connections = names.flatMap((each) => viewConnection(context, each) ?? []);
      const at = new Date().toISOString();
      yield tracked(String(reading.after), { seq: reading.after, at, event: { type: "Snapshot", connections } });
    }
    for await (const { seq, at, type, data } of reading) {
      // This service has written everything that the log has under these types.
      const event =
        type === "events.dropped"
          ? { type: "Dropped" as const, count: typeof data.count === "number" ? data.count : null }
          : (data as unknown as EventView);
      if (name !== undefined && "name" in event && event.name !== name) continue;
      yield tracked(String(seq), { seq, at: new Date(at).toISOString(), event });
    }
  };

/** The event's number; for an id that this log has not written, a number that it never reaches. */
const parseEventId = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : Number.MAX_SAFE_INTEGER);

const eventTypes = [
  "Connecting",
  "Connected",
  "Reconnecting",
  "Blocked",
  "ToolsRefreshed",
  "Quarantined",
  "ToolsAdded",
  "Approved",
  "Drifted",
  "Removed",
].map((type) => `connection.${type}`);
