/**
 * Figures of the kernel's process over time, as this tab has seen them: each answer of `kernel.process` is a sample. Not here: asking for them (`api/kernel.ts`), and drawing.
 */
import type { KernelTypes } from "@fairlead/client/kernel";
import { appendLatest } from "./ring.ts";

export type ProcessFigures = KernelTypes["process"]["output"];

export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Which start of the kernel it belongs to. */
  readonly startedAt: string;
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  /** Milliseconds; `null` where it was not measured yet. */
  readonly lagMs: number | null;
  /** CPU seconds since the kernel's start. */
  readonly cpuSeconds: number;
}

/** Half an hour at one every three seconds. */
const mostSamples = 600;

export const toSample = (figures: ProcessFigures, at: number): Sample => ({
  at,
  startedAt: figures.startedAt,
  rssBytes: figures.rssBytes,
  heapUsedBytes: figures.heapUsedBytes,
  lagMs: figures.lag?.p99Ms ?? null,
  cpuSeconds: (figures.cpu * Math.max(0, at - Date.parse(figures.startedAt))) / 1_000,
});

/** Cores in use between two samples; `null` where the kernel was started again between them, or no time has passed. */
export const coresBetween = (before: Sample | undefined, after: Sample): number | null => {
  if (before === undefined || before.startedAt !== after.startedAt || after.at <= before.at) return null;
  // The kernel's clock and this browser's need not agree to the millisecond.
  return Math.max(0, (1_000 * (after.cpuSeconds - before.cpuSeconds)) / (after.at - before.at));
};

export const addSample = (samples: readonly Sample[], sample: Sample): readonly Sample[] =>
  appendLatest(samples, [sample], mostSamples);

let samples: readonly Sample[] = [];
const listeners = new Set<() => void>();

export const recordSample = (figures: ProcessFigures): void => {
  samples = addSample(samples, toSample(figures, Date.now()));
  for (const listener of listeners) listener();
};

export const subscribeSamples = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const currentSamples = (): readonly Sample[] => samples;
