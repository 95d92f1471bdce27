/**
 * One creature of an encounter, whatever it is: a character, a monster or an ally. All have a sheet, so that all act by the same plan;
 * `asTarget` is the creature as others attack it.
 *
 * Not here: where sheets of monsters come from (`monster.ts`), and what changes a creature (`change.ts`).
 */
import { abilities, type Game, game as gameSchema, type Npc, type Player } from "@fairlead/contracts/rules";
import type { LegendaryAction, MonsterEffect } from "../data/monster-row.ts";
import { listFigures } from "../resolve/figures.ts";
import { abilityModifier, hasCondition, proficiencyBonus } from "../sheet/character.ts";
import { fold } from "../sheet/names.ts";
import { foeAttack } from "./foe-attack.ts";

/** Uses of legendary actions between two turns of a creature. */
export const legendaryActions = 3;

/** What is left of it. */
export interface Legendary {
  readonly actions: readonly LegendaryAction[];
  readonly left: number;
  /** Names of those taken since its last turn. */
  readonly used: readonly string[];
  /** Failed saves that it may still pass. */
  readonly resistances: number;
}

export interface Creature {
  /** Names it in calls and changes; no two of an encounter have one. */
  readonly id: string;
  readonly side: "party" | "foes";
  /** A character at 0 hit points makes death saves; a monster dies. */
  readonly kind: "character" | "monster";
  readonly sheet: Player;
  readonly ac: number;
  /** Attacks of one action. */
  readonly attacks: number;
  readonly initiative: number;
  readonly deathSaves: { readonly successes: number; readonly failures: number };
  /** Added to initiative beside the sheet's Dexterity. */
  readonly initiativeBonus?: number;
  /** What makes others save, like a breath. */
  readonly effects?: readonly MonsterEffect[];
  /** Names of effects that are used and not recharged. */
  readonly spent?: readonly string[];
  /** What it has against bludgeoning, piercing and slashing damage of weapons that are not magical, nor of that metal. */
  readonly nonmagical?: {
    readonly defence: "resistance" | "immunity";
    readonly unless: "silvered" | "adamantine" | undefined;
  };
  /** What it may do in the turns of others, and the failed saves that it may pass. */
  readonly legendary?: Legendary;
  /** Its reaction is still to be used. */
  readonly reaction: boolean;
  /** What counts when it saves against others, beside the sheet. */
  readonly body: Pick<Npc, "creatureType" | "traits" | "savingThrows" | "savingThrowBonus">;
}

/** A creature before initiative is rolled and an id is given. */
export type CreatureStats = Pick<
  Creature,
  "kind" | "sheet" | "ac" | "attacks" | "body" | "initiativeBonus" | "effects" | "nonmagical" | "legendary"
>;

/** A sheet with the defaults of what is left out. */
export const completeSheet = (fields: Record<string, unknown> & { readonly name: string }): Player =>
  gameSchema.parse({ player: { characterClass: "Monster", level: 1, ...fields } }).player;

const figureNumber = (game: Game, name: string): number | undefined => {
  const value = Number(listFigures(game).find((figure) => figure.name === name)?.value);
  return Number.isFinite(value) ? value : undefined;
};

/** A character: Armor Class as the sheet says it, or else by what is worn. */
export const characterStats = (sheet: Player, rules: Pick<Game, "edition" | "rulings" | "scene">): CreatureStats => {
  const game: Game = { ...rules, player: sheet, npcs: [] };
  const { armorClass } = sheet;
  return {
    kind: "character",
    sheet,
    ac: typeof armorClass === "number" ? armorClass : (figureNumber(game, "armor-class") ?? 10),
    attacks: figureNumber(game, "attacks-per-action") ?? 1,
    body: {
      creatureType: "humanoid",
      traits: sheet.features.map(({ name }) => name),
      savingThrows: undefined,
      savingThrowBonus: 0,
    },
  };
};

/**
 * A creature by the numbers of the specification's client: one attack, named "Attack", and one bonus for all saves. `path` is its place in the input.
 * Refuses with `bad_foe`.
 */
