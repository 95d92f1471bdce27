/**
 * What is followed at the moment: each thing once, for as long as somebody wants it. Not here: how it is followed (`follow.ts`).
 */
import { throttle } from "../call/throttle.ts";

interface Follow {
  wanted: number;
  readonly end: AbortController;
  readonly stop: () => void;
}

interface FollowStart {
  /** The same for the same thing. */
  readonly key: string;
  readonly run: (terms: { readonly signal: AbortSignal; readonly changed: () => void }) => Promise<void>;
  /** Called at most four times a second. */
  readonly changed: () => void;
}

/** Milliseconds between two notices of one thing. */
const apartMs = 250;

export class Follows {
  readonly #most: number;
  readonly #open = new Map<string, Follow>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Begins where it has not begun. Gives what ends it, which counts once; nothing where too much is followed. */
  open({ key, run, changed }: FollowStart): (() => void) | undefined {
    const before = this.#open.get(key);
    if (before !== undefined) {
      before.wanted += 1;
      return this.#release(key, before);
    }
    if (this.#open.size >= this.#most) return undefined;
    const end = new AbortController();
    const notices = throttle(apartMs, changed);
    const follow: Follow = { wanted: 1, end, stop: notices.stop };
    this.#open.set(key, follow);
    const notify = (): void => {
      if (!end.signal.aborted) notices.now();
    };
    void run({ signal: end.signal, changed: notify });
    return this.#release(key, follow);
  }

  close(): void {
    for (const { end, stop } of this.#open.values()) {
      end.abort();
      stop();
    }
    this.#open.clear();
  }

  #release(key: string, follow: Follow): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      follow.wanted -= 1;
      if (follow.wanted > 0) return;
      follow.end.abort();
      follow.stop();
      if (this.#open.get(key) === follow) this.#open.delete(key);
    };
  }
}
