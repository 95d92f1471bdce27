/**
 * Detects a ticket that goes in circles: stalling, alternating between two diffs, repeating itself, alternating between two
 * failures, or failing in the same way again. Pure; every verdict explains itself. State is reset with each ticket.
 */
import { signCommand, signFailure, signResult } from "./signature.ts";
import { minChurnEdits, type SpindleSignal, type SpindleThresholds, signals, windows } from "./threshold.ts";

export interface Spindle {
  readonly outputHashes: readonly string[];
  readonly diffHashes: readonly string[];
  readonly iterationsSinceChange: number;
  /** Every failure, in order. */
  readonly failureSignatures: readonly string[];
  /** Those of commands that have not passed since. */
  readonly openFailures: readonly string[];
  readonly fileEdits: Readonly<Record<string, number>>;
}

export const emptySpindle: Spindle = {
  outputHashes: [],
  diffHashes: [],
  iterationsSinceChange: 0,
  failureSignatures: [],
  openFailures: [],
  fileEdits: {},
};

interface SpindleVerdict {
  readonly signal: SpindleSignal;
  readonly confidence: number;
  readonly effect: "abort" | "block";
  /** What was seen, what the threshold is, and how to change it. */
  readonly explanation: string;
}

export type SpindleRisk = "none" | "low" | "medium" | "high";

const takeLast = <T>(items: readonly T[], count: number): readonly T[] => items.slice(-count);

/** An iteration ended: with the fingerprint of its diff, or with null when nothing was changed. The same diff again is not a change. */
export const recordIteration = (spindle: Spindle, diffHash: string | null, files: readonly string[]): Spindle =>
  diffHash === null || diffHash === spindle.diffHashes.at(-1)
    ? { ...spindle, iterationsSinceChange: spindle.iterationsSinceChange + 1 }
    : {
        ...spindle,
        iterationsSinceChange: 0,
        diffHashes: takeLast([...spindle.diffHashes, diffHash], windows.hashes),
        fileEdits: countEdits(spindle.fileEdits, files),
      };

/** What was said with a result. The same words with another diff are another output. */
export const recordOutput = (spindle: Spindle, output: string, diffHash: string | null): Spindle =>
  output.trim() === ""
    ? spindle
    : {
        ...spindle,
        outputHashes: takeLast([...spindle.outputHashes, signResult(output, diffHash)], windows.hashes),
      };

/** A command failed. */
export const recordFailure = (spindle: Spindle, command: string, error: string): Spindle => {
  const signature = signFailure(command, error);
  return {
    ...spindle,
    failureSignatures: takeLast([...spindle.failureSignatures, signature], windows.signatures),
    openFailures: takeLast([...spindle.openFailures, signature], windows.signatures),
  };
};

/** A command passed: what it failed with before was fixed, or was chance. */
export const recordSuccess = (spindle: Spindle, command: string): Spindle => {
  const start = signCommand(command);
  return spindle.openFailures.some((signature) => signature.startsWith(start))
    ? { ...spindle, openFailures: spindle.openFailures.filter((signature) => !signature.startsWith(start)) }
    : spindle;
};

const countEdits = (edits: Spindle["fileEdits"], files: readonly string[]): Spindle["fileEdits"] => {
  const counted = new Map(Object.entries(edits));
  for (const file of new Set(files)) counted.set(file, (counted.get(file) ?? 0) + 1);
  return Object.fromEntries([...counted].toSorted((a, b) => b[1] - a[1]).slice(0, windows.files));
};

/** How often each signal was seen, in the units of its threshold. */
export const countSignals = (spindle: Spindle): Readonly<Record<SpindleSignal, number>> => ({
  stall: spindle.iterationsSinceChange,
  oscillation: longestAlternation(spindle.diffHashes),
  repetition: equalAtEnd(spindle.outputHashes),
  ping_pong: Math.floor(alternationAtEnd(spindle.failureSignatures) / 2),
  repeated_failure: mostFrequent(spindle.openFailures),
});

const wording: Readonly<Record<SpindleSignal, (seen: number) => string>> = {
  stall: (seen) => `${seen} iterations in a row changed nothing`,
  oscillation: (seen) => `the last diffs swing between two versions (${seen} in alternation)`,
  repetition: (seen) => `the same output came ${seen} times in a row, with the same change`,
  ping_pong: (seen) => `two failures took turns ${seen} times`,
  repeated_failure: (seen) => `one command failed in the same way ${seen} times`,
};

/** The surest signal that reached its threshold, or null. */
export const detectLoop = (spindle: Spindle, thresholds: SpindleThresholds): SpindleVerdict | null => {
  const counts = countSignals(spindle);
  const reached = signalNames
    .filter((signal) => thresholds[signal] > 0 && counts[signal] >= thresholds[signal])
    .toSorted((a, b) => signals[b].confidence - signals[a].confidence)[0];
  return reached === undefined
    ? null
    : {
        signal: reached,
        ...signals[reached],
        explanation: `${wording[reached](counts[reached])}; the threshold is ${thresholds[reached]} (spindle.${reached} of the session)`,
      };
};

const signalNames: readonly SpindleSignal[] = ["stall", "oscillation", "repetition", "ping_pong", "repeated_failure"];

interface RiskAssessment {
  readonly risk: SpindleRisk;
  /** One sentence for each reason that adds to the risk. */
  readonly reasons: readonly string[];
}

/** How near a ticket is to going in circles: 4 points and more are high, 2 medium, 1 low. */
export const assessRisk = (spindle: Spindle, thresholds: SpindleThresholds): RiskAssessment => {
  const counts = countSignals(spindle);
  const reasons: string[] = [];
  let points = 0;
  for (const signal of signalNames) {
    const threshold = thresholds[signal];
    const added = threshold === 0 ? 0 : pointsFor(counts[signal], threshold);
    if (added === 0) continue;
    points += added;
    reasons.push(`${wording[signal](counts[signal])}; ${threshold} would stop the ticket`);
  }
  for (const [file, edits] of Object.entries(spindle.fileEdits)) {
    if (edits < minChurnEdits) continue;
    points += 1;
    reasons.push(`${file} was edited ${edits} times`);
  }
  return { risk: points >= 4 ? "high" : points >= 2 ? "medium" : points >= 1 ? "low" : "none", reasons };
};

/** One occurrence is normal, whatever the threshold. */
const pointsFor = (seen: number, threshold: number): number => {
  if (seen >= threshold) return 4;
  if (seen < 2) return 0;
  return seen === threshold - 1 ? 2 : 1;
};

const equalAtEnd = (items: readonly string[]): number => {
  const last = items.at(-1);
  const different = items.findLastIndex((item) => item !== last);
  return items.length - 1 - different;
};

/** Length of the alternation A-B-A-B... at the end of a list; 0 when its last two are equal. */
const alternationAtEnd = (items: readonly string[]): number => {
  const [last, before] = [items.at(-1), items.at(-2)];
  if (last === undefined || before === undefined || last === before) return 0;
  let length = 2;
  while (length < items.length && items.at(-1 - length) === items.at(1 - length)) length += 1;
  return length;
};

/** Alternations shorter than A-B-A are none. */
const longestAlternation = (items: readonly string[]): number => {
  const lengths = items.map((_, end) => alternationAtEnd(items.slice(0, end + 1)));
  const longest = Math.max(0, ...lengths);
  return longest < 3 ? 0 : longest;
};

const mostFrequent = (items: readonly string[]): number => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return Math.max(0, ...counts.values());
};
