/** Exact odds of several rolls together. The attacks of a turn are in `turn.ts`, areas in `area.ts`; here are contests, groups, death saves, and the answer's form. */
import type { CombinedOdds, CombinedQuestion, ContestIntent, Game } from "@fairlead/contracts/rules";
import { skillAbility } from "../data/skills.ts";
import { checkTest } from "../resolve/check.ts";
import { opposedTest } from "../resolve/contest.ts";
import { countDeathSaves, planDeathSave } from "../resolve/death-save.ts";
import { commonSaveTest } from "../resolve/save.ts";
import { findTarget } from "../sheet/target.ts";
import { solveD20 } from "./d20.ts";
import {
  certain,
  type Distribution,
  die,
  extreme,
  listProbabilities,
  moments,
  type Ratio,
  ratio,
  sum,
  weighted,
} from "./distribution.ts";
import { toFraction } from "./fraction.ts";

type QuestionKind<K extends CombinedQuestion["kind"]> = Extract<CombinedQuestion, { readonly kind: K }>;

export interface CombinedSolution {
  readonly success: Ratio;
  readonly crit: Ratio;
  readonly spread: Distribution;
}

export const formatCombined = (
  head: Pick<CombinedOdds, "of" | "measured" | "notes">,
  { success, crit, spread }: CombinedSolution,
): CombinedOdds => {
  const { mean, variance } = moments(spread);
  return {
    of: head.of,
    success: toFraction(success),
    crit: toFraction(crit),
    measured: head.measured,
    mean: toFraction(mean),
    variance: toFraction(variance),
    distribution: listProbabilities(spread).map(({ value, probability }) => ({
      value,
      probability: toFraction(probability),
    })),
    notes: head.notes,
  };
};

const never: Ratio = { over: 0n, under: 1n };

/** What cannot be done: nothing happens. */
export const impossibleOdds = (of: string, notes: string): CombinedOdds =>
  formatCombined({ of, measured: "damage", notes }, { success: never, crit: never, spread: certain(0) });

/** A tie changes nothing. Refuses with a name error of the target. */
export const contestOdds = (game: Game, { skill, target: name, opposed }: ContestIntent): CombinedOdds => {
  const target = findTarget(game, name);
  const of = `${skill} Contest`;
  if (game.edition === "5.2")
    return impossibleOdds(of, "5.2 has no contests: set a DC, or let the creature make a saving throw");
  const own = totals(checkTest(game, { ability: skillAbility[skill], skill }).test);
  const other = totals(opposedTest(target, opposed));
  let won = 0n;
  for (const [value, weight] of own.weights)
    for (const [against, share] of other.weights) if (value > against) won += weight * share;
  const success = ratio(won, own.whole * other.whole);
  return formatCombined({ of, measured: "total", notes: "" }, { success, crit: never, spread: own });
};

const totals = (test: Parameters<typeof solveD20>[0]): Distribution =>
  weighted(solveD20(test, () => false).map(({ total, weight }) => [total, weight] as const));

/** At least half of the group. */
export const groupOdds = ({ dc, members }: QuestionKind<"group">): CombinedOdds => {
  const spread = members.reduce((all, { modifier, stance }) => {
    const rolled = stance === "neither" ? die(20) : extreme(die(20), 2, stance === "advantage" ? "highest" : "lowest");
    return sum(
      all,
      weighted([...rolled.weights].map(([face, weight]) => [face + modifier >= dc ? 1 : 0, weight] as const)),
    );
  }, certain(0));
  const needed = Math.ceil(members.length / 2);
  const enough = [...spread.weights].reduce((all, [value, weight]) => (value >= needed ? all + weight : all), 0n);
  const notes = `${needed} of ${members.length} have to succeed`;
  return formatCombined(
    { of: "Group check", measured: "successes", notes },
    { success: ratio(enough, spread.whole), crit: never, spread },
  );
};

/** Counts of death saves that are still open, with their part of the whole after so many rolls. */
interface OpenSaves {
  readonly successes: number;
  readonly failures: number;
  readonly weight: bigint;
}

/** Until the third success or failure, or a natural 20: five rolls at most. */
export const deathSaveOdds = (game: Game, question: QuestionKind<"deathSaves">): CombinedOdds => {
  const { successes, failures } = question;
  const faces = solveD20(planDeathSave(question, commonSaveTest(game)), (_, total) => total < 10);
  const each = faces.reduce((all, { weight }) => all + weight, 0n);
  let open: readonly OpenSaves[] = [{ successes, failures, weight: 1n }];
  let whole = 1n;
  const ended: { readonly rolls: number; readonly state: string; readonly share: Ratio }[] = [];
  for (let rolls = 1; open.length > 0; rolls += 1) {
    whole *= each;
    const next = new Map<string, OpenSaves>();
    for (const before of open) {
      for (const { natural, total, weight } of faces) {
        const success = natural === 20 || (natural !== 1 && total >= 10);
        const after = countDeathSaves(before, natural, success);
        const part = before.weight * weight;
        if (after.state !== "dying") {
          ended.push({ rolls, state: after.state, share: { over: part, under: whole } });
          continue;
        }
        const key = `${after.successes} ${after.failures}`;
        next.set(key, { ...after, weight: (next.get(key)?.weight ?? 0n) + part });
      }
    }
    open = [...next.values()];
  }
  const weigh = (state: readonly string[]): Ratio =>
    ratio(
      ended.reduce(
        (all, one) => (state.includes(one.state) ? all + one.share.over * (whole / one.share.under) : all),
        0n,
      ),
      whole,
    );
  const spread = weighted(ended.map(({ rolls, share }) => [rolls, share.over * (whole / share.under)] as const));
  return formatCombined(
    { of: "Death saves", measured: "rolls", notes: "stable or awake; without damage or healing meanwhile" },
    { success: weigh(["stable", "awake"]), crit: weigh(["awake"]), spread },
  );
};
