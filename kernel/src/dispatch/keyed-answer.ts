/**
 * The reply of a call with an idempotency key: all callers of one key share one run, and later ones get the stored answer.
 */
import { hash } from "node:crypto";
import type { Reply } from "../call/call.ts";
import { canonicalJson } from "../call/canonical.ts";
import { type AnswerStore, StoredAnswers } from "../policy/idempotency.ts";
import type { ActiveCall } from "./active-call.ts";

/** Answers an admitted call with this key. Rejects with a `FairleadError` when the key is used for another input. */
export type KeyedAnswer = (key: string, call: ActiveCall) => Promise<Reply>;

/** `answers` is opened at the first use of a key. */
export const makeKeyedAnswer = (
  answers: () => Promise<AnswerStore>,
  run: (call: ActiveCall) => unknown,
): KeyedAnswer => {
  const keyed = new StoredAnswers(answers);
  /** The shared work: no caller's end is its end. */
  const shared = async (call: ActiveCall): Promise<Reply> => {
    const detached = call.detached();
    try {
      return { ok: true, value: await run(detached) };
    } catch (cause) {
      return { ok: false, error: detached.wireError(cause) };
    } finally {
      detached.scope.dispose();
    }
  };
  return (key, call) => {
    const { input, principal } = call.request;
    const use = { principal: principal.id, procedure: call.target.entry.name, key, input: digest(input) };
    return call.scope.run(keyed.run(use, () => shared(call)));
  };
};

/** Of the input as it was sent: decoding may turn it into what JSON cannot distinguish. */
const digest = (input: unknown): string => hash("sha256", canonicalJson(input), "base64url");
