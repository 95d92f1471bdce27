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

/** The caller's session of that name, made when there is none. Rejects with `resource_exhausted` when there is no room. */
export const openSession = (
  { sessions }: ProcedureContext,
  name: string | undefined,
  { principal }: Pick<Call, "principal">,
): Promise<Session> => sessions.open({ principal: principal.id, name });

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
