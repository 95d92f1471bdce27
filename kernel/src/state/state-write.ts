/**
 * What goes to the thread that writes answers, events and runs, and what comes back. Writes and results go as one text of JSON: a string is copied as it is, where
 * a list of objects took a third of the main thread's time.
 */
import type { KeyUse } from "../policy/idempotency.ts";
import type { CallBatch } from "./event-batch.ts";

/** One change of what is kept. `reply` is its JSON. */
export type AnswerWrite =
  | { readonly kind: "claim"; readonly use: KeyUse }
  | { readonly kind: "finish"; readonly use: KeyUse; readonly reply: string }
  | { readonly kind: "release"; readonly use: KeyUse };

/** The result of a claim; `reply` is its JSON. */
export type ClaimWritten =
  | "claimed"
  | "full"
  | { readonly tag: "pending"; readonly input: string }
  | { readonly tag: "answered"; readonly input: string; readonly reply: string };

/** The result of a write: of a claim, or that the rest is `done`. `lost`: the row of the claim is gone, so there is nothing to finish. */
export type AnswerWritten = ClaimWritten | "done" | "lost";

/**
 * Sent to the thread; `writes` is the JSON of `AnswerWrite[]` or `RunWrite[]`, `others` of events that are not of calls, `read` of a
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
