/**
 * The reply of a call with an idempotency key: all callers of one key share one run, and later ones get the stored answer.
 */
import { hash } from "node:crypto";
import type { Reply } from "../call/call.ts";
import { canonicalJson } from "../call/canonical.ts";
import { NotAvailable } from "../call/error.ts";
import { type AnswerStore, type KeyUse, StoredAnswers } from "../policy/idempotency.ts";
import type { ActiveCall } from "./active-call.ts";
import type { Leave } from "./gate.ts";

/**
 * Answers an admitted call with this key, and lets it leave. Rejects with a `FairleadError` when the key is used for another input. The
 * places of the call that began a run are the run's, whether or not its caller stays.
 */
export type KeyedAnswer = (key: string, call: ActiveCall, leave: Leave) => Promise<Reply>;

/** `answers` is opened at the first use of a key. */
export const makeKeyedAnswer = (
  answers: () => Promise<AnswerStore>,
  run: (call: ActiveCall) => Promise<unknown>,
): KeyedAnswer => {
  const keyed = new StoredAnswers(answers);
  /** The shared work: no caller's end is its end. */
  const shared = async (call: ActiveCall, leave: Leave): Promise<Reply> => {
    const detached = call.detached();
    const result = detached.scope.run(run(detached));
    leave(detached.scope);
    try {
      return { ok: true, value: await result };
    } catch (cause) {
      // Its handler was never called. That its service was down is no answer to keep.
      if (cause instanceof NotAvailable && detached.attempts === 0) throw cause;
      return { ok: false, error: detached.wireError(cause) };
    } finally {
      detached.scope.dispose();
    }
  };
  return async (key, call, leave) => {
    const use = readUse(key, call, leave);
    const running = keyed.join(use);
    if (running !== undefined) return call.scope.wait(running).finally(leave);
    let isRun = false;
    const reply = keyed.begin(use, () => {
      isRun = true;
      return shared(call, leave);
    });
    return call.scope.wait(reply, () => {
      if (!isRun) leave();
    });
  };
};

/** Throws for an input that JSON has no form for. */
const readUse = (key: string, call: ActiveCall, leave: Leave): KeyUse => {
  const { input, principal } = call.request;
  try {
    return { principal: principal.id, procedure: call.target.entry.name, key, input: digest(input) };
  } catch (cause) {
    leave();
    throw cause;
  }
};

/** Of the input as it was sent: decoding may turn it into what JSON cannot distinguish. */
const digest = (input: unknown): string => hash("sha256", canonicalJson(input), "base64url");
