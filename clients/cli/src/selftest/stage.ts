/** What a part of the self-test is given, and what it finds. */
import type { KernelProcess, KernelStart } from "./kernel-process.ts";

export interface StageSetup {
  readonly seed: number;
  /** How much each part does: 1 is the quick run. */
  readonly scale: number;
  /** Folder of the project. */
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts a kernel on this folder of state, or on a new one. */
  readonly start: (more?: Partial<Pick<KernelStart, "stateDir" | "fileBytes" | "disk">>) => Promise<KernelProcess>;
  /** A folder for state that is thrown away. */
  readonly newFolder: () => string;
  /** Seeds of requests that failed before. */
  readonly corpus: readonly number[];
}

/** One line of the report. */
export interface StageResult {
  readonly name: string;
  readonly ok: boolean;
  /** What was done and measured, in words. */
  readonly figures: string;
  /** What was wrong; empty when nothing was. */
  readonly problems: readonly string[];
  /** Seeds of the requests that failed. */
  readonly seeds?: readonly number[];
}

/** Runs work for each number below `count`, so many at once. */
export const each = async (
  count: number,
  { atOnce, work }: { readonly atOnce: number; readonly work: (at: number) => Promise<void> },
): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
