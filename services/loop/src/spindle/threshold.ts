/** When a ticket counts as going in circles. Data: a session may set each number; 0 switches that signal off. */

export interface SpindleThresholds {
  /** Iterations in a row without a change. */
  readonly stall: number;
  /** Length of an A-B-A alternation of diffs. */
  readonly oscillation: number;
  /** Equal outputs in a row. */
  readonly repetition: number;
  /** Times that two failures alternate: A-B, so often. */
  readonly ping_pong: number;
  /** Times that one command fails in the same way. */
  readonly repeated_failure: number;
}

export const defaultThresholds: SpindleThresholds = {
  stall: 5,
  oscillation: 3,
  repetition: 3,
  ping_pong: 3,
  repeated_failure: 3,
};

export type SpindleSignal = keyof SpindleThresholds;

interface SignalRow {
  /** How sure the signal is, 0..1. */
  readonly confidence: number;
  /** What the third one of a session does: `abort` ends it as FAILED_SPINDLE, `block` as BLOCKED_NEEDS_HUMAN. */
  readonly effect: "abort" | "block";
}

export const signals: Readonly<Record<SpindleSignal, SignalRow>> = {
  stall: { confidence: 0.9, effect: "abort" },
  oscillation: { confidence: 0.95, effect: "abort" },
  repetition: { confidence: 0.85, effect: "abort" },
  ping_pong: { confidence: 0.9, effect: "abort" },
  repeated_failure: { confidence: 0.8, effect: "block" },
};

/** Entries each window keeps. */
export const windows = { hashes: 10, signatures: 20, files: 50 } as const;

/** Edits of one file from which it counts towards the risk. */
export const minChurnEdits = 3;