export const npcStats = (npc: Npc, path: string): CreatureStats => {
  const maxHP = npc.maxHp ?? Math.max(1, npc.currentHp);
  const sheet = completeSheet({
    name: npc.name,
    currentHP: Math.min(1_000, npc.currentHp),
    maxHP: Math.min(1_000, maxHP),
    temporaryHP: npc.temporaryHp,
    conditions: npc.conditions,
    size: npc.size,
    resistances: npc.resistances,
    vulnerabilities: npc.vulnerabilities,
    immunities: npc.immunities,
    senses: npc.senses,
    nonmagical: npc.nonmagical,
    weaponDamage: { Attack: foeAttack(npc, path) },
  });
  const { creatureType, traits, savingThrows, savingThrowBonus } = npc;
  return {
    kind: "monster",
    sheet,
    ac: npc.ac,
    attacks: 1,
    body: { creatureType, traits, savingThrows, savingThrowBonus },
  };
};

const physical = ["bludgeoning", "piercing", "slashing"] as const;

/** A weapon that is used on somebody: magic of its own or by a trait of its bearer, and its name, which may have its metal. */
export interface UsedWeapon {
  readonly name: string;
  readonly magical: boolean;
}

/** The creature as others attack it, with a weapon or otherwise. What only the table knows, like distances, is left to the call. */
export const asTarget = (creature: Creature, weapon?: UsedWeapon): Npc => {
  const target = plainTarget(creature);
  const { nonmagical } = creature;
  if (nonmagical === undefined || weapon === undefined || weapon.magical) return target;
  if (nonmagical.unless !== undefined && weapon.name.toLowerCase().includes(nonmagical.unless)) return target;
  const list = nonmagical.defence === "resistance" ? "resistances" : "immunities";
  return { ...target, [list]: [...new Set([...target[list], ...physical])] };
};

/** A character's saves by its sheet: the ability, and proficiency. */
const sheetSaves = (sheet: Player): NonNullable<Npc["savingThrows"]> => {
  const trained = new Set(sheet.savingThrowProficiencies.map(fold));
  return Object.fromEntries(
    abilities.map((ability) => {
      const isTrained = trained.has(ability) || trained.has(ability.slice(0, 3));
      return [ability, abilityModifier(sheet.stats[ability]) + (isTrained ? proficiencyBonus(sheet) : 0)];
    }),
  );
};

/** Mage Armor counts where no armor is worn and it is better. */
const bodyArmor = (ac: number, sheet: Player): number =>
  hasCondition(sheet, "Mage Armor") && sheet.worn.armor === "none"
    ? Math.max(ac, 13 + abilityModifier(sheet.stats.dexterity) + sheet.worn.shield)
    : ac;

const plainTarget = ({ id, side, kind, sheet, ac, body }: Creature): Npc => ({
  id,
  name: sheet.name,
  ac: bodyArmor(ac, sheet),
  currentHp: sheet.currentHP,
  maxHp: sheet.maxHP,
  temporaryHp: sheet.temporaryHP,
  disposition: side === "foes" ? "hostile" : "friendly",
  conditions: sheet.conditions,
  size: sheet.size,
  cover: "none",
  dodging: (sheet.effects ?? []).some(({ name }) => name === "Dodge"),
  resistances: sheet.resistances,
  vulnerabilities: sheet.vulnerabilities,
  immunities: sheet.immunities,
  senses: sheet.senses,
  ...body,
  ...(kind === "character" && { savingThrows: sheetSaves(sheet) }),
});

const isHasted = ({ sheet }: Creature): boolean =>
  hasCondition(sheet, "Haste") || (sheet.effects ?? []).some(({ name }) => name === "Haste");

/** Attacks with an action: Haste gives one more, which is all that is left of it after another action. */
export const actionAttacks = (creature: Creature): { readonly attacks: number; readonly afterOther: 0 | 1 } => {
  const more = isHasted(creature) ? 1 : 0;
  return { attacks: creature.attacks + more, afterOther: more };
};

/** Dead, or a monster at 0 hit points. */
export const isDead = ({ sheet, kind, deathSaves }: Creature): boolean =>
  sheet.conditions.includes("Dead") || deathSaves.failures >= 3 || (kind === "monster" && sheet.currentHP === 0);

/** A character at 0 hit points that is neither dead nor stable. */
export const isDying = (creature: Creature): boolean =>
  creature.sheet.currentHP === 0 && !isDead(creature) && !creature.sheet.conditions.includes("Stable");
