/**
 * Exact odds of the attacks of a turn. What one attack changes counts for those after it: what works once a turn goes to the first hit, and marks of a hit stay.
 *
 * Not followed: hit points, saves against what a hit does, and dice that are spent on a failure.
 */
import type { Change, CombinedOdds, CombinedQuestion, Game } from "@fairlead/contracts/rules";
import { planAssault } from "../resolve/attack.ts";
import { isNamed } from "../sheet/character.ts";
import { sameName } from "../sheet/names.ts";
import { applySpending } from "../sheet/spending.ts";
import { type CombinedSolution, formatCombined } from "./combined.ts";
import { damageDistribution } from "./damage.ts";
import { certain, type Distribution, join, scale, share, sum } from "./distribution.ts";
import {
  attackDamage,
  attackShares,
  type Outcomes,
  outcomes,
  requireFewOutcomes,
  requireFewTotals,
  requireFewValues,
  saveShares,
  spellDamage,
} from "./odds.ts";

type TurnQuestion = Extract<CombinedQuestion, { readonly kind: "turn" }>;

/** A way that the turn may have gone so far: the game after it, and the damage with its part of the whole. */
interface TurnBranch {
  readonly game: Game;
  readonly best: "miss" | "hit" | "crit";
  readonly damage: Distribution;
}

/** What one attack may come to. */
interface AttackBranch {
  readonly outcome: "miss" | "hit" | "crit";
  readonly over: bigint;
  readonly under: bigint;
  readonly damage: Distribution;
  readonly changes: readonly Change[];
}

/** Refuses with a name error of an attack, or `too_many_outcomes`. */
export const turnOdds = (game: Game, { attacks }: TurnQuestion): CombinedOdds => {
  const of = `${attacks.length} attack${attacks.length === 1 ? "" : "s"}`;
  const notes = new Set<string>();
  let branches: readonly TurnBranch[] = [{ game, best: "miss", damage: certain(0) }];
  let steps = 0;
  for (const attack of attacks) {
    const made = branches.map((branch) => ({ branch, parts: listOutcomes(branch.game, attack, notes) }));
    for (const { branch, parts } of made)
      for (const { damage } of parts) steps += branch.damage.weights.size * damage.weights.size;
    requireFewValues(of, steps, mostSteps);
    branches = mergeBranches(made.flatMap(({ branch, parts }) => follow(branch, parts)));
    requireFewValues(of, Math.max(...branches.map(({ damage }) => damage.weights.size)));
  }
  const part = (wanted: (best: TurnBranch["best"]) => boolean): Distribution =>
    branches.filter(({ best }) => wanted(best)).reduce((all, { damage }) => join(all, damage), nothing);
  const solution: CombinedSolution = {
    success: share(part((best) => best !== "miss")),
    crit: share(part((best) => best === "crit")),
    spread: part(() => true),
  };
  return formatCombined({ of, measured: "damage", notes: [...notes].join(". ") }, solution);
};

/** Sums of the damage before and of an attack. */
const mostSteps = 500_000;

const nothing: Distribution = { whole: 1n, weights: new Map() };

