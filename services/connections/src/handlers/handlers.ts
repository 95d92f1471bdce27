/** The procedures: translate between the contract and the switchboard, and say no where a caller may not. */

import { cleanText } from "@fairlead/contracts";
import type connections from "@fairlead/contracts/connections";
import {
  type Call,
  FairleadError,
  type Handlers,
  type Question,
  type Reading,
  type ReadOptions,
  tracked,
} from "@fairlead/kernel/service";
import { urlRefusal } from "../http/address.ts";
import { headerRefusal } from "../http/headers.ts";
import { connectionState } from "../machine/connection.ts";
import { formatEndpoint, type HttpTarget, isSameTarget, type Target } from "../machine/target.ts";
import { shownQuestion } from "../questions/shown-question.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";
import type { Expectations } from "../registry/expectations.ts";
import {
  findQuarantined,
  findTool,
  findUnopened,
  maxConcurrentCalls,
  type RelayProblem,
  relay,
} from "../registry/relay.ts";
import { type ConnectionView, connectionView, driftView, type EventView } from "../registry/view.ts";
import type { ApprovedTargets } from "../store/approved-targets.ts";
import type { CatalogueTool } from "../tools/catalogue.ts";
import { createLogins } from "./logins.ts";

type Procedures = (typeof connections)["procedures"];

export interface HandlerOptions {
  readonly registry: ConnectionRegistry;
  readonly expectations: Expectations;
  /** What the configuration and the startup script have named. */
  readonly configured: Map<string, Target>;
  readonly approved: ApprovedTargets;
  /** Resolves when all that is written down was read. */
  readonly whenRead: Promise<void>;
  readonly most: number;
  readonly events: (options: ReadOptions) => Reading;
}

