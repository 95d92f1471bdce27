/**
 * Sources of advantage and disadvantage on an attack roll. Each is listed once with its rule; whether they cancel is the
 * business of `d20.ts`.
 */
import type { Ability, Change, Game, Npc } from "@fairlead/contracts/rules";
import type { RuleId } from "../data/catalogue.ts";
import { conditionsThat } from "../data/conditions.ts";
import type { RollEffects } from "../effects/apply.ts";
import type { Cause } from "../result/trace.ts";
import { sunderConditions } from "../rules/boons.ts";
import { markEffects } from "../rules/marks.ts";
import { sees, sightFacts } from "../rules/sight.ts";
import { armorDisadvantage } from "../sheet/armor.ts";
import {
  benefitsFromDodge,
  conditionSources,
  effect,
  feature,
  hasCondition,
  identify,
  incapacitatingCondition,
  isAimedAt,
  isNamed,
  isProne,
} from "../sheet/character.ts";
import { fold } from "../sheet/names.ts";
import type { Weapon } from "../sheet/weapon.ts";
import type { WeaponUse } from "../sheet/weapon-use.ts";

/** What an attack roll's circumstances depend on; a spell attack has no weapon. */
interface AttackSituation {
  readonly game: Game;
  readonly target: Npc;
  readonly kind: "melee" | "ranged";
  readonly ability: Ability | undefined;
  readonly weapon?: Weapon;
  readonly range?: WeaponUse["range"];
  /** What effects do to the roll. */
  readonly at: Pick<RollEffects, "advantages" | "disadvantages">;
}

interface Circumstances {
  readonly advantages: readonly Cause[];
  readonly disadvantages: readonly Cause[];
}

export const circumstances = (assault: AttackSituation): Circumstances => ({
  advantages: [...tableAdvantages(assault), ...targetWeaknesses(assault), ...effectAdvantages(assault)],
  disadvantages: [
    ...tableDisadvantages(assault),
    ...attackerDrawbacks(assault),
    ...aimDrawbacks(assault),
    ...weaponDrawbacks(assault),
  ],
});

const cause = (rule: RuleId, why: string): Cause => ({ rule, why });
const when = (holds: boolean, rule: RuleId, why: string): readonly Cause[] => (holds ? [cause(rule, why)] : []);

const isAttackerUnseen = ({ game, target }: AttackSituation): boolean =>
  game.scene.attackerUnseen || !sees(sightFacts(game, target), target, game.player);

/** Within 5 feet. A melee attack without a distance counts as that. */
export const isAdjacent = ({ target, kind }: Pick<AttackSituation, "target" | "kind">): boolean =>
  target.distance === undefined ? kind === "melee" : target.distance <= 5;

const tableAdvantages = (assault: AttackSituation): readonly Cause[] => [
  ...assault.game.scene.advantage.map((reason) => cause("table-ruling", reason)),
  ...when(isAttackerUnseen(assault), "unseen", `${assault.target.name} cannot see ${assault.game.player.name}`),
];

const exposing = conditionsThat("attackedWithAdvantage");
const hampering = conditionsThat("attacksWithDisadvantage");

const targetWeaknesses = ({ target, kind }: AttackSituation): readonly Cause[] => [
  ...exposing.flatMap((condition) =>
    when(hasCondition(target, condition), "condition", `${target.name} is ${fold(condition)}`),
  ),
  ...when(isProne(target) && isAdjacent({ target, kind }), "condition", `${target.name} is prone within 5 feet`),
];

const effectAdvantages = ({ game, target, at }: AttackSituation): readonly Cause[] => {
  const { player, edition } = game;
  const vexed = edition === "5.2" && effect(player, "Vex", isAimedAt(target)) !== undefined;
  const hunts = edition === "5.2" && feature(player, "Precise Hunter") !== undefined;
  const marked = hunts && effect(player, "Hunter's Mark", isAimedAt(target)) !== undefined;
  return [
    ...at.advantages,
    ...markEffects(target, edition, { roll: "attacked" }).advantages,
    ...when(hasCondition(target, "Shining"), "smite-spell", `${target.name} shines`),
    ...when(hasCondition(target, "Faerie Fire"), "spell-effect", `${target.name} is outlined by Faerie Fire`),
    ...when(hasCondition(target, "Guiding Bolt"), "spell-effect", `${target.name} glows from a Guiding Bolt`),
    ...when(marked, "hunters-mark", `${target.name} is marked`),
    ...when(vexed, "vex", `${target.name} was vexed`),
  ];
};

