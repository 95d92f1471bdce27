/**
 * One call of an upstream's tool: finds it, waits for its connection no longer than one attempt takes, passes the call through and
 * tells failures as they are.
 *
 * A call that may have arrived is never sent again, unless its session was refused and the tool says that a repeat is harmless.
 */

import { type Event, stateOf } from "../machine/connection.ts";
import { type Fault, removed } from "../machine/fault.ts";
import type { CatalogueTool } from "../tools/catalogue.ts";
import { relayedPrefix } from "../tools/relayed-name.ts";
import { shownName } from "../tools/tool-list.ts";
import { CallFailure, type CallParts, type CallTrouble } from "../upstream/call-failure.ts";
import type { CallResult } from "../upstream/call-result.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Switchboard } from "./connection-registry.ts";

export type Relayed =
  | { readonly ok: true; readonly result: CallResult }
  | { readonly ok: false; readonly trouble: Trouble };

export type Trouble = (CallTrouble | { readonly kind: "busy" }) & { readonly retryable: boolean };

/** Calls of one connection that may be under way, so that one which never answers leaves room for the others. */
export const mostAtOnce = 256;

/** Where a tool is looked for. */
export interface Search {
  readonly board: Switchboard;
  /** Resolves when all that is written down was read. */
  readonly declared: Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * The tool of that name. One of a connection that has never been up is waited for, no longer than one attempt takes: who starts
 * together with its upstreams knows their tools from before.
 */
export const findTool = async (
  { board, declared, signal }: Search,
  shown: string,
): Promise<CatalogueTool | undefined> => {
  const found = board.catalogue.find(shown);
  if (found !== undefined) return found;
  if (!isClaimed(board, shown)) await orAborted(declared, signal);
  const young = youngOf(board, shown);
  if (young === undefined) return undefined;
  await nextLife(board, young, signal);
  return board.catalogue.find(shown);
};

/** Rejects with the signal's reason when that is sooner. */
const orAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  await Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
};

/** The connection that a tool would belong to, when it has never been up. */
export const youngOf = (board: Switchboard, shown: string): string | undefined =>
  board.names.find((name) => shown.startsWith(relayedPrefix(name)) && board.knowledge(name).opened === undefined);

/** The connection that keeps a tool back, and the upstream's name for it. */
export const keeperOf = (board: Switchboard, shown: string): { connection: string; tool: string } | undefined => {
  for (const connection of board.names) {
    const rules = board.entry(connection)?.target.tools ?? {};
    const kept = board
      .knowledge(connection)
      .offer.quarantined.find(({ tool }) => shownName(connection, rules, tool) === shown);
    if (kept !== undefined) return { connection, tool: kept.tool };
  }
  return undefined;
};

/** True for a name that is not in the catalogue, but about which there is more to say than that. */
export const isClaimed = (board: Switchboard, shown: string): boolean =>
  youngOf(board, shown) !== undefined || keeperOf(board, shown) !== undefined;

/** Everything about the call but the tool. */
export type RelayCall = Omit<CallParts, "tool">;

/** Never rejects but with the signal's reason. */
export const relay = async (board: Switchboard, tool: CatalogueTool, call: RelayCall): Promise<Relayed> => {
  const known = board.knowledge(tool.connection);
  if (known.inFlight >= mostAtOnce) return { ok: false, trouble: { kind: "busy", retryable: true } };
  known.calls += 1;
  known.inFlight += 1;
  try {
    return await passOn(board, tool, call);
  } finally {
    known.inFlight -= 1;
  }
};

const passOn = async (board: Switchboard, tool: CatalogueTool, call: RelayCall): Promise<Relayed> => {
  for (let tries = 1; ; tries += 1) {
    const found = board.life(tool.connection) ?? (await nextLife(board, tool.connection, call.signal));
    if (!(found instanceof Object && "call" in found)) return failed(found, tool);
    try {
      return { ok: true, result: await found.call({ ...call, tool: tool.name }) };
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (tries === 1 && mayGoAgain(error.trouble, tool)) continue;
      return failed(error.trouble, tool);
    }
  }
};

const mayGoAgain = (trouble: CallTrouble, { repeat }: CatalogueTool): boolean =>
  trouble.kind === "transport" &&
  (!trouble.sent || (trouble.fault.reason === "session_expired" && repeat === "harmless"));

const failed = (trouble: CallTrouble, { repeat }: CatalogueTool): Relayed => {
  const retryable =
    trouble.kind === "transport" &&
    trouble.fault.kind !== "permanent" &&
    (!trouble.sent || repeat === "harmless" || trouble.fault.kind === "session");
  return { ok: false, trouble: { ...trouble, retryable } };
};

/** The connection's next life, asked for at once; or why there is none after the next attempt. */
const nextLife = (board: Switchboard, name: string, signal: AbortSignal): Promise<Upstream | CallTrouble> => {
  const { promise, resolve, reject } = Promise.withResolvers<Upstream | CallTrouble>();
  const unsent = (fault: Fault): CallTrouble => ({ kind: "transport", fault, sent: false });
  const look = (event: Event): void => {
    if (event.name !== name) return;
    if (event.type === "Removed") resolve(unsent(removed));
    if (event.type === "Blocked" || (event.type === "Reconnecting" && event.attempt > 0)) resolve(unsent(event.fault));
    const life = event.type === "Connected" ? board.life(name) : undefined;
    if (life !== undefined) resolve(life);
  };
  const leave = board.watch(look);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const entry = board.entry(name);
  if (signal.aborted) abort();
  else if (entry === undefined) resolve(unsent(removed));
  else if (stateOf(entry) === "blocked") resolve(unsent(entry.fault ?? removed));
  else board.demand(name);
  return promise.finally(() => {
    leave();
    signal.removeEventListener("abort", abort);
  });
};
