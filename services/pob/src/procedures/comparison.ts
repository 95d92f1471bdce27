/**
 * The procedure that ranks many changes of the loaded build against each other, or plans passive nodes for so many points. Not here: how
 * one is tried (`lua/candidates.lua`, `lua/plan.lua`).
 */
import type { pob } from "@fairlead/contracts/pob";
import { type Call, FairleadError, type Handlers } from "@fairlead/kernel/service";
import type { RequestOptions } from "@fairlead/kernel/subprocess";
import type { Session } from "../session/session.ts";
import { statTable } from "../stats/stat-table.ts";
import { type ProcedureContext, readMeta, reportProgress, requestOptions, timeLeft, useSession } from "./context.ts";
import { supportErrors, unknownStatError, withDeclaredErrors } from "./declared-errors.ts";

type ComparisonHandlers = Pick<Handlers<typeof pob>, "luaFindBest">;

export const createComparisonHandlers = (context: ProcedureContext): ComparisonHandlers => ({
  luaFindBest: ({ session: name, goal = defaultGoal, atLeast, show, ...input }, call) =>
    useSession(context, { name, call }, async (session) => {
      const { candidates, points, seconds, limit, workers } = input;
      if ((candidates === undefined) === (points === undefined)) throw oneOfError();
      const wanted = { goal: Object.keys(goal), atLeast: Object.keys(atLeast ?? {}), show: show ?? [] };
      if (context.settings.kind === "shim")
        await withDeclaredErrors(requireStats(session, wanted, requestOptions(call)), call, supportErrors);
      const counted = new Set([...wanted.goal, ...wanted.atLeast]);
      const engineGoal = { weights: goal, atLeast, show };
      if (points !== undefined) {
        const options = { ...requestOptions(call, timeLeft(call)), onPart: reportPlan(call) };
        const planned = session.tryOut(
          (engine) => engine.plan({ points, goal: engineGoal, limitMs: seconds * 1_000 }, options),
          options,
        );
        const { base, ...plan } = await withDeclaredErrors(planned, call, supportErrors);
        const meta = await readMeta(context, session, requestOptions(call));
        return { base, rows: [], failed: 0, unknown: unknownIn([base, plan.stats], counted), whole: false, plan, meta };
      }
      const options = { ...requestOptions(call, timeLeft(call)), onPart: reportProgress(call, "candidates tried") };
      const labels = (candidates ?? []).map(({ label }) => label);
      const answer = session.tryOut(
        (engine) =>
          engine.tryAll(
            {
              candidates: (candidates ?? []).map(({ label: _, ...changes }) => changes),
              goal: engineGoal,
              workers,
              limitMs: context.settings.timeoutMs,
            },
            options,
          ),
        options,
      );
      const { base, rows, whole } = await withDeclaredErrors(answer, call, supportErrors);
      return {
        base,
        rows: rows.slice(0, limit).map(({ score = null, lacking = null, ...row }) => {
          const label = labels[row.candidate - 1];
          return { ...row, score, lacking, ...(label !== undefined && { label }) };
        }),
        failed: rows.filter(({ problem }) => problem !== undefined).length,
        unknown: unknownIn([base, ...rows.map(({ stats }) => stats)], counted),
        whole,
        meta: await readMeta(context, session, requestOptions(call)),
      };
    }),
});

type StatsInAnswer = Readonly<Record<string, unknown>>;

/** What the build has no stat for now, and what counts as 0 because it is no number, now or with a change. */
const unknownIn = ([base = {}, ...changed]: readonly StatsInAnswer[], counted: ReadonlySet<string>): string[] =>
  Object.keys(base).filter(
    (stat) => base[stat] === null || (counted.has(stat) && [base, ...changed].some((stats) => isText(stats[stat]))),
  );

const isText = (value: unknown): boolean => typeof value === "string" && !/^-?Infinity$/.test(value);

const oneOfError = (): FairleadError =>
  new FairleadError({
    code: "invalid_argument",
    message: "candidates, points: one of them is needed, and only one",
    issues: [
      { path: "candidates", expected: "changes to compare, or `points` to plan", fix: "give candidates, or points" },
    ],
    hint: "candidates are compared with each other; points are spent on passive nodes",
  });

/** Gives on how many sets of nodes were computed, and what the best so far is worth. */
const reportPlan =
  (call: Pick<Call, "progress">): NonNullable<RequestOptions["onPart"]> =>
  ({ part }) => {
    if (typeof part !== "object" || part === null || !("tried" in part) || !("score" in part)) return;
    call.progress({
      progress: Number(part.tried),
      message: `sets of nodes tried; the best so far scores ${Number(part.score).toFixed(4)}`,
    });
  };

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
