/** A connection as callers see it. Pure. */
import type { HandlerOutput } from "@fairlead/contracts";
import type connections from "@fairlead/contracts/connections";
import { type Connection, connectionState } from "../machine/connection.ts";
import { formatEndpoint } from "../machine/target.ts";
import type { ScriptStatus } from "../startup/script-tools.ts";
import type { CatalogueTool } from "../tools/catalogue.ts";
import type { Drift } from "../tools/drift.ts";
import type { ShownTool } from "../tools/tool-list.ts";
import type { ConnectionRecord, RegistryEvent } from "./record.ts";

export type ConnectionView = HandlerOutput<(typeof connections)["procedures"]["add"]>;
export type EventView = HandlerOutput<(typeof connections)["procedures"]["events"]>["event"];

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** `configured`: whether it is written down somewhere. `lastLine`: what its program wrote last, while it runs. */
export const connectionView = (
  entry: Connection,
  known: ConnectionRecord,
  { configured, lastLine }: { readonly configured: boolean; readonly lastLine?: string | undefined },
): ConnectionView => {
  const { name, target, phase, attempt, generation, since, fault } = entry;
  const { opened, attempt: connecting, lastProblem: problem, offer, calls } = known;
  const up = phase.tag === "connected";
  return {
    name,
    state: connectionState(entry),
    tools: offer.offered,
    error: up ? null : (fault?.message ?? null),
    configured,
    endpoint: formatEndpoint(target),
    transport: target.transport,
    era: opened?.era ?? null,
    revision: opened?.revision ?? null,
    server: opened?.server ?? null,
    calls,
    attempt,
    progress:
      phase.tag === "opening" && connecting !== undefined
        ? {
            step: connecting.step,
            since: iso(connecting.since),
            began: iso(entry.startedAt),
            limitMs: connecting.limitMs,
            output: lastLine ?? null,
          }
        : null,
    nextRetry: phase.tag === "waiting" && Number.isFinite(phase.until) ? iso(phase.until) : null,
    lastError:
      problem === undefined
        ? null
        : {
            reason: problem.fault.reason,
            message: problem.fault.message,
            hint: problem.fault.hint ?? null,
            step: problem.fault.step ?? null,
            at: iso(problem.at),
          },
    since: iso(since),
    generation,
    quarantined: offer.quarantined.slice(0, mostNames).map(({ tool }) => tool),
    filtered: offer.filtered.slice(0, mostNames),
    unusable: offer.unusable.slice(0, mostNames).map(({ name: tool, why }) => `${tool}: ${why}`),
  };
};

/** Tools of one kind that a view names, so that no upstream makes the list of all too long. */
const mostNames = 100;

/** In a listed tool's `_meta`: the state of its connection, when that is not up. */
const stateKey = "fairlead/state";

/** A tool as it is listed at this moment. Only who looks sees the state: it changes without the list being announced again. */
export const listedTool = ({ shown }: CatalogueTool, entry: Connection | undefined): ShownTool => {
  const state = entry === undefined ? "connecting" : connectionState(entry);
  if (state === "connected") return shown;
  return { ...shown, _meta: { ...Object(shown._meta), [stateKey]: state } };
};

/** The specification's own fields, for scripts. */
export const scriptStatus = (entry: Connection, known: ConnectionRecord): ScriptStatus => {
  const { name, state, tools, error } = connectionView(entry, known, { configured: true });
  return { name, state, tools, ...(error !== null && { error }) };
};

/** An event as it is recorded and streamed. */
export const eventView = (event: RegistryEvent): Exclude<EventView, { readonly type: "Dropped" | "Snapshot" }> => {
  switch (event.type) {
    case "Reconnecting": {
      const { type, name, generation, attempt, delayMs, fault } = event;
      return { type, name, generation, attempt, delayMs, error: fault.message, reason: fault.reason };
    }
    case "Blocked": {
      const { type, name, generation, delayMs, fault } = event;
      return { type, name, generation, delayMs, error: fault.message, reason: fault.reason };
    }
    case "Quarantined": {
      const changes = event.changes.map((change) => ({ ...change }));
      return { type: event.type, name: event.name, tools: [...event.tools], changes };
    }
    case "Drifted": {
      const { type, name, importer, ...drift } = event;
      return { type, name, importer, ...driftView(drift) };
    }
    case "Approved":
    case "ToolsAdded":
      return { type: event.type, name: event.name, tools: [...event.tools] };
    default:
      return event;
  }
};

/** A copy that callers may keep. */
export const driftView = ({ added, removed, changed, changes }: Drift) => ({
  added: [...added],
  removed: [...removed],
  changed: [...changed],
  changes: changes.map((change) => ({ ...change })),
});
