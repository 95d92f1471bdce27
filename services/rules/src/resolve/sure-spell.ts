/** Rolls a spell that needs neither an attack roll nor a save, and says what changes: damage, hit points regained, temporary hit points. */
import type { Change, Game, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import type { SurePlan, SurePlanResult } from "../plan/sure-spell.ts";
import { impossible } from "../result/mark.ts";
import { buildRawSummary } from "../result/raw.ts";
import { createTrace, type Trace } from "../result/trace.ts";
import { rollDamage } from "../rules/damage.ts";
import { dealtByType } from "../rules/defences.ts";
import { noDamage } from "../rules/incoming-damage.ts";
import { hasCondition } from "../sheet/character.ts";
import { damageCreature } from "../sheet/hit-points.ts";

export const resolveSureSpell = (game: Game, planned: SurePlanResult, dice: Dice): RollResult => {
  if (!planned.ok) return impossible(planned.why, game.edition);
  const { plan } = planned;
  const trace = createTrace(game.edition);
  const tools = { dice, trace };
  const outcome =
    plan.gives === "damage"
      ? rollDart(plan, tools)
      : plan.gives === "boon"
        ? rollBoon(plan, tools)
        : withCures(plan, rollHealing(plan, tools));
  const parsed = {
    checkType: plan.checkType,
    components: "",
    dieResult: 0,
    totalModifier: "+0",
    total: 0,
    dcOrAc: plan.dc === undefined ? "N/A" : String(plan.dc),
    success: outcome.reached ?? true,
    notes: [outcome.note, ...plan.notes].join(". "),
    ...(outcome.damage !== undefined && { damage: outcome.damage }),
  };
  return {
    ...parsed,
    edition: game.edition,
    raw: buildRawSummary(parsed),
    dice: dice.record(),
    rules: trace.list(),
    claims: [],
    changes: [...plan.changes, ...outcome.changes],
  };
};

interface SureOutcome {
  readonly note: string;
  readonly damage?: NonNullable<RollResult["damage"]>;
  readonly changes: readonly Change[];
  /** False where the dice did not reach the creature. */
  readonly reached?: boolean;
}

interface RollTools {
  readonly dice: Dice;
  readonly trace: Trace;
}

const rollDart = ({ spec, stopped, defender, target: { npc } }: SurePlan, { dice, trace }: RollTools): SureOutcome => {
  if (stopped !== undefined) {
    trace.add("damage.totalDamage", "0, nothing rolled", stopped);
    return { note: `${spec.label} does nothing: ${stopped.why}`, damage: noDamage, changes: [] };
  }
  const line = rollDamage(spec, 0, { dice, trace, crit: false });
  const byType = dealtByType(defender, [line], trace);
  const totalDamage = byType.reduce((sum, { dealt }) => sum + dealt, 0);
  return {
    note: `${spec.label} hits ${npc.name} without a roll. ${totalDamage} damage`,
    damage: { breakdown: [line], byType, totalDamage, isCrit: false },
    changes: damageCreature(npc, totalDamage, { trace }),
  };
};

/** A pool is rolled once for the whole area, and reaches those whose hit points it covers. */
const rollBoon = ({ boon, spec, name }: SurePlan, { dice, trace }: RollTools): SureOutcome => {
  if (boon === undefined) return { note: name, changes: [] };
  const pool: Trace = { ...trace, add: (_, effect, cause) => trace.add("pool", effect, cause) };
  const rolled = boon.need === undefined ? undefined : rollDamage(spec, 0, { dice, trace: pool, crit: false }).subtotal;
  const reached = rolled === undefined || boon.need === undefined || rolled >= boon.need;
  const { note, changes } = reached ? boon.works : boon.fails;
  if (changes.length > 0) trace.add("changes", note, { rule: "spell-effect", why: name });
  const counted = rolled === undefined ? "" : `: ${rolled} hit points against ${boon.need}`;
  return { note: `${note}${counted}`, changes, reached };
};

const withCures = ({ boon }: SurePlan, healed: SureOutcome): SureOutcome =>
  boon === undefined || boon.works.changes.length === 0
    ? healed
    : { note: `${healed.note}. ${boon.works.note}`, changes: [...healed.changes, ...boon.works.changes] };

/** What is rolled is not damage: its numbers are listed under another name. */
const rollHealing = (plan: SurePlan, { dice, trace }: RollTools): SureOutcome => {
  const { spec, target, name, gives } = plan;
  const { npc, about, fields } = target;
  const healing: Trace = { ...trace, add: (_, effect, cause) => trace.add("healing", effect, cause) };
  const rolled = Math.max(0, rollDamage(spec, 0, { dice, trace: healing, crit: false }).subtotal);
  const set = (field: string, value: number, why: string): Change => ({ ...about, field, op: "set", value, why });
  if (gives === "temporary") {
    const better = rolled > npc.temporaryHp;
    return {
      note: `${npc.name} has ${Math.max(rolled, npc.temporaryHp)} temporary hit points${better ? "" : ", which are not fewer"}`,
      changes: better ? [set(fields.temporary, rolled, name)] : [],
    };
  }
  const value = Math.max(npc.currentHp, Math.min(npc.maxHp ?? Number.POSITIVE_INFINITY, npc.currentHp + rolled));
  const wakes = npc.currentHp === 0 && value > 0;
  const ended = ["Unconscious", "Stable"].filter((condition) => wakes && hasCondition(npc, condition));
  return {
    note: `${npc.name} regains ${value - npc.currentHp} hit points`,
    changes: [
      ...(value === npc.currentHp ? [] : [set(fields.current, value, `${name}: ${rolled}`)]),
      ...ended.map((condition): Change => {
        return { ...about, field: "conditions", op: "remove", value: condition, why: "above 0 hit points" };
      }),
    ],
  };
};
