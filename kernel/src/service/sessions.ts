/**
 * Where a service keeps the state of its sessions, by the key that its contract places calls by: what one node has saved the next owner of the key loads. In a cluster a node
 * that does not own the key any more cannot save; on one machine it is a file.
 *
 * Not here: where it is kept (`store/`), who owns a key (`placement/cluster/`).
 */
import { FairleadError } from "@fairlead/contracts";

/** The state of a session as it was saved last. */
export interface SessionState {
  /** As JSON gives it back. */
  readonly value: unknown;
  /** 1 at first, and one more with each save. */
  readonly version: number;
  /** Of the owner that has saved it: grows with each owner of the key. 0 on one machine. */
  readonly epoch: number;
}

/** The sessions of one service. All of it is committed when a promise resolves. */
export interface Sessions {
  /** The state that was saved last; `undefined` where there is none. */
  load(key: string): Promise<SessionState | undefined>;
  /**
   * Saves a value that JSON has a form for, after the state that it was made from: `undefined` for a session that has none yet. Rejects with a `StaleSession` where
   * another has saved since, or where this node does not own the key: then nothing was saved.
   */
  save(key: string, value: unknown, after: SessionState | undefined): Promise<SessionState>;
  /** Forgets a session. Rejects as `save` does. */
  remove(key: string, after: SessionState): Promise<void>;
}

/** Nothing was saved: another has saved since, or owns the key. What this node has in memory of the session is old: forget it. */
export class StaleSession extends FairleadError {
  /** `owner`: this node does not own the key; `version`: another call has saved since. */
  readonly because: "owner" | "version";

  constructor(key: string, because: "owner" | "version") {
    super({
      code: "aborted",
      message:
        because === "owner"
          ? `the session ${JSON.stringify(key.slice(0, 80))} belongs to another node, and nothing of this one was saved`
          : `the session ${JSON.stringify(key.slice(0, 80))} was saved by another call since, and nothing of this one was saved`,
      hint: "send the call again: it begins with what was saved last",
      retryable: true,
    });
    this.because = because;
  }
}
