/**
 * The figures of the kernel's process. The lag of the event loop is measured from the first question on, and no more once a minute has gone by without
 * one: watching costs a timer.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

interface ProcessFigures {
  /** How late the event loop was, in milliseconds, since the question before; `null` with the first one. */
  readonly lag: { readonly meanMs: number; readonly p99Ms: number; readonly maxMs: number } | null;
  /** Share of one core since the start of the process: 1 is one core all the time. */
  readonly cpu: number;
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
}

const idleMs = 60_000;
const resolutionMs = 20;

export class ProcessWatch {
  #delay: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #idle: NodeJS.Timeout | undefined;

  read(): ProcessFigures {
    const { rss, heapUsed, heapTotal } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return {
      lag: this.#readLag(),
      cpu: Math.round((user + system) / 1_000 / process.uptime()) / 1_000,
      rssBytes: rss,
      heapUsedBytes: heapUsed,
      heapTotalBytes: heapTotal,
    };
  }

  #readLag(): ProcessFigures["lag"] {
    clearInterval(this.#idle);
    this.#idle = setInterval(() => this.stop(), idleMs).unref();
    const delay = this.#delay;
    if (delay === undefined) {
      this.#delay = monitorEventLoopDelay({ resolution: resolutionMs });
      this.#delay.enable();
      return null;
    }
    // Its samples are whole intervals: what is above the interval is the delay.
    const late = (nanoseconds: number): number =>
      Number.isFinite(nanoseconds) ? Math.max(0, Math.round((nanoseconds / 1e6 - resolutionMs) * 100) / 100) : 0;
    const lag = { meanMs: late(delay.mean), p99Ms: late(delay.percentile(99)), maxMs: late(delay.max) };
    delay.reset();
    return lag;
  }

  stop(): void {
    clearInterval(this.#idle);
    this.#delay?.disable();
    this.#delay = undefined;
  }
}