const tableDisadvantages = ({ game, target }: AttackSituation): readonly Cause[] => {
  const { scene, player } = game;
  const revealed = hasCondition(target, "Starry Wisp") || hasCondition(target, "Shining");
  const hidden = scene.targetUnseen || !sees(sightFacts(game, target), player, revealed ? { conditions: [] } : target);
  return [
    ...scene.disadvantage.map((reason) => cause("table-ruling", reason)),
    ...when(hidden, "unseen", `${player.name} cannot see ${target.name}`),
  ];
};

const attackerDrawbacks = (assault: AttackSituation): readonly Cause[] => {
  const { player, scene } = assault.game;
  const { target, at } = assault;
  const dodging =
    benefitsFromDodge(target, target.dodging) && !isAttackerUnseen(assault) && !hasCondition(target, "Blinded");
  return [
    ...hampering.flatMap((condition) =>
      when(hasCondition(player, condition), "condition", `${player.name} is ${fold(condition)}`),
    ),
    ...when(isGrappledByAnother(assault), "condition", `${player.name} is grappled by another than ${target.name}`),
    ...when(isProne(player), "condition", `${player.name} is prone`),
    ...when(hasCondition(player, "Frightened") && scene.fearSourceInSight, "condition", `${player.name} is frightened`),
    ...at.disadvantages,
    ...markEffects(target, assault.game.edition, { roll: "attacked" }).disadvantages,
    ...when(dodging, "dodge", `${target.name} dodges`),
    ...armorDisadvantage(assault.game, assault.ability),
  ];
};

/** 5.2: whoever is grappled strikes anyone but the grappler badly. */
const isGrappledByAnother = ({ game: { player, edition }, target }: AttackSituation): boolean => {
  const holders = conditionSources(player, "Grappled");
  return edition === "5.2" && holders.length > 0 && !holders.some((holder) => isNamed(target, holder));
};

const aimDrawbacks = (assault: AttackSituation): readonly Cause[] => {
  const { game, target, kind, range } = assault;
  const { scene, player } = game;
  const distance = target.distance ?? 0;
  const watching =
    incapacitatingCondition(target) === undefined && !isAttackerUnseen(assault) && !hasCondition(target, "Blinded");
  const close =
    scene.hostileWithin5ft ||
    (target.distance !== undefined && distance <= 5 && fold(target.disposition) === "hostile" && watching);
  const far = range !== undefined && distance > range[0];
  return [
    ...when(
      isProne(target) && !isAdjacent({ target, kind }),
      "condition",
      `${target.name} is prone and not within 5 feet`,
    ),
    ...when(kind === "ranged" && close, "ranged-in-close-combat", `a hostile is within 5 feet of ${player.name}`),
    ...when(far, "range", `${distance} feet is beyond the normal range of ${range?.[0]} feet`),
  ];
};

const weaponDrawbacks = ({ game, weapon, target }: AttackSituation): readonly Cause[] => {
  if (weapon === undefined) return [];
  const { player, edition } = game;
  const heavy = weapon.properties.includes("heavy");
  const small = player.size === "small" || player.size === "tiny";
  const score = weapon.ranged ? player.stats.dexterity : player.stats.strength;
  const needed = weapon.ranged ? "dexterity" : "strength";
  const lance =
    edition === "5.1" && weapon.row?.name === "Lance" && target.distance !== undefined && target.distance <= 5;
  return [
    ...when(heavy && edition === "5.1" && small, "heavy", `${player.name} is ${player.size}`),
    ...when(heavy && edition === "5.2" && score < 13, "heavy", `${needed} is under 13`),
    ...when(lance, "lance", `${target.name} is within 5 feet`),
  ];
};

/** "Vex: goblin-1", as a hit's change writes it. */
const vexText = (target: string | undefined): string => (target === undefined ? "Vex" : `Vex: ${target}`);

/** Effects that last for one attack roll, and end with this one; most are of 5.2. */
export const endSingleUseEffects = ({ player, edition }: Game, target: Npc): readonly Change[] => {
  const vex = edition === "5.1" ? undefined : effect(player, "Vex", isAimedAt(target));
  const sap = edition === "5.1" ? undefined : effect(player, "Sap");
  const sundered = edition === "5.1" ? [] : sunderConditions(player, target);
  const remove = (about: Pick<Change, "who" | "id">, field: string, value: string): Change => ({
    ...about,
    field,
    op: "remove",
    value,
    why: `${value} was for one attack roll`,
  });
  return [
    ...(vex === undefined ? [] : [remove({ who: player.name }, "effects", vexText(vex.target))]),
    ...(sap === undefined ? [] : [remove({ who: player.name }, "effects", "Sap")]),
    ...sundered.map((written) => remove(identify(target), "conditions", written)),
    ...(hasCondition(target, "Guiding Bolt") ? [remove(identify(target), "conditions", "Guiding Bolt")] : []),
  ];
};
