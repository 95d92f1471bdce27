/**
 * Where a service keeps the state of its sessions, by the key that its contract places calls by: what one node has saved the next owner of the key loads. In a cluster a node
 * that does not own the key any more cannot save; on one machine it is a file.
 *
 * Not here: where it is kept (`store/`), who owns a key (`placement/cluster/`).
 */

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
