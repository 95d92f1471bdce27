/**
 * All sessions: each principal has its own, and as many as it names. A session has a process to itself, so none sees another's
 * build; only so many processes run at once (`process-places.ts`).
 *
 * What sleeps keeps its journal, and wakes with its build at the next call. Not here: what a session does (`session.ts`).
 */
import { type Call, FairleadError, type Host } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { PobSettings } from "../setup/settings.ts";
import type { Session } from "./session.ts";

/** The principal and the name of a session; without a name, the principal's default session. */
interface SessionKey {
  readonly principal: string;
  readonly name: string | undefined;
}

/** How long a caller waits. */
type CallTime = Pick<Call, "signal" | "deadline">;

export interface SessionRegistry {
  /**
   * Works with the session, which is made when there is none, once it may have a process; it may until the work is over. Rejects with
   * `resource_exhausted` when all processes are at work for most of the caller's time, or when there are too many sessions.
   */
  use<A>(key: SessionKey & CallTime, work: (session: Session) => Promise<A>): Promise<A>;
  /** Stops a session, which forgets its build; false when it had no process. Makes none. */
  stop(key: SessionKey): Promise<boolean>;
  /** All there are, the one used last at the end. */
  list(): readonly Session[];
}

/** Sessions remembered, asleep or not. Each keeps its build, of up to 8 MiB. */
const mostSessions = 32;

interface RegistryEntry {
  readonly session: Session;
  readonly scope: Scope.Closeable;
}

export const createSessionRegistry = (
  settings: PobSettings,
  host: Host,
): Effect.Effect<SessionRegistry, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope;
    const entries = new Map<string, RegistryEntry>();
    /** Loaded by the first call, which a start does not need. */
    const loadQueues = async () => {
      const [{ createTurnQueue }, { createProcessPlaces }] = await Promise.all([
        import("../engine/turn-queue.ts"),
        import("./process-places.ts"),
      ]);
      return { inTurn: createTurnQueue(), places: createProcessPlaces<Session>(settings.processes) };
    };
    type Queues = Awaited<ReturnType<typeof loadQueues>>;
    const list = (): readonly Session[] => [...entries.values()].map(({ session }) => session);

    /** Drops a session without a build when there are `mostSessions`. */
    const dropBlankSession = async ({ places }: Queues): Promise<void> => {
      if (entries.size < mostSessions) return;
      const blank = [...entries].find(([, { session }]) => session.blank() && !places.isUsed(session));
      if (blank === undefined) throw capacityError(`there are ${mostSessions} sessions of Path of Building already`);
      entries.delete(blank[0]);
      await Effect.runPromise(Scope.close(blank[1].scope, Exit.void));
    };

    const create = async (key: SessionKey): Promise<RegistryEntry> => {
      const { createSession: makeSession } = await import("./session.ts");
      const own = Scope.forkUnsafe(scope);
      return {
        session: Effect.runSync(makeSession(settings, host, sessionLabel(key)).pipe(Scope.provide(own))),
        scope: own,
      };
    };

    const open = async (key: SessionKey, from: Queues): Promise<Session> => {
      const id = sessionId(key);
      if (!entries.has(id)) await dropBlankSession(from);
      const entry = entries.get(id) ?? (await create(key));
      entries.delete(id);
      entries.set(id, entry);
      return entry.session;
    };

    let queues: Promise<Queues> | undefined;

    const waitForPlace = async (
      session: Session,
      { places }: Queues,
      { principal, signal, deadline }: CallTime & Pick<SessionKey, "principal">,
    ): Promise<() => void> => {
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(longestWait(deadline))]);
      try {
        return await places.acquire(session, { principal, signal: waiting });
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw capacityError(`all ${settings.processes} processes of Path of Building are at work`);
      }
    };

    return {
      use: async ({ principal, name, signal, deadline }, work) => {
        queues ??= loadQueues();
        const all = await queues;
        // One after the other, or two at once would each take the last room.
        const session = await all.inTurn(() => open({ principal, name }, all));
        const release = all.places.take(session) ?? (await waitForPlace(session, all, { principal, signal, deadline }));
        try {
          return await work(session);
        } finally {
          release();
        }
      },
      stop: async (key) => (await entries.get(sessionId(key))?.session.stop()) ?? false,
      list,
    };
  });

const sessionId = ({ principal, name }: SessionKey): string => JSON.stringify([principal, name ?? null]);

/** Milliseconds that a call waits for a process: most of its time, so that it can still say why it was refused. */
const longestWait = (deadline: number): number =>
  Number.isFinite(deadline) ? Math.max(1, Math.floor((deadline - Date.now()) * 0.8)) : longestWaitMs;

const longestWaitMs = 120_000;

const capacityError = (message: string): FairleadError =>
  new FairleadError({
    code: "resource_exhausted",
    message,
    hint: "lua_stop a session that is no longer needed, or try again later; POB_PROCESSES allows more at once",
  });

const sessionLabel = ({ principal, name }: SessionKey): string =>
  name === undefined && principal === "local"
    ? "Path of Building"
    : `Path of Building (${principal}${name === undefined ? "" : `, ${name}`})`;
