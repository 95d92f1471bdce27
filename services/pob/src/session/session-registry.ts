/**
 * All sessions: each principal has its own, and as many as it names. A session has a process to itself, so none sees another's
 * build; only so many processes run at once, and the one that was unused for longest is put to sleep for another.
 *
 * What sleeps keeps its journal, and wakes with its build at the next call. Not here: what a session does (`session.ts`).
 */
import { FairleadError, type Host } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { TurnQueue } from "../engine/turn-queue.ts";
import type { PobSettings } from "../setup/settings.ts";
import type { Session } from "./session.ts";

/** The principal and the name of a session; without a name, the principal's default session. */
interface SessionKey {
  readonly principal: string;
  readonly name: string | undefined;
}

export interface SessionRegistry {
  /** The session, made when there is none, with room for its process. */
  open(key: SessionKey): Promise<Session>;
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
    const list = (): readonly Session[] => [...entries.values()].map(({ session }) => session);

    /** Drops a session without a build when there are `mostSessions`. */
    const dropBlankSession = async (): Promise<void> => {
      if (entries.size < mostSessions) return;
      const blank = [...entries].find(([, { session }]) => session.blank());
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

    /** Puts to sleep what was unused for longest, until one more process may run. */
    const freeProcess = async (): Promise<void> => {
      const awake = list().filter((one) => one.awake());
      const tooMany = awake.length - settings.processes + 1;
      if (tooMany <= 0) return;
      const idle = awake.filter((one) => one.process.busy() === 0);
      if (idle.length < tooMany)
        throw capacityError(`all ${settings.processes} processes of Path of Building are at work`);
      await Promise.all(idle.slice(0, tooMany).map((one) => one.sleep()));
    };

    const open = async (key: SessionKey): Promise<Session> => {
      const id = sessionId(key);
      if (!entries.has(id)) await dropBlankSession();
      const entry = entries.get(id) ?? (await create(key));
      entries.delete(id);
      entries.set(id, entry);
      if (!entry.session.awake()) {
        await freeProcess();
        entry.session.wake();
      }
      return entry.session;
    };

    let queue: Promise<TurnQueue> | undefined;
    return {
      open: async (key) => {
        // One after the other, or two at once would each take the last room.
        queue ??= import("../engine/turn-queue.ts").then(({ createTurnQueue }) => createTurnQueue());
        const inTurn = await queue;
        return inTurn(() => open(key));
      },
      stop: async (key) => (await entries.get(sessionId(key))?.session.stop()) ?? false,
      list,
    };
  });

const sessionId = ({ principal, name }: SessionKey): string => JSON.stringify([principal, name ?? null]);

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
