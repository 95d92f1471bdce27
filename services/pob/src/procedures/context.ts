/**
 * What the procedures of every family share: the caller's session, the options of a request, and the `meta` of an answer.
 *
 * Not here: the answers themselves (one file a family), refusals (`declared-errors.ts`).
 */
import type { CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import type { Call } from "@fairlead/kernel/service";
import type { RequestOptions } from "@fairlead/kernel/subprocess";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { PobSettings } from "../setup/settings.ts";

export interface ProcedureContext {
  readonly sessions: SessionRegistry;
  readonly settings: PobSettings;
}

type AnswerMeta = CallerOutput<(typeof pob)["procedures"]["luaGetTree"]>["meta"];

interface SessionCall {
  /** The session's name; the caller's usual one when left out. */
  readonly name: string | undefined;
  readonly call: Pick<Call, "principal" | "signal" | "deadline">;
}

/**
 * Works with the caller's session of that name, with its process started. Rejects with `resource_exhausted` when there is no room.
 * The start has the call's whole time; a request has its own when the process is there.
 */
export const useSession = <A>(
  { sessions }: ProcedureContext,
  { name, call }: SessionCall,
  work: (session: Session) => Promise<A>,
): Promise<A> =>
  useSleepingSession({ sessions }, { name, call }, async (session) => {
    await session.wake(call);
    return work(session);
  });

/** The same, with a process that may not run yet: for work that starts it itself. */
export const useSleepingSession = <A>(
  { sessions }: Pick<ProcedureContext, "sessions">,
  { name, call }: SessionCall,
  work: (session: Session) => Promise<A>,
): Promise<A> =>
  sessions.use({ principal: call.principal.id, name, signal: call.signal, deadline: call.deadline }, work);

/** A request that ends with its call. `timeoutMs` is the settings' when left out. */
export const requestOptions = ({ signal }: Pick<Call, "signal">, timeoutMs?: number): RequestOptions => ({
  signal,
  ...(timeoutMs !== undefined && { timeoutMs }),
});

/** What computed an answer; it takes the session's note that its build was loaded again. */
export const createMeta = (
  { settings }: ProcedureContext,
  session: Session,
  treeVersion: string | null,
): AnswerMeta => ({
  engine: settings.kind,
  version: session.about().version,
  treeVersion,
  recovered: session.takeRecovered(),
});

/** The same, with the tree version that is loaded now. */
export const readMeta = async (
  context: ProcedureContext,
  session: Session,
  options: RequestOptions,
): Promise<AnswerMeta> =>
  createMeta(context, session, (await session.read((engine) => engine.tree(options))).treeVersion);

const longestTryMs = 120_000;

/** Milliseconds until the call's deadline; a ranking may use them all. */
export const timeLeft = ({ deadline }: Pick<Call, "deadline">): number =>
  Number.isFinite(deadline) ? Math.max(1, deadline - Date.now()) : longestTryMs;

/** Gives on what Lua reports of its work; `what` says what is counted. */
export const reportProgress =
  (call: Pick<Call, "progress">, what: string): NonNullable<RequestOptions["onPart"]> =>
  ({ part }) => {
    if (typeof part !== "object" || part === null || !("done" in part) || !("total" in part)) return;
    call.progress({ progress: Number(part.done), total: Number(part.total), message: what });
  };