const listOutcomes = (
  game: Game,
  { attack, ...intent }: TurnQuestion["attacks"][number],
  notes: Set<string>,
): readonly AttackBranch[] => {
  const assault = planAssault({ ...game, scene: { ...game.scene, attack } }, intent);
  if (!assault.planned.ok) {
    notes.add(assault.planned.why);
    return [{ outcome: "miss", over: 1n, under: 1n, damage: certain(0), changes: [] }];
  }
  const { plan: planned } = assault.planned;
  requireFewOutcomes(planned.checkType, "specs" in planned ? planned.specs : [planned.spec], assault.by === "attack");
  if (assault.by === "sure") {
    const { spec, defender, stopped, changes, gives } = assault.planned.plan;
    const hits = stopped === undefined && gives === "damage";
    const damage = hits
      ? damageDistribution({ specs: [spec], defender, crit: false, keep: (amount) => amount })
      : certain(0);
    return [{ outcome: hits ? "hit" : "miss", over: 1n, under: 1n, damage, changes }];
  }
  if (assault.by === "save") {
    const { plan } = assault.planned;
    requireFewTotals(plan);
    const { saved, failed } = saveShares(plan);
    const under = saved + failed;
    return [
      { outcome: "hit", over: failed, under, damage: spellDamage(plan, false), changes: plan.changes },
      { outcome: "miss", over: saved, under, damage: spellDamage(plan, true), changes: plan.changes },
    ];
  }
  const { plan } = assault.planned;
  requireFewTotals(plan);
  for (const note of plan.notes) notes.add(note);
  for (const { source, granted, why } of plan.claims) if (!granted) notes.add(`No ${source}: ${why}`);
  const shares: Outcomes<bigint> = attackShares(plan);
  const damage = attackDamage(plan);
  const under = shares.miss + shares.hit + shares.crit;
  const always = [...plan.always, ...plan.ends.map(({ change }) => change)];
  const riders = plan.riders(1);
  if (riders.some(({ save }) => save !== undefined)) notes.add("saves against what a hit does are not counted");
  const onHit = [...plan.onHit, ...riders.flatMap(({ save, changes }) => (save === undefined ? changes : []))];
  return outcomes.map((outcome) => ({
    outcome,
    over: shares[outcome],
    under,
    damage: damage[outcome],
    changes: outcome === "miss" ? always : [...always, ...onHit],
  }));
};

const rank = { miss: 0, hit: 1, crit: 2 } as const;

const follow = (before: TurnBranch, made: readonly AttackBranch[]): readonly TurnBranch[] =>
  made
    .filter(({ over }) => over > 0n)
    .map(({ outcome, over, under, damage, changes }) => ({
      game: changeGame(before.game, changes),
      best: rank[outcome] > rank[before.best] ? outcome : before.best,
      damage: scale(sum(before.damage, damage), over, under),
    }));

/** Ways that leave the same game are one. */
const mergeBranches = (branches: readonly TurnBranch[]): readonly TurnBranch[] => {
  const merged = new Map<string, TurnBranch>();
  for (const branch of branches) {
    const { player, npcs, scene } = branch.game;
    const key = JSON.stringify([branch.best, player, npcs, scene.usedThisTurn]);
    const same = merged.get(key);
    merged.set(key, same === undefined ? branch : { ...same, damage: join(same.damage, branch.damage) });
  }
  return [...merged.values()];
};

/** The game after an attack: what it spent, and the marks and effects that it left or ended. */
const changeGame = (game: Game, changes: readonly Change[]): Game =>
  changes.reduce(changeMarks, applySpending(game, changes));

const changeMarks = (game: Game, { who, id, field, op, value }: Change): Game => {
  const name = String(value);
  const others = (names: readonly string[]): string[] => names.filter((one) => !sameName(one, name));
  const { player, npcs } = game;
  const isOwn = id === undefined && sameName(who, player.name);
  if (field === "effects" && isOwn) {
    const [effect = name, target] = name.split(": ");
    const kept = (player.effects ?? []).filter((one) => !sameName(one.name, effect));
    const added = op === "remove" ? [] : [{ name: effect, ...(target !== undefined && { target }) }];
    return { ...game, player: { ...player, effects: [...kept, ...added] } };
  }
  if (field !== "conditions") return game;
  const change = (conditions: readonly string[]): string[] =>
    op === "remove" ? others(conditions) : [...others(conditions), name];
  if (isOwn) return { ...game, player: { ...player, conditions: change(player.conditions) } };
  const struck = npcs.find((npc) => isNamed(npc, id ?? who));
  return {
    ...game,
    npcs: npcs.map((npc) => (npc === struck ? { ...npc, conditions: change(npc.conditions) } : npc)),
  };
};
