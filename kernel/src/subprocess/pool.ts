/**
 * A few warm subprocesses of the same kind: checked out by session, so that a session always meets the same one, or to whoever
 * has the least to do; restarted after so many calls or above so much memory, and then only when idle.
 *
 * Not here: what a session has loaded. A member that was restarted is empty again, unless its spec's `prepare` fills it.
 */
import { residentBytes } from "./memory.ts";
import type { Ask } from "./spec.ts";
import type { Subprocess } from "./subprocess.ts";
import { SubprocessError } from "./subprocess-error.ts";

export interface PoolOptions {
  readonly name: string;
  /** The members, already supervised; started with `warm` or by their first call. */
  readonly members: readonly Subprocess[];
  /** Calls after which a member is restarted. */
  readonly maxCalls?: number;
  /** Resident bytes above which a member is restarted. */
  readonly maxBytes?: number;
  /** Sessions remembered; the one unused for longest is forgotten first. Default 1,000. */
  readonly sessions?: number;
  /** Reads a process group's memory; from `/proc` when left out. */
  readonly residentBytes?: (pid: number) => number | undefined;
}

export interface Pool {
  /** Sends a request to the session's member, or to the least busy one. */
  ask(
    body: Parameters<Ask>[0],
    options?: Parameters<Ask>[1] & { readonly session?: string },
  ): Promise<Awaited<ReturnType<Ask>>>;
  /** Runs work on one member; it is not recycled meanwhile. */
  using<A>(session: string | undefined, work: (member: Subprocess) => Promise<A>): Promise<A>;
  /** Starts all members. */
  warm(): Promise<void>;
  forget(session: string): void;
  /** Restarts so far. */
  readonly recycled: number;
}

interface Slot {
  readonly member: Subprocess;
  calls: number;
  users: number;
  recycling: Promise<void> | undefined;
}

export const createPool = (options: PoolOptions): Pool => {
  const { maxCalls = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY, sessions = 1_000 } = options;
  const measure = options.residentBytes ?? residentBytes;
  const slots: readonly Slot[] = options.members.map((member) => ({
    member,
    calls: 0,
    users: 0,
    recycling: undefined,
  }));
  const home = new Map<string, Slot>();
  let turn = 0;
  let recycled = 0;

  /** Least busy; among equals in turn. */
  const nextSlot = (): Slot => {
    turn++;
    const inTurn = slots.map((_, i) => slots[(turn + i) % slots.length]).filter((slot) => slot !== undefined);
    const load = (slot: Slot): number => slot.users + (slot.recycling === undefined ? 0 : 1);
    const best = inTurn.toSorted((a, b) => load(a) - load(b))[0];
    if (best === undefined) throw new SubprocessError({ kind: "stopped" }, { name: options.name, sent: false });
    return best;
  };

  const slotOf = (session: string | undefined): Slot => {
    if (session === undefined) return nextSlot();
    const slot = home.get(session) ?? nextSlot();
    home.delete(session);
    home.set(session, slot);
    const oldest = home.size > sessions ? home.keys().next().value : undefined;
    if (oldest !== undefined) home.delete(oldest);
    return slot;
  };

  const worn = ({ member, calls }: Slot): boolean => {
    if (calls >= maxCalls) return true;
    const pid = maxBytes === Number.POSITIVE_INFINITY ? undefined : member.pid();
    return pid !== undefined && (measure(pid) ?? 0) > maxBytes;
  };

  const recycle = (slot: Slot): void => {
    recycled++;
    slot.calls = 0;
    slot.recycling = slot.member
      .restart()
      .catch(() => undefined)
      .finally(() => {
        slot.recycling = undefined;
      });
  };

  const using: Pool["using"] = async (session, work) => {
    const slot = slotOf(session);
    slot.users++;
    try {
      if (slot.recycling !== undefined) await slot.recycling;
      slot.calls++;
      return await work(slot.member);
    } finally {
      slot.users--;
      if (slot.users === 0 && slot.recycling === undefined && worn(slot)) recycle(slot);
    }
  };

  return {
    using,
    ask: (body, { session, ...rest } = {}) => using(session, (member) => member.ask(body, rest)),
    warm: async () => {
      await Promise.all(slots.map(({ member }) => member.start()));
    },
    forget: (session) => void home.delete(session),
    get recycled() {
      return recycled;
    },
  };
};
