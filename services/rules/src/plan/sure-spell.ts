/**
 * A spell that needs neither an attack roll nor a save, as a plan: a dart of Magic Missile, healing, temporary hit points, what it leaves (`boon.ts`). A spell with several darts or several
 * creatures is one call for each; the first spends the slot. Not here: the rolling (`resolve/sure-spell.ts`).
 */
import type { AttackIntent, Change, Game } from "@fairlead/contracts/rules";
import type { SureSpell } from "../data/sure-spells.ts";
import type { Cause } from "../result/trace.ts";
import type { DamageSpec } from "../rules/damage.ts";
import { creatureDefender, type Defender } from "../rules/defender.ts";
import { shieldSpell } from "../rules/shield-spell.ts";
import { keepCasting, markCast, planCasting } from "../sheet/casting.ts";
import {
  abilityModifier,
  hasCondition,
  hitPointMaximum,
  identify,
  isOfType,
  proficiencyBonus,
} from "../sheet/character.ts";
import { sameName } from "../sheet/names.ts";
import { findTarget } from "../sheet/target.ts";
import { type BoonPlan, planBoon } from "./boon.ts";

type Npc = Game["npcs"][number];

/** The creature that the spell is on; the caster's hit points have other names than a creature's. */
interface SureTarget {
  /** The caster as a creature, when the spell is on the caster. */
  readonly npc: Npc;
  readonly about: Pick<Change, "who" | "id">;
  readonly fields: { readonly current: "currentHP" | "currentHp"; readonly temporary: "temporaryHP" | "temporaryHp" };
}

export interface SurePlan {
  readonly checkType: string;
  readonly name: string;
  readonly gives: SureSpell["gives"];
  readonly target: SureTarget;
  /** The same creature, as the damage finds it. */
  readonly defender: Defender;
  readonly spec: DamageSpec;
  /** Why the creature takes no damage. */
  readonly stopped: Cause | undefined;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** Darts of the casting, this one included; 0 for what is not a dart. */
  readonly rays: number;
  /** Creatures that one casting can be on. */
  readonly most: number;
  /** What it leaves and ends; `undefined` for damage and healing alone. */
  readonly boon: BoonPlan | undefined;
  /** Difficulty Class of the save that ends it. */
  readonly dc: number | undefined;
}

export type SurePlanResult =
  | { readonly ok: true; readonly plan: SurePlan }
  | { readonly ok: false; readonly why: string };

