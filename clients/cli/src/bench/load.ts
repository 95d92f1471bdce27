/**
 * Puts load on whatever can be called, and counts how long it takes.
 *
 * With a rate calls begin when the plan says, whether those before have ended or not, and each is timed from when it was to begin: a service that stands
 * still for a second has a second of late calls, and not one slow call that hid them. With a number of callers each of them waits for its answer before
 * it asks again; what a stall hides there is what those callers would not have asked. Not here: who is called (`sender.ts`).
 */
import { Histogram } from "./histogram.ts";

export interface LoadPlan {
  /** Calls a second, or so many callers. */
  readonly load: { readonly rate: number } | { readonly callers: number };
  /** Milliseconds of the same load before that count for nothing. */
  readonly warmUpMs: number;
  readonly forMs: number;
}

export interface CallFailure {
  /** A code of the closed table. */
  readonly code: string;
  /** Whether the contract declares that error. */
  readonly isDeclared?: boolean;
  /** What is known beyond the code, like `econnrefused`. */
  readonly detail?: string;
}

/** How a call ended: nothing where it went well. */
export type Send = () => Promise<CallFailure | undefined>;

export interface Progress {
  /** Milliseconds since the first call that counts; below zero while it is warming up. */
  readonly atMs: number;
  readonly calls: number;
  readonly failed: number;
}

interface LoadParts {
  readonly send: Send;
  /** Milliseconds after which `send` is to have given a call up. */
  readonly limitMs: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Ends it before its time. */
  readonly signal: AbortSignal;
  readonly onBegin?: () => void;
  readonly onProgress?: (progress: Progress) => void;
}

export interface LoadResult {
  readonly latency: Histogram;
  /** Calls that were to begin while it counted. */
  readonly calls: number;
  /** Calls that failed, by code. */
  readonly errors: ReadonlyMap<string, number>;
  /** Milliseconds for which it counted: less than planned where it was interrupted. */
  readonly countedMs: number;
  readonly isInterrupted: boolean;
  /** From the first call that counts to the last end. */
  readonly tookMs: number;
}

/** Calls under way at most; one that finds so many is not sent, and counts as a failure of that name. */
export const mostUnderWay = 10_000;
export const notSent = "not_sent";
/** What a call counts as that was under way when the bench ended. */
export const unfinished = "unfinished";

/** The system wakes nobody up more exactly: a call that begins later than planned by less has begun on time. */
const stepMs = 1.5;

/** Between two looks at the clock, whatever calls do. */
const drawMs = 200;

interface LoadCall {
  readonly planned: number;
  /** When its time began. */
  readonly intended: number;
}

export const runLoad = async (plan: LoadPlan, parts: LoadParts): Promise<LoadResult> => {
  const { now, signal, onBegin, onProgress } = parts;
  const begin = now();
  const counted = begin + plan.warmUpMs;
  const end = counted + plan.forMs;
  const latency = new Histogram();
  const errors = new Map<string, number>();
  const underWay = new Map<LoadCall, Promise<void>>();
  let calls = 0;
  let failed = 0;
  let lastEnd = counted;
  let isCounting = false;

  const finish = ({ planned, intended }: LoadCall, code: string | undefined): void => {
    if (planned < counted) return;
    const at = now();
    lastEnd = Math.max(lastEnd, at);
    calls += 1;
    latency.record((at - intended) * 1_000);
    if (code === undefined) return;
    failed += 1;
    errors.set(code, (errors.get(code) ?? 0) + 1);
  };

  const call = (planned: number): Promise<void> => {
    const actual = now();
    const started = { planned, intended: actual - planned < stepMs ? actual : planned };
    const ended = parts.send().then((failure) => {
      if (underWay.delete(started)) finish(started, failure?.code);
    });
    underWay.set(started, ended);
    return ended;
  };

  const giveUp = (): void => {
    for (const started of underWay.keys()) finish(started, unfinished);
    underWay.clear();
  };

  let stopped = signal.aborted ? begin : undefined;
  // At once: what an abort does to the calls themselves comes later, and is no answer.
  const onAbort = (): void => {
    stopped = now();
    giveUp();
  };
  signal.addEventListener("abort", onAbort, { once: true });

  const tick = (): void => {
    const at = now();
    if (!isCounting && at >= counted) {
      isCounting = true;
      onBegin?.();
    }
    onProgress?.({ atMs: at - counted, calls, failed });
  };

  const atRate = async (rate: number): Promise<void> => {
    for (let sent = 0; !signal.aborted; ) {
      const at = now();
      for (let next = begin + (sent * 1_000) / rate; next <= at && next < end; next = begin + (sent * 1_000) / rate) {
        if (signal.aborted) return;
        sent += 1;
        if (underWay.size >= mostUnderWay) finish({ planned: next, intended: next }, notSent);
        else void call(next);
      }
      tick();
      const next = begin + (sent * 1_000) / rate;
      if (next >= end) return;
      await parts.wait(Math.max(0, next - now()));
    }
  };

  const oneCaller = async (): Promise<void> => {
    for (let at = now(); at < end && !signal.aborted; at = now()) {
      await call(at);
      tick();
    }
  };

  const { load } = plan;
  let isOver = false;
  const begun = "rate" in load ? atRate(load.rate) : Promise.all(Array.from({ length: load.callers }, oneCaller));
  const work = begun
    .then(() => Promise.all(underWay.values()))
    .then(() => {
      isOver = true;
    });
  while (!isOver && !signal.aborted && now() < end + parts.limitMs + drawMs) {
    await Promise.race([work, parts.wait(drawMs)]);
    tick();
  }
  signal.removeEventListener("abort", onAbort);
  giveUp();
  const countedMs = Math.min(plan.forMs, Math.max(0, (stopped ?? end) - counted));
  return { latency, calls, errors, tookMs: lastEnd - counted, countedMs, isInterrupted: stopped !== undefined };
};