export const createHandlers = (parts: HandlerOptions): Handlers<typeof connections> => {
  const { registry, expectations, configured, approved, whenRead, most, events } = parts;

  const view = (name: string): ConnectionView | null => {
    const entry = registry.connection(name);
    return entry === undefined ? null : connectionView(entry, registry.record(name), isWritten(name, entry.target));
  };

  const isWritten = (name: string, target: Target): boolean => {
    const written = configured.get(name);
    return written !== undefined && isSameTarget(written, target);
  };

  const shown = (name: string, call: Pick<Call<Procedures["reconnect"]>, "fail">): ConnectionView => {
    const found = view(name);
    if (found !== null) return found;
    const message = `there is no connection ${name}`;
    throw call.fail("unknown_connection", { message }, { known: [...registry.names] });
  };

  const logins = createLogins(registry);

  return {
    add: (input, call) => {
      const target = wanted(input, call);
      if (registry.connection(input.name) === undefined && registry.names.length >= most) {
        throw call.fail("too_many", { message: `there are ${most} connections already` });
      }
      registry.add(input.name, target);
      const added = view(input.name);
      if (added === null) throw new Error("what was added is not there");
      return added;
    },
    remove: ({ name }) => registry.remove(name),
    status: ({ name }) => view(name),
    list: () => registry.names.flatMap((name) => view(name) ?? []),
    reconnect: ({ name }, call) => {
      shown(name, call);
      registry.reconnect(name);
      return shown(name, call);
    },
    beginLogin: async ({ name, redirectUrl }, call) => {
      shown(name, call);
      return { authorizationUrl: await logins.begin(name, redirectUrl, call) };
    },
    finishLogin: async ({ name, query }, call) => {
      shown(name, call);
      await logins.finish(name, query, call);
      registry.reconnect(name);
      return shown(name, call);
    },
    approve: ({ name, tools }, call) => {
      shown(name, call);
      const target = registry.connection(name)?.target;
      const waits = target?.awaitsApproval === true && tools === undefined;
      if (waits) {
        const free = { ...target, held: false };
        approved.approve(name, free);
        if (configured.has(name)) configured.set(name, free);
        registry.add(name, free);
      }
      return { approved: [...registry.approve(name, tools)], target: waits };
    },
    quarantine: ({ name }, call) => {
      shown(name, call);
      const { quarantined } = registry.record(name).offer;
      return {
        tools: quarantined.map(({ tool, approved, found, definition, changes }) => ({
          tool,
          approved,
          found,
          changes: changes.map((change) => ({ ...change })),
          description: cleanText(String(definition.description ?? ""), 2_000),
        })),
      };
    },
    tools: ({ connection }) => ({
      tools: registry.catalogue.tools
        .filter((tool) => connection === undefined || tool.connection === connection)
        .map((tool) => toolView(tool, registry)),
    }),
    expect: ({ name, importer, tools }, call) => {
      if (!expectations.expect({ name, importer, tools })) {
        throw call.fail("too_many", { message: "there are as many expectations as are kept" });
      }
      const known = registry.connection(name) !== undefined && registry.record(name).opened !== undefined;
      if (known) expectations.compare(name, registry.record(name).offer.all);
      return { known, ...driftView(expectations.lastDrift(importer)) };
    },
    callTool: async ({ tool, arguments: input }, call) => {
      const found = await findTool({ registry: registry, whenRead: whenRead, signal: call.signal }, tool);
      if (found === undefined) throw unknownTool(tool, registry, call);
      const relayed = await relay(registry, found, {
        input,
        meta: { traceparent: call.traceparent },
        signal: call.signal,
        onProgress: ({ message, ...at }) =>
          call.progress({ ...at, ...(message !== undefined && { message: cleanText(message, 500) }) }),
        ask: call.ask && askingPeople(call.ask),
      });
      if (!relayed.ok) throw toCallError(relayed.problem, found, { registry: registry, call });
      return relayed.result;
    },
    events: async function* ({ name, after, snapshot = false }, call) {
      const resumed = call.lastEventId === undefined ? after : numberIn(call.lastEventId);
      const from = resumed === undefined ? {} : { after: resumed };
      const reading = events({ types: eventTypes, signal: call.signal, ...from });
      if (snapshot && resumed === undefined) {
        const connections = (name === undefined ? registry.names : [name]).flatMap((each) => view(each) ?? []);
        const at = new Date().toISOString();
        yield tracked(String(reading.after), { seq: reading.after, at, event: { type: "Snapshot", connections } });
      }
      for await (const { seq, at, type, data } of reading) {
        // What is in the log under these types was put there by this service.
        const event =
          type === "events.dropped"
            ? { type: "Dropped" as const, count: Number(data.count) }
            : (data as unknown as EventView);
        if (name !== undefined && "name" in event && event.name !== name) continue;
        yield tracked(String(seq), { seq, at: new Date(at).toISOString(), event });
      }
    },
  };

  /** What `add` asks for. */
  function wanted(
    { name, url, headers = {}, era = "auto" }: Parameters<Handlers<typeof connections>["add"]>[0],
    call: Pick<Call<Procedures["add"]>, "fail">,
  ): Target {
    const named = configured.get(name);
    if (url === undefined) {
      if (named !== undefined) return named;
      const message = `the configuration names no upstream ${name}`;
      throw call.fail("not_configured", { message }, { known: [...configured.keys()].toSorted() });
    }
    const bare = Object.keys(headers).length === 0 && era === "auto";
    const leadsThere = (target: Target | undefined): target is HttpTarget =>
      target?.transport === "http" && target.url === url;
    const same = [named, registry.connection(name)?.target].find(leadsThere);
    if (bare && same !== undefined) return same;
    const asked: HttpTarget = {
      transport: "http",
      url,
      headers,
      era,
      trusted: false,
      awaitsApproval: false,
      // What is said of a name's tools holds wherever a caller leads it; its headers and tokens go nowhere else.
      tools: named?.tools ?? {},
    };
    const odd = headerRefusal(headers, asked.trusted);
    if (odd !== undefined) {
      const message = `the header ${JSON.stringify(odd.name)} cannot be sent: ${odd.why}`;
      throw new FairleadError({ code: "invalid_argument", message, hint: "leave it out, or correct it" });
    }
    const refused = urlRefusal(url) ?? secretIn(asked);
    if (refused !== undefined) throw call.fail("address_refused", { message: `${formatEndpoint(asked)}: ${refused}` });
    return asked;
  }
};

/** A caller must not have the server's environment sent to an address of its choice. */
const secretIn = ({ url, headers }: HttpTarget): string | undefined =>
  [url, ...Object.values(headers)].some((text) => text.includes("${"))
    ? "variables are resolved only in the server's own configuration"
    : undefined;

/** The event's number; for what this log has not written, one that it never reaches. */
const numberIn = (eventId: string): number => (/^\d{1,15}$/.test(eventId) ? Number(eventId) : Number.MAX_SAFE_INTEGER);

const eventTypes = [
  "Connecting",
  "Connected",
  "Reconnecting",
  "Blocked",
  "ToolsRefreshed",
  "Quarantined",
  "Approved",
  "Drifted",
  "Removed",
].map((type) => `connection.${type}`);

