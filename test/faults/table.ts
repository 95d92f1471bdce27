/**
 * The table of faults: what each of them does to a connection, over HTTP and over a process. The rows alone; the tests beside it play
 * each in both eras. Every row ends well: when the fault is over, the connection is back.
 */
import type { FaultName } from "./proxy.ts";

export type HttpFault = FaultName | "refuse";

/** What the status says, the event that has told it, and the reason in both. */
interface Outcome {
  readonly state: "reconnecting" | "blocked";
  readonly event: "Reconnecting" | "Blocked";
  readonly reason: string;
}

const again = (reason: string): Outcome => ({ state: "reconnecting", event: "Reconnecting", reason });
const blocked = (reason: string): Outcome => ({ state: "blocked", event: "Blocked", reason });

export interface OpeningRow<Fault extends string> extends Outcome {
  readonly fault: Fault;
  /** Where the new era is insisted on: no answer to its question counts as that it is not spoken there. */
  readonly insisted?: Outcome;
}

export interface CallRow<Fault extends string> extends Outcome {
  readonly fault: Fault;
  /** The error that the caller gets. `lost`: the upstream was; `late`: the call's own time ran out first. */
  readonly error: "lost" | "late";
  /** Whether the call may have arrived; left out where it depends. */
  readonly sent?: boolean;
  /** Whether a call that is not to be repeated may be sent again; a harmless one always may, unless the connection is blocked. */
  readonly retryable: boolean;
  /** Only upstreams of the session era can have it. */
  readonly only?: "legacy";
}

/** Over HTTP, while connecting. */
export const httpOpening: readonly OpeningRow<HttpFault>[] = [
  { fault: "refuse", ...again("refused") },
  { fault: "hole", ...again("timeout") },
  { fault: "reset", ...again("closed") },
  { fault: "drip", ...again("timeout") },
  { fault: "cut", ...again("closed") },
  { fault: "garbled", ...again("closed"), insisted: again("bad_answer") },
  { fault: "overloaded", ...again("bad_status") },
  { fault: "unauthorized", ...blocked("unauthorized") },
  { fault: "forbidden", ...blocked("forbidden") },
  { fault: "missing", ...blocked("not_found") },
  { fault: "page", ...again("bad_answer") },
  { fault: "nonsense", ...again("bad_answer") },
  { fault: "failing", ...again("bad_answer") },
  { fault: "redirect", ...blocked("bad_status") },
];

/** Over HTTP, under a call. */
export const httpCalling: readonly CallRow<HttpFault>[] = [
  { fault: "refuse", error: "lost", sent: false, retryable: true, ...again("refused") },
  { fault: "reset", error: "lost", retryable: false, ...again("closed") },
  { fault: "cut", error: "lost", sent: true, retryable: false, ...again("closed") },
  { fault: "garbled", error: "lost", sent: true, retryable: false, ...again("closed") },
  { fault: "page", error: "lost", sent: true, retryable: false, ...again("closed") },
  { fault: "overloaded", error: "lost", sent: true, retryable: false, ...again("bad_status") },
  { fault: "unauthorized", error: "lost", sent: true, retryable: false, ...blocked("unauthorized") },
  { fault: "forbidden", error: "lost", sent: true, retryable: false, ...blocked("forbidden") },
  { fault: "forgets", error: "lost", retryable: true, only: "legacy", ...again("session_expired") },
  { fault: "hole", error: "late", retryable: false, ...again("silent") },
  { fault: "drip", error: "late", retryable: false, ...again("silent") },
];

/** What a program can do instead of serving (`peers/bad.ts`). */
export type ProgramFault = "exit" | "silent" | "garbage" | "drip" | "cut" | "leaves" | "missing";

export const processOpening: readonly OpeningRow<ProgramFault>[] = [
  { fault: "exit", ...again("exited") },
  { fault: "silent", ...again("timeout") },
  { fault: "garbage", ...again("timeout") },
  { fault: "drip", ...again("timeout") },
  { fault: "cut", ...again("exited") },
  { fault: "leaves", ...again("exited") },
  { fault: "missing", ...blocked("missing_command") },
];

/** A signal, or the tool that does it to its own program. */
export type CallFault = "SIGKILL" | "SIGSTOP" | "die" | "cut" | "drip";

export const processCalling: readonly CallRow<CallFault>[] = [
  { fault: "SIGKILL", error: "lost", sent: true, retryable: false, ...again("exited") },
  { fault: "die", error: "lost", sent: true, retryable: false, ...again("exited") },
  { fault: "cut", error: "lost", sent: true, retryable: false, ...again("exited") },
  { fault: "drip", error: "late", retryable: false, ...again("silent") },
  { fault: "SIGSTOP", error: "late", retryable: false, ...again("silent") },
];
