/**
 * One call of an upstream's tool: finds it, waits for its connection no longer than one attempt takes, passes the call through and
 * reports failures as they are.
 *
 * A call that may have arrived is never sent again, unless its session was refused and the tool says that a repeat is harmless.
 */

import { FairleadError } from "@fairlead/contracts";
import { type Connection, connectionState } from "../machine/connection.ts";
import { type ConnectionFault, connectionRemoved } from "../machine/fault.ts";
import type { CatalogueTool } from "../tools/catalogue.ts";
import { relayedPrefix } from "../tools/relayed-name.ts";
import { ownRule, shownName } from "../tools/tool-list.ts";
import { CallFailure, type CallProblem, type ToolCallRequest } from "../upstream/call-failure.ts";
import type { CallResult } from "../upstream/call-result.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { ConnectionRegistry } from "./connection-registry.ts";

type RelayResult =
  | { readonly ok: true; readonly result: CallResult }
  | { readonly ok: false; readonly problem: RelayProblem };

export type RelayProblem = (CallProblem | { readonly kind: "busy" }) & { readonly retryable: boolean };

/** Calls of one connection that may be under way, so that one which never answers leaves room for the others. */
export const maxConcurrentCalls = 256;

/** What is read of the registry to find a tool, and to wait for its connection. */
type ToolRegistry = Pick<
  ConnectionRegistry,
  "catalogue" | "names" | "record" | "connection" | "upstream" | "watch" | "demand"
>;

/** Where a tool is looked for. */
interface ToolSearch {
  readonly registry: ToolRegistry;
  /** Resolves when all that is written down was read. */
  readonly whenRead: Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * The tool of that name. One of a connection that has never been up is waited for, no longer than one attempt takes: who starts
 * together with its upstreams knows their tools from before.
 */
export const findTool = async (
  { registry, whenRead, signal }: ToolSearch,
  shown: string,
): Promise<CatalogueTool | undefined> => {
  const found = registry.catalogue.find(shown);
  if (found !== undefined) return found;
  if (!isReserved(registry, shown)) await orAborted(whenRead, signal);
  const young = findUnopened(registry, shown);
  // It may have been connected while the rest was read.
  if (young !== undefined) await nextUpstream(registry, young, signal);
  return registry.catalogue.find(shown);
};

/** Rejects with the signal's reason when that is sooner. */
const orAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
};

/** The connection that a tool would belong to, when it has never been up. */
export const findUnopened = (registry: ToolRegistry, shown: string): string | undefined =>
  registry.names.find((name) => shown.startsWith(relayedPrefix(name)) && registry.record(name).opened === undefined);

/** The connection that keeps a tool back, and the upstream's name for it. */
export const findQuarantined = (
  registry: ToolRegistry,
  shown: string,
): { connection: string; tool: string } | undefined => {
  for (const connection of registry.names) {
    const rules = registry.connection(connection)?.target.tools ?? {};
    const kept = registry
      .record(connection)
      .offer.quarantined.find(({ tool }) => shownName(connection, rules, tool) === shown);
    if (kept !== undefined) return { connection, tool: kept.tool };
  }
  return undefined;
};

/** True for a name that is not in the catalogue, but about which there is more to say than that. */
export const isReserved = (registry: ToolRegistry, shown: string): boolean =>
  findUnopened(registry, shown) !== undefined || findQuarantined(registry, shown) !== undefined;

/** Everything about the call but the tool. */
type RelayCall = Omit<ToolCallRequest, "tool">;

/** Never rejects but with the signal's reason, or `deadline_exceeded` by the limit of the upstream. */
export const relay = async (
  registry: ConnectionRegistry,
  tool: CatalogueTool,
  call: RelayCall,
): Promise<RelayResult> => {
  const known = registry.record(tool.connection);
  if (known.inFlight >= maxConcurrentCalls) return { ok: false, problem: { kind: "busy", retryable: true } };
  known.calls += 1;
  known.inFlight += 1;
  try {
    return await callWithRetry(registry, tool, call);
  } finally {
    known.inFlight -= 1;
  }
};

const callWithRetry = async (
  registry: ConnectionRegistry,
  tool: CatalogueTool,
  call: RelayCall,
): Promise<RelayResult> => {
  for (let tries = 1; ; tries += 1) {
    const found = registry.upstream(tool.connection) ?? (await nextUpstream(registry, tool.connection, call.signal));
    if (!(found instanceof Object && "call" in found)) return toFailure(found, tool);
    const { limits, tools } = registry.connection(tool.connection)?.target ?? {};
    const limitMs = ownRule(tools?.policy, tool.name)?.callMs ?? limits?.callMs;
    const limit = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
    const signal = limit === undefined ? call.signal : AbortSignal.any([call.signal, limit]);
    try {
      return { ok: true, result: await found.call({ ...call, signal, tool: tool.name }) };
    } catch (error) {
      if (limit?.aborted && error === limit.reason) throw unanswered(tool, limitMs);
      if (!(error instanceof CallFailure)) throw error;
      if (tries === 1 && mayRepeat(error.problem, tool)) continue;
      return toFailure(error.problem, tool);
    }
  }
};

const unanswered = ({ connection, shown }: CatalogueTool, ms: number | undefined): FairleadError =>
  new FairleadError({
    code: "deadline_exceeded",
    message: `${connection} did not answer the call of ${shown.name} within ${ms} ms`,
    hint: `it may have run; \`limits.callMs\` of ${connection}, or \`tools.policy\`, in the configuration says how long it may take`,
  });

const mayRepeat = (problem: CallProblem, { repeat }: CatalogueTool): boolean =>
  problem.kind === "transport" &&
  (!problem.sent || (problem.fault.reason === "session_expired" && repeat === "harmless"));

const toFailure = (problem: CallProblem, { repeat }: CatalogueTool): RelayResult => {
  const retryable =
    problem.kind === "transport" &&
    problem.fault.kind !== "permanent" &&
    (!problem.sent || repeat === "harmless" || problem.fault.kind === "session");
  return { ok: false, problem: { ...problem, retryable } };
};

/** True while it waits for as long as its upstream has asked for: no call shortens that, or waits for it. */
const isSentAway = ({ phase }: Connection): boolean => phase.tag === "waiting" && phase.notBefore !== undefined;

/** The connection's next upstream, tried at once; or why there is none after the next attempt. */
const nextUpstream = async (
  registry: ToolRegistry,
  name: string,
  signal: AbortSignal,
): Promise<Upstream | CallProblem> => {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<Upstream | CallProblem>();
  const unsent = (fault: ConnectionFault): CallProblem => ({ kind: "transport", fault, sent: false });
  const leave = registry.watch((event) => {
    if (event.name !== name) return;
    if (event.type === "Removed") resolve(unsent(connectionRemoved));
    if (event.type === "Blocked" || (event.type === "Reconnecting" && event.attempt > 0)) resolve(unsent(event.fault));
    const upstream = event.type === "Connected" ? registry.upstream(name) : undefined;
    if (upstream !== undefined) resolve(upstream);
  });
  const connection = registry.connection(name);
  if (connection === undefined) resolve(unsent(connectionRemoved));
  else if (connectionState(connection) === "blocked" || isSentAway(connection)) {
    resolve(unsent(connection.fault ?? connectionRemoved));
  } else registry.demand(name);
  return orAborted(promise, signal).finally(leave);
};