const toolView = ({ connection, name, shown }: CatalogueTool, registry: ConnectionRegistry) => {
  const entry = registry.connection(connection);
  return {
    name: shown.name,
    connection,
    upstreamName: name,
    state: entry === undefined ? ("connecting" as const) : connectionState(entry),
    description: shown.description,
    // They came as JSON.
    inputSchema: shown.inputSchema as Record<string, never>,
    outputSchema: (shown.outputSchema ?? null) as Record<string, never> | null,
    annotations: (shown.annotations ?? {}) as Record<string, never>,
  };
};

type ToolCall = Pick<Call<Procedures["callTool"]>, "fail">;

const unknownTool = (tool: string, registry: ConnectionRegistry, call: ToolCall) => {
  const kept = findQuarantined(registry, tool);
  if (kept !== undefined) {
    const { connection } = kept;
    return call.fail(
      "quarantined",
      {
        message: `the definition of ${tool} has changed since it was approved`,
        hint: `look at it with \`fairlead conn status ${connection}\`, then \`fairlead conn approve ${connection}\``,
      },
      kept,
    );
  }
  const young = findUnopened(registry, tool);
  const entry = young === undefined ? undefined : registry.connection(young);
  if (young !== undefined && entry !== undefined) {
    const message = `${young} has not been reached yet: ${entry.fault?.message ?? "it is connecting"}`;
    const { hint, reason = "connecting" } = entry.fault ?? {};
    const state = connectionState(entry);
    return call.fail(
      "upstream_unavailable",
      { message, retryable: state !== "blocked", ...(hint !== undefined && { hint }) },
      { connection: young, state, reason, sent: false, attempt: entry.attempt },
    );
  }
  const near = registry.catalogue.tools.find(({ shown, name }) => name === tool || shown.name.endsWith(`__${tool}`));
  const message = `no upstream offers a tool ${tool}`;
  return call.fail(
    "unknown_tool",
    { message, ...(near !== undefined && { hint: `did you mean ${near.shown.name}?` }) },
    {
      near: near?.shown.name ?? null,
    },
  );
};

/** JSON-RPC's own numbers that say whose fault it is. */
const invalidParams = -32_602;
const methodNotFound = -32_601;

const toCallError = (
  problem: RelayProblem,
  { connection, shown }: CatalogueTool,
  { registry, call }: { readonly registry: ConnectionRegistry; readonly call: ToolCall },
) => {
  if (problem.kind === "busy") {
    const message = `${connection} has ${maxConcurrentCalls} calls under way that it has not answered`;
    return call.fail("busy", { message, retryable: true }, { connection });
  }
  if (problem.kind === "scope") {
    const message = `${connection} wants rights for ${shown.name} that its login did not give: ${problem.scope}`;
    const hint = `run \`fairlead conn login ${connection}\`, which asks for them, then call it again`;
    return call.fail("insufficient_scope", { message, hint }, { connection, scope: problem.scope });
  }
  if (problem.kind === "answer") {
    const message = `${connection} refused the call of ${shown.name}: ${cleanText(problem.message, 500)}`;
    const data = { connection, code: problem.code };
    switch (problem.code) {
      case invalidParams: {
        const hint = `see \`fairlead describe connections.${shown.name}\``;
        return call.fail("arguments_refused", { message, hint }, data);
      }
      case methodNotFound:
        return call.fail("not_offered", { message }, data);
      default:
        return call.fail("upstream_error", { message }, data);
    }
  }
  const { fault, sent, retryable } = problem;
  if (fault.reason === "removed") {
    const message = `${connection} was removed during the call of ${shown.name}, which ${sent ? "may have run" : "was not sent"}`;
    const hint = `\`fairlead conn ls\` lists what there is; \`fairlead conn add ${connection}\` adds it again`;
    return call.fail("connection_removed", { message, hint }, { connection, sent });
  }
  const entry = registry.connection(connection);
  return call.fail(
    "upstream_unavailable",
    {
      message: `${connection} could not be reached for ${shown.name}: ${fault.message}`,
      hint: fault.hint ?? (retryable ? "try again shortly" : "it may have run; look before you try again"),
      retryable,
    },
    {
      connection,
      state: entry === undefined ? "reconnecting" : connectionState(entry),
      reason: fault.reason,
      sent,
      attempt: entry?.attempt ?? 0,
    },
  );
};

/** Asks what may be shown; the rest is as if a person had not wanted to answer. */
const askingPeople =
  (ask: (question: Question) => Promise<unknown>) =>
  async (question: Question): Promise<unknown> => {
    const shown = shownQuestion(question);
    return shown === undefined ? { action: "cancel" } : ask(shown);
  };
