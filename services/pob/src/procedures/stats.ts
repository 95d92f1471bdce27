/** Procedures about the stats of the loaded build: reading them, and ranking the nodes that would raise one. */
import type { pob } from "@fairlead/contracts/pob";
import type { Call, Handlers } from "@fairlead/kernel/service";
import type { Session } from "../session/session.ts";
import { curateStats, statTable } from "../stats/stat-table.ts";
import { type ProcedureContext, readMeta, reportProgress, requestOptions, timeLeft, useSession } from "./context.ts";
import { readErrors, supportErrors, unknownStatError, withDeclaredErrors } from "./declared-errors.ts";

type StatHandlers = Pick<Handlers<typeof pob>, "luaGetStats" | "luaRankNodes">;
type RankCall = Call<(typeof pob)["procedures"]["luaRankNodes"]>;

export const createStatHandlers = (context: ProcedureContext): StatHandlers => ({
  luaGetStats: ({ session: name, fields }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const answer = session.read((engine) => engine.stats(fields, options));
      const { stats, unknown, display } = await withDeclaredErrors(answer, call, readErrors);
      return {
        stats,
        curated: curateStats(stats, display),
        unknown,
        meta: await readMeta(context, session, options),
      };
    }),
  luaRankNodes: ({ session: name, ...input }, call) =>
    useSession(context, { name, call }, async (session) => {
      if (context.settings.kind === "shim") await requireKnownStat(session, input.stat, call);
      const options = { ...requestOptions(call, timeLeft(call)), onPart: reportProgress(call, "nodes tried") };
      const answer = session.tryOut((engine) => engine.rank(input, options), options);
      const ranked = await withDeclaredErrors(answer, call, supportErrors);
      return { ...ranked, meta: await readMeta(context, session, requestOptions(call)) };
    }),
});

/** A stat that nothing computes is refused before hundreds of nodes are tried for it. */
const requireKnownStat = async (session: Session, stat: string, call: RankCall): Promise<void> => {
  const answer = session.read((engine) => engine.stats(undefined, requestOptions(call)));
  const { stats } = await withDeclaredErrors(answer, call, supportErrors);
  const known = [...statTable.map(({ name }) => name), ...Object.keys(stats)];
  if (!known.includes(stat)) throw unknownStatError(stat, known);
};