/** `through`: the hit points of those in the area that a pool reaches first, and of the target. */
export const planSureSpell = (
  game: Game,
  spell: SureSpell,
  intent: AttackIntent & { readonly through?: number },
): SurePlanResult => {
  const { player } = game;
  const target = spell.range === 0 ? casterTarget(game) : findSureTarget(game, intent.target);
  const { npc } = target;
  const obstacle = targetObstacle(spell, npc);
  if (obstacle !== undefined) return { ok: false, why: obstacle };
  const harms = spell.gives === "damage" || isHarmful(spell);
  const caster = harms ? game : { ...game, player: withoutCharms(player) };
  const casting = planCasting(caster, spell, npc);
  if (!casting.ok) return casting;
  const written = intent.spell_name ?? intent.weapon;
  const boon =
    spell.boon === undefined
      ? undefined
      : planBoon(game, { ...spell, boon: spell.boon }, { written, target: { ...target, through: intent.through } });
  if (boon?.ok === false) return boon;
  const strong = spell.boon?.upTo !== undefined && npc.currentHp > spell.boon.upTo && spell.dice.count > 0;
  const gives = strong ? "damage" : spell.gives;
  const more = casting.slotLevel - spell.level;
  const rays = spell.darts === 0 ? 0 : spell.darts + more;
  const cause = {
    rule: gives === "temporary" ? "temporary-hit-points" : gives === "healing" ? "healing" : "spell-damage",
    why: more > 0 ? `cast with a slot of level ${casting.slotLevel}` : spell.name,
  } as const;
  const missing = spell.boon?.all === true ? Math.max(0, (npc.maxHp ?? npc.currentHp) - npc.currentHp) : 0;
  const flat = spell.dice.flat + spell.flat + spell.perSlot.flat * more + missing;
  const modifier = spell.modifier ? abilityModifier(player.stats[casting.ability]) : 0;
  const most = spell.most + spell.mostPerSlot * more;
  const several = spell.darts > 0 || most > 1;
  return {
    ok: true,
    plan: {
      checkType: spell.name,
      name: spell.name,
      gives,
      target,
      defender: creatureDefender(game, npc),
      spec: {
        label: spell.name,
        count: spell.dice.count + spell.perSlot.dice * more,
        sides: spell.dice.sides,
        flats: [
          ...(flat === 0 ? [] : [{ label: spell.name, amount: flat, ...cause }]),
          ...(modifier === 0 ? [] : [{ label: casting.ability, amount: modifier, ...cause }]),
        ],
        damageType: spell.damageType,
        cause,
      },
      stopped: spell.name === "Magic Missile" ? shieldSpell(npc) : undefined,
      changes: [
        ...casting.spends,
        ...(several && !casting.later ? [markCast(game, spell)] : []),
        ...(casting.later ? [] : keepCasting(game, spell, casting.slotLevel)),
      ],
      notes: rays > 1 ? [`${spell.name} makes ${rays} darts; resolve each one`] : [],
      rays,
      most: rays > 0 ? rays : most,
      boon: boon?.boon,
      dc:
        spell.boon?.again === undefined
          ? undefined
          : 8 + proficiencyBonus(player) + abilityModifier(player.stats[casting.ability]),
    },
  };
};

/** Who is charmed may help the charmer. */
const withoutCharms = (player: Game["player"]): Game["player"] => ({
  ...player,
  conditions: player.conditions.filter((written) => !hasCondition({ conditions: [written] }, "Charmed")),
});

/** Against an enemy, though it needs no roll. */
const isHarmful = ({ range, boon }: SureSpell): boolean =>
  boon !== undefined && (boon.upTo !== undefined || boon.pool || (boon.aimed && range > 0));

const targetObstacle = ({ name: spell, living, gives, boon }: SureSpell, npc: Npc): string | undefined => {
  const immune = boon?.never.find((one) => isOfType(npc, one));
  if (immune !== undefined) return `${spell} does nothing to ${npc.name}, ${immune}`;
  if (gives !== "damage" && hasCondition(npc, "Dead")) return `${npc.name} is dead, and ${spell} does nothing`;
  const type = ["undead", "construct"].find((one) => isOfType(npc, one));
  return living && type !== undefined ? `${spell} does nothing to ${npc.name}, ${type}` : undefined;
};

const findSureTarget = (game: Game, name: string): SureTarget => {
  if (sameName(name, game.player.name) || sameName(name, "self")) return casterTarget(game);
  const npc = findTarget(game, name);
  return { npc, about: identify(npc), fields: { current: "currentHp", temporary: "temporaryHp" } };
};

const casterTarget = ({ player, edition }: Game): SureTarget => ({
  npc: {
    ...{ id: "", name: player.name, ac: 10, currentHp: player.currentHP, maxHp: hitPointMaximum(player, edition) },
    ...{ temporaryHp: player.temporaryHP, savingThrowBonus: 0, disposition: "friendly", conditions: player.conditions },
    ...{ creatureType: "", size: player.size, cover: "none", dodging: false, traits: [], distance: 0 },
    ...{ resistances: player.resistances, vulnerabilities: player.vulnerabilities, immunities: player.immunities },
    ...{ senses: player.senses, ...(player.nonmagical !== undefined && { nonmagical: player.nonmagical }) },
  },
  about: { who: player.name },
  fields: { current: "currentHP", temporary: "temporaryHP" },
});
