/**
 * What happens in the kernel, as it happens: the one subscription of this tab, shared by all pages. It begins with what just happened, goes on
 * after a restart of the kernel where it was, and says what it missed.
 *
 * Events are handed on together, a few times a second, so that a busy kernel costs the page no more than a quiet one.
 */
import type { KernelTypes } from "@fairlead/client/kernel";
import { useSyncExternalStore } from "react";
import { queryClient, trpcClient } from "./client.ts";
import { appendLatest } from "./ring.ts";

export type LiveEvent = KernelTypes["events"]["output"];

interface LiveState {
  /** Whether the stream is open now. */
  readonly status: "connecting" | "open" | "lost";
  /** Calls, the newest last. */
  readonly calls: readonly LiveEvent[];
  /** Lines of log. */
  readonly logs: readonly LiveEvent[];
  /** Everything else: what happened to services, runs and streams. */
  readonly notices: readonly LiveEvent[];
  /** Events that were not seen: the kernel could not send them all, or restarted. */
  readonly missed: number;
  /** Calls in each of the last seconds, the one that runs last. */
  readonly perSecond: readonly CallsOfSecond[];
}

export interface CallsOfSecond {
  /** Seconds since the epoch. */
  readonly second: number;
  readonly calls: number;
  readonly failures: number;
}

const mostCalls = 20_000;
const mostOthers = 2_000;
const seconds = 60;
const flushEveryMs = 80;

let state: LiveState = { status: "connecting", calls: [], logs: [], notices: [], missed: 0, perSecond: [] };
const listeners = new Set<() => void>();
const eventListeners = new Set<(events: readonly LiveEvent[]) => void>();
let waiting: LiveEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let isStarted = false;

const publish = (next: LiveState): void => {
  state = next;
  for (const listener of listeners) listener();
};

const flush = (): void => {
  timer = undefined;
  const added = waiting;
  waiting = [];
  const calls = added.filter(({ type }) => type === "call");
  const logs = added.filter(({ type }) => type === "log");
  const dropped = added.filter(({ type }) => type === "events.dropped");
  const notices = added.filter(({ type }) => !["call", "log", "call.retry", "stream.opened"].includes(type));
  publish({
    status: state.status,
    calls: calls.length === 0 ? state.calls : appendLatest(state.calls, calls, mostCalls),
    logs: logs.length === 0 ? state.logs : appendLatest(state.logs, logs, mostOthers),
    notices: notices.length === 0 ? state.notices : appendLatest(state.notices, notices, mostOthers),
    missed:
      state.missed + dropped.reduce((sum, { data }) => sum + (typeof data.count === "number" ? data.count : 0), 0),
    perSecond: calls.length === 0 ? state.perSecond : countSeconds(state.perSecond, calls),
  });
  for (const listener of eventListeners) listener(added);
};

/** Adds calls to the counts of their seconds. */
const countSeconds = (counted: readonly CallsOfSecond[], calls: readonly LiveEvent[]): readonly CallsOfSecond[] => {
  const bySecond = new Map(counted.map((each) => [each.second, each]));
  for (const { at, data } of calls) {
    const second = Math.floor(Date.parse(at) / 1_000);
    const before = bySecond.get(second) ?? { second, calls: 0, failures: 0 };
    bySecond.set(second, {
      second,
      calls: before.calls + 1,
      failures: before.failures + (data.outcome === "ok" ? 0 : 1),
    });
  }
  return [...bySecond.values()].toSorted((a, b) => a.second - b.second).slice(-seconds);
};

const isOwn = ({ type, data }: LiveEvent): boolean =>
  (type === "call" || type === "stream.opened") &&
  ownProcedures.has(String(data.procedure)) &&
  data.transport === "trpc";

/** What the console itself asks for all the time; shown, it would hide everything else. */
export const ownProcedures: ReadonlySet<string> = new Set(
  ["services", "stats", "process", "events", "whoami", "describe", "info", "pages", "trace", "listTokens"].map(
    (name) => `kernel.${name}`,
  ),
);

const start = (): void => {
  if (isStarted) return;
  isStarted = true;
  trpcClient.kernel.events.subscribe(
    { last: 1_000 },
    {
      onConnectionStateChange: ({ state: connection }) =>
        publish({
          ...state,
          status: connection === "pending" ? "open" : connection === "connecting" ? "connecting" : "lost",
        }),
      onStarted: () => publish({ ...state, status: "open" }),
      onData: ({ data }) => {
        if (isOwn(data)) return;
        waiting.push(data);
        if (timer === undefined) timer = setTimeout(flush, flushEveryMs);
      },
      onError: () => {
        publish({ ...state, status: "lost" });
        // Not opened again: the next answers of the kernel say whether this browser is still let in.
        void queryClient.invalidateQueries();
      },
    },
  );
};

const subscribe = (listener: () => void): (() => void) => {
  start();
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLive = (): LiveState => useSyncExternalStore(subscribe, () => state);

/** Calls back with the events of each batch. */
export const onEvents = (listener: (events: readonly LiveEvent[]) => void): (() => void) => {
  start();
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
};
