/**
 * What is followed at the moment: each thing once, for as long as somebody wants it. Not here: how it is followed (`follow.ts`).
 */
import { throttle } from "../call/throttle.ts";

interface Follow {
  readonly owner: string;
  /** One for each that wants it. */
  readonly notify: Set<() => void>;
  readonly end: AbortController;
  readonly stop: () => void;
}

interface FollowStart {
  /** The same for the same thing, followed with the same rights. */
  readonly key: string;
  /** In whose places it counts; left out, everything is of one. */
  readonly owner?: string;
  readonly run: (terms: { readonly signal: AbortSignal; readonly changed: () => void }) => Promise<void>;
  /** Called at most four times a second. */
  readonly changed: () => void;
}

/** Milliseconds between two notices of one thing. */
const apartMs = 250;

export class Follows {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #open = new Map<string, Follow>();
  #isClosed = false;

  constructor(most: number, mostOfOne = most) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  /** Begins where it has not begun. Gives what ends it, which counts once; nothing where too much is followed, and after `close`. */
  open({ key, owner = "", run, changed }: FollowStart): (() => void) | undefined {
    if (this.#isClosed) return undefined;
    // Its own function: one that is handed in twice counts twice.
    const notify = (): void => changed();
    const before = this.#open.get(key);
    if (before !== undefined) {
      before.notify.add(notify);
      return this.#release(key, before, notify);
    }
    if (this.#open.size >= this.#most || this.#count(owner) >= this.#mostOfOne) return undefined;
    const end = new AbortController();
    const wanted = new Set([notify]);
    const notices = throttle(apartMs, () => {
      for (const one of wanted) one();
    });
    const follow: Follow = { owner, notify: wanted, end, stop: notices.stop };
    this.#open.set(key, follow);
    void run({
      signal: end.signal,
      changed: () => {
        if (!end.signal.aborted) notices.now();
      },
    });
    return this.#release(key, follow, notify);
  }

  /** Ends everything, and lets nothing begin any more: who was about to follow something may come after this. */
  close(): void {
    this.#isClosed = true;
    for (const { end, stop } of this.#open.values()) {
      end.abort();
      stop();
    }
    this.#open.clear();
  }

  #count(owner: string): number {
    let count = 0;
    for (const follow of this.#open.values()) if (follow.owner === owner) count += 1;
    return count;
  }

  #release(key: string, follow: Follow, notify: () => void): () => void {
    return () => {
      if (!follow.notify.delete(notify) || follow.notify.size > 0) return;
      follow.end.abort();
      follow.stop();
      if (this.#open.get(key) === follow) this.#open.delete(key);
    };
  }
}
