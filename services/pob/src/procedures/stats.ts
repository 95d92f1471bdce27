/** Procedures about the stats of the loaded build: reading them, and ranking the nodes that would raise one. */

import type { CallerOutput, HandlerInput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import type { Call, Handlers } from "@fairlead/kernel/service";
import type { RequestOptions } from "@fairlead/kernel/subprocess";
import * as z from "zod";
import type { Session } from "../session/session.ts";
import { curateStats, statTable } from "../stats/stat-table.ts";
import { type ProcedureContext, readMeta, reportProgress, requestOptions, timeLeft, useSession } from "./context.ts";
import { readErrors, supportErrors, unknownStatError, withDeclaredErrors } from "./declared-errors.ts";
import { queueParts } from "./part-queue.ts";

type StatHandlers = Pick<Handlers<typeof pob>, "luaGetStats" | "luaRankNodes" | "luaFollowRanking">;
type RankProcedures = Pick<(typeof pob)["procedures"], "luaRankNodes" | "luaFollowRanking">;
type RankCall = Pick<Call<RankProcedures["luaRankNodes"]>, "fail" | "signal" | "deadline">;
type RankInput = Omit<HandlerInput<RankProcedures["luaRankNodes"]>, "session">;
type RankingPart = CallerOutput<RankProcedures["luaFollowRanking"]>;

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
      const ranked = await rank(context, session, { input, call, onPart: reportProgress(call, "nodes tried") });
      return { ...ranked, meta: await readMeta(context, session, requestOptions(call)) };
    }),
  luaFollowRanking: ({ session: name, ...input }, call) =>
    queueParts<RankingPart>((push) =>
      useSession(context, { name, call }, async (session) => {
        const onPart: PartHandler = ({ part }) => {
          const read = rankingPartSchema.safeParse(part);
          if (read.success) push({ ...read.data, ranked: null });
        };
        const ranked = await rank(context, session, { input, call, onPart });
        push({ done: ranked.candidates, total: ranked.candidates, gains: [], ranked });
      }),
    ),
});

type PartHandler = NonNullable<RequestOptions["onPart"]>;

const rankingPartSchema = z.object({
  done: z.int(),
  total: z.int(),
  gains: z.array(z.object({ node: z.int(), perPoint: z.number() })),
});

interface Ranking {
  readonly input: RankInput;
  readonly call: RankCall;
  readonly onPart: PartHandler;
}

const rank = async (context: ProcedureContext, session: Session, { input, call, onPart }: Ranking) => {
  if (context.settings.kind === "shim") await requireKnownStat(session, input.stat, call);
  const options = { ...requestOptions(call, timeLeft(call)), onPart };
  const answer = session.tryOut((engine) => engine.rank(input, options), options);
  return withDeclaredErrors(answer, call, supportErrors);
};

/** A stat that nothing computes is refused before hundreds of nodes are tried for it. */
const requireKnownStat = async (session: Session, stat: string, call: RankCall): Promise<void> => {
  const answer = session.read((engine) => engine.stats(undefined, requestOptions(call)));
  const { stats } = await withDeclaredErrors(answer, call, supportErrors);
  const known = [...statTable.map(({ name }) => name), ...Object.keys(stats)];
  if (!known.includes(stat)) throw unknownStatError(stat, known);
};
