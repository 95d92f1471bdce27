/**
 * Which sessions may have a process: no more at once than there are places, however many callers there are.
 *
 * A call holds its session's place while it works. A place that no call holds is taken from the session that was unused for longest, which
 * is put to sleep first. Callers wait in turn by principal, so that one with many calls does not keep the others waiting for all of them.
 * Not here: processes, and what is loaded in them (`session.ts`).
 */

/** What holds a place. */
interface PlaceHolder {
  /** True while it has a process, or is getting one. */
  awake(): boolean;
  /** Ends the process. */
  sleep(): Promise<void>;
}

interface PlaceRequest {
  readonly principal: string;
  /** Ends the waiting; `acquire` rejects with its reason. */
  readonly signal: AbortSignal;
}

interface ProcessPlaces<S extends PlaceHolder> {
  /** A place that can be had at once; what it answers gives it back. Nothing where the session would have to wait. */
  take(session: S): (() => void) | undefined;
  /** Waits until the session has a place; what it answers gives it back, once. */
  acquire(session: S, request: PlaceRequest): Promise<() => void>;
  /** True while a call holds its place or waits for one. */
  isUsed(session: S): boolean;
}

interface Waiting<S> {
  readonly session: S;
  readonly granted: PromiseWithResolvers<void>;
}

export const createProcessPlaces = <S extends PlaceHolder>(places: number): ProcessPlaces<S> => {
  /** Calls at work by session; the session that was used last is at the end. */
  const holders = new Map<S, number>();
  /** Callers without a place, by principal; the principal that is served next is the first. */
  const queue = new Map<string, Waiting<S>[]>();
  /** Sessions on their way to sleep: their places are taken until then. */
  const leaving = new Set<S>();

  const add = (session: S): void => {
    const calls = (holders.get(session) ?? 0) + 1;
    holders.delete(session);
    holders.set(session, calls);
  };

  /** Sessions that ended their process by themselves need no place. */
  const forgetEnded = (): void => {
    for (const [session, calls] of holders) if (calls === 0 && !session.awake()) holders.delete(session);
  };

  const grant = (session: S): void => {
    for (const [principal, line] of queue) {
      for (const waiting of line.filter((one) => one.session === session)) {
        add(session);
        waiting.granted.resolve();
        remove(principal, waiting);
      }
    }
  };

  const remove = (principal: string, waiting: Waiting<S>): void => {
    const line = queue.get(principal)?.filter((one) => one !== waiting) ?? [];
    if (line.length > 0) queue.set(principal, line);
    else queue.delete(principal);
  };

  /** Serves who waits, while there are places or sessions that can be put to sleep for one. */
  const serve = (): void => {
    for (;;) {
      const [next] = queue;
      if (next === undefined) return;
      const [principal, [first]] = next;
      if (first === undefined) return;
      forgetEnded();
      if (leaving.has(first.session)) return;
      if (!holders.has(first.session) && holders.size + leaving.size >= places) {
        const idle = [...holders].find(([, calls]) => calls === 0)?.[0];
        if (idle !== undefined && leaving.size === 0) makeRoom(idle);
        return;
      }
      grant(first.session);
      const line = queue.get(principal);
      if (line === undefined) continue;
      queue.delete(principal);
      queue.set(principal, line);
    }
  };

  const makeRoom = (idle: S): void => {
    holders.delete(idle);
    leaving.add(idle);
    const left = (): void => {
      leaving.delete(idle);
      serve();
    };
    idle.sleep().then(left, left);
  };

  const release = (session: S): void => {
    holders.set(session, (holders.get(session) ?? 1) - 1);
    serve();
  };

  const createRelease = (session: S): (() => void) => {
    let held = true;
    return () => {
      if (held) release(session);
      held = false;
    };
  };

  return {
    take: (session) => {
      forgetEnded();
      const free = queue.size === 0 && !leaving.has(session) && holders.size + leaving.size < places;
      if (!free && !holders.has(session)) return undefined;
      add(session);
      return createRelease(session);
    },
    acquire: async (session, { principal, signal }) => {
      signal.throwIfAborted();
      const waiting: Waiting<S> = { session, granted: Promise.withResolvers() };
      queue.set(principal, [...(queue.get(principal) ?? []), waiting]);
      const giveUp = (): void => {
        remove(principal, waiting);
        waiting.granted.reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      serve();
      try {
        await waiting.granted.promise;
      } finally {
        signal.removeEventListener("abort", giveUp);
      }
      return createRelease(session);
    },
    isUsed: (session) =>
      (holders.get(session) ?? 0) > 0 ||
      [...queue.values()].some((line) => line.some((one) => one.session === session)),
  };
};
