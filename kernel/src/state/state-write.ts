/**
 * What goes to the thread that writes answers, events and runs, and what comes back. Writes and results go as one text of JSON: a string is copied as it is, where
 * a list of objects took a third of the main thread's time.
 */
import type { KeyUse } from "../policy/idempotency.ts";
import type { CallBatch } from "./event-batch.ts";

/** Claims without an answer that are known by their number: the oldest of more are found by their key, as those of an earlier thread are. */
export const mostOpenClaims = 10_000;

/** A key, who used it and on what. */
export type UsedKey = Omit<KeyUse, "input">;

/** Takes a key. `number` is another one for each claim that this process makes. */
export interface AnswerClaim {
  readonly kind: "claim";
  readonly use: KeyUse;
  readonly number: number;
}

/**
 * One change of what is kept. `reply` is its JSON. `answer` is `finish` by the number of a claim, which costs less.
 */
export type AnswerWrite =
  | AnswerClaim
  | { readonly kind: "answer"; readonly number: number; readonly reply: string }
  | { readonly kind: "finish"; readonly use: UsedKey; readonly reply: string }
  | { readonly kind: "release"; readonly use: UsedKey };

/** The result of a claim; `reply` is its JSON. */
export type ClaimWritten =
  | "claimed"
  | "full"
  | { readonly tag: "pending"; readonly input: string }
  | { readonly tag: "answered"; readonly input: string; readonly reply: string };

/**
 * The result of a write: of a claim, or that the rest is `done`. `lost`: the row of the claim is gone, so there is nothing to finish. `unknown`: the thread does not know
 * the number, since it was started later or has had many others meanwhile, and has changed nothing.
 */
export type AnswerWritten = ClaimWritten | "done" | "lost" | "unknown";

/**
 * Sent to the thread; `writes` is what `packAnswers` gives or the JSON of `RunWrite[]`, `others` of events that are not of calls, `read` of a
 * `RunRead`. All are answered in their order. After `reopen` they go to the file that is there then; after `close` the thread ends.
 */
export type WriterRequest =
  | { readonly type: "batch"; readonly writes: string }
  | { readonly type: "events"; readonly start: number; readonly calls: CallBatch | undefined; readonly others: string }
  | { readonly type: "runs"; readonly writes: string }
  | { readonly type: "read-runs"; readonly read: string }
  | { readonly type: "reopen" }
  | { readonly type: "close" };

/** Sent by the thread; `results` is the JSON of `AnswerWritten[]` or `RunWritten[]`, of what was read, or empty for events. A batch that failed has changed nothing. */
export type WriterReply =
  | { readonly type: "committed"; readonly results: string }
  | { readonly type: "failed"; readonly code: string | undefined; readonly message: string }
  /** The file was damaged, and is put aside under this name. */
  | { readonly type: "damaged"; readonly aside: string };

/** What the thread is started with. */
export interface WriterStart {
  readonly file: string;
  readonly limits: AnswerLimits;
}

/** How much may be kept. */
export interface AnswerLimits {
  /** Bytes of the file, or of what is kept in memory, beyond which no new key is taken. */
  readonly mostBytes: number;
  /** Bytes of one principal's answers, likewise: one caller cannot take the room of all. */
  readonly mostOfOne: number;
  /** The principal for which `mostOfOne` does not hold: the local one, which may be the only one. */
  readonly unlimited: string;
}
