/** The procedure that ranks many changes of the loaded build against each other. Not here: how one is tried (`lua/candidates.lua`). */
import type { pob } from "@fairlead/contracts/pob";
import type { Handlers } from "@fairlead/kernel/service";
import type { Session } from "../session/session.ts";
import { statTable } from "../stats/stat-table.ts";
import { type ProcedureContext, readMeta, reportProgress, requestOptions, timeLeft, useSession } from "./context.ts";
import { supportErrors, unknownStatError, withDeclaredErrors } from "./declared-errors.ts";

type ComparisonHandlers = Pick<Handlers<typeof pob>, "luaFindBest">;

export const createComparisonHandlers = (context: ProcedureContext): ComparisonHandlers => ({
  luaFindBest: ({ session: name, candidates, goal = defaultGoal, atLeast, show, limit, workers }, call) =>
    useSession(context, { name, call }, async (session) => {
      const wanted = { goal: Object.keys(goal), atLeast: Object.keys(atLeast ?? {}), show: show ?? [] };
      if (context.settings.kind === "shim")
        await withDeclaredErrors(requireStats(session, wanted, requestOptions(call)), call, supportErrors);
      const options = { ...requestOptions(call, timeLeft(call)), onPart: reportProgress(call, "candidates tried") };
      const input = {
        candidates: candidates.map(({ label: _, ...changes }) => changes),
        goal: { weights: goal, atLeast, show },
        workers,
        limitMs: context.settings.timeoutMs,
      };
      const answer = session.tryOut((engine) => engine.tryAll(input, options), options);
      const { base, rows, whole } = await withDeclaredErrors(answer, call, supportErrors);
      return {
        base,
        rows: rows.slice(0, limit).map(({ score = null, lacking = null, ...row }) => {
          const label = candidates[row.candidate - 1]?.label;
          return { ...row, score, lacking, ...(label !== undefined && { label }) };
        }),
        failed: rows.filter(({ problem }) => problem !== undefined).length,
        unknown: Object.keys(base).filter((stat) => base[stat] === null),
        whole,
        meta: await readMeta(context, session, requestOptions(call)),
      };
    }),
});

const defaultGoal = { CombinedDPS: 1 };

/** Names of stats by the field of the input that has them. */
type StatNames = Readonly<Record<"goal" | "atLeast" | "show", readonly string[]>>;

/** A stat that nothing computes is refused before any candidate is tried for it. */
const requireStats = async (
  session: Session,
  wanted: StatNames,
  options: ReturnType<typeof requestOptions>,
): Promise<void> => {
  const { stats, display } = await session.read((engine) => engine.stats(undefined, options));
  const known = new Set([...statTable.map(({ name }) => name), ...Object.keys(display), ...Object.keys(stats)]);
  for (const [field, names] of Object.entries(wanted)) {
    const at = names.findIndex((name) => !known.has(name));
    const wrong = names[at];
    if (wrong !== undefined)
      throw unknownStatError(wrong, known, field === "show" ? `show[${at}]` : `${field}.${wrong}`);
  }
};
