/**
 * Policy as data: how long a procedure may take, how often it may run at once, what it accepts, whether the kernel may
 * repeat it, whether it can be started as a run, which outlives its caller, and where it may run. The kernel's policy room turns this into behaviour; nothing here runs.
 */

/**
 * How a repeat of the same call behaves.
 * - `safe`: changes nothing (queries and subscriptions always).
 * - `idempotent`: a second run leaves the same state as one run.
 * - `keyed`: the caller sends an idempotency key; a repeat gets the stored answer.
 * - `unsafe`: a repeat does the thing twice; it is never repeated automatically.
 */
export type RetrySafety = "safe" | "idempotent" | "keyed" | "unsafe";

/** Sizes that are checked before the input is decoded. */
export interface Limits {
  /** Bytes of the encoded input. */
  readonly bytes: number;
  /** Nesting of arrays and objects. */
  readonly depth: number;
  /** Members of one object. */
  readonly keys: number;
  /** Items of one array. */
  readonly items: number;
  /** Bytes of one string. */
  readonly string: number;
}

/** The limits of inputs where a contract sets none. */
export const defaultLimits: Limits = {
  bytes: 1_048_576,
  depth: 64,
  keys: 10_000,
  items: 100_000,
  string: 1_048_576,
};

/** Sizes that are checked before an answer, or an event, is written down. One that passes them is a defect of the service. */
export interface OutputLimits {
  /** Bytes as JSON, taken at their least. */
  readonly bytes: number;
  /** Nesting of arrays and objects. */
  readonly depth: number;
}

/** The limits of outputs where a contract sets none. */
export const defaultOutputLimits: OutputLimits = { bytes: 16_777_216, depth: 128 };

/** Repeats of a failed attempt: exponential, full jitter, inside the call's deadline. */
export interface Retry {
  /** Attempts in all, the first included; 2 to 5. */
  readonly attempts: number;
  /** Milliseconds; the upper bound of the first pause, doubled each time. Default 100. */
  readonly baseMs?: number;
  /** Milliseconds; the longest pause. Default 2,000. */
  readonly capMs?: number;
}

/** Circuit breaker: refuses at once while a dependency is known to be down. */
export interface Breaker {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** Milliseconds it stays open before one probe is let through. */
  readonly openMs: number;
}

/** How calls of a procedure are run. Every member is optional; `policyDefaults` has the rest. */
export interface Policy {
  /** Milliseconds from arrival to answer, waiting included. Default 30,000. A caller may ask for less, never for more. */
  readonly deadlineMs?: number;
  /** Calls that run at once; more wait. Default 64. */
  readonly concurrency?: number;
  /** For subscriptions, instead of `concurrency` and `queue`: streams open at once; more are refused with `resource_exhausted`. Default 256. */
  readonly streams?: number;
  /** Calls that may wait; more are refused with `resource_exhausted`. Default 256. */
  readonly queue?: number;
  /** Where this procedure accepts more, or less, than `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** Where this procedure gives more, or less, than `defaultOutputLimits`. */
  readonly outputLimits?: Partial<OutputLimits>;
  readonly breaker?: Breaker;
  /** Only for procedures that are safe, idempotent or keyed. */
  readonly retry?: Retry;
}

/** `retry` does not exist on the policy of an unsafe procedure: asking for it does not compile. */
export type PolicyFor<R extends RetrySafety> = R extends "unsafe"
  ? Omit<Policy, "retry"> & { readonly retry?: never }
  : Policy;

/** What a policy is where a contract says nothing. Milliseconds and counts of calls. */
export const policyDefaults = { deadlineMs: 30_000, concurrency: 64, queue: 256, streams: 256 } as const;

/**
 * A procedure that may be started as a run. It can be called as well; only what is started outlives its caller. Every member is optional;
 * `runDefaults` has the rest.
 */
export interface RunPolicy {
  /**
   * What becomes of a run whose kernel ended in the middle. `fail`: it fails with `unavailable`. `resume`: its handler is called again with the
   * same input, and finds the answers that it got. Default `fail`.
   */
  readonly onRestart?: "fail" | "resume";
  /** Attempts in all, the first included; 1 to 100. Repeated is what may go well later: `unavailable`, `internal` and the like. Default 1. */
  readonly attempts?: number;
  /** Milliseconds; the upper bound of the first pause between attempts, doubled each time. Default 1,000. */
  readonly baseMs?: number;
  /** Milliseconds; the longest pause. Default 300,000. */
  readonly capMs?: number;
  /** Milliseconds that one attempt may take, waiting for answers included. Default 24 hours. */
  readonly deadlineMs?: number;
  /** Runs of it that work at once; more are queued. Default 4. */
  readonly concurrency?: number;
}

/** What a run policy is where a contract says nothing. */
export const runDefaults = {
  onRestart: "fail",
  attempts: 1,
  baseMs: 1_000,
  capMs: 300_000,
  deadlineMs: 86_400_000,
  concurrency: 4,
} as const satisfies Required<RunPolicy>;

/**
 * The run policy of a procedure by its retry safety: what may not be repeated is neither tried again nor resumed. Nor is what is keyed: an
 * attempt has no key.
 */
export type RunPolicyFor<R extends RetrySafety> = R extends "unsafe" | "keyed"
  ? Omit<RunPolicy, "attempts" | "onRestart"> & { readonly attempts?: 1; readonly onRestart?: "fail" }
  : RunPolicy;

/**
 * Where calls of a procedure may run. Default `here`.
 * - `stateless`: anywhere, and two at once in two places: what it answers depends on nothing that an earlier call left in the process.
 * - `{ keyedBy: "session" }`: calls with the same value of that field run in the same place: state in memory is kept by that key.
 * - `here`: in the kernel's own process alone, where one instance of the service has all of its state.
 */
export type ProcedurePlacement = "stateless" | "here" | { readonly keyedBy: string };

/** The placement of a procedure in words: `stateless`, `keyed by session` or `here`. */
export const placementText = (placement: ProcedurePlacement = "here"): string =>
  typeof placement === "string" ? placement : `keyed by ${placement.keyedBy}`;
