/**
 * Who takes damage, with what is at work on it: its lists of defences, those against weapons that are not magical, and the lines of the language that
 * count for `damage`. A creature's traits count as features, its conditions as effects; in a kept fight its whole sheet counts.
 *
 * Not here: what the defences leave of an amount (`defences.ts`).
 */
import type { DamageType, Game, Npc, Player } from "@fairlead/contracts/rules";
import { effectsOn, type RollEffects } from "../effects/apply.ts";
import { feature } from "../sheet/character.ts";
import { sameName } from "../sheet/names.ts";
import type { Weapon } from "../sheet/weapon.ts";
import { blankGame } from "./marks.ts";

/** What an attack is made with, where that matters: "Silvered Longsword". */
type WeaponFacts = Pick<Weapon, "name" | "bonus" | "unarmed">;

type Defences = Pick<
  Npc | Player,
  "name" | "resistances" | "vulnerabilities" | "immunities" | "conditions" | "nonmagical"
>;

export interface Defender extends Defences {
  /** The weapon that hits is not magical. */
  readonly byPlainWeapon: boolean;
  /** Its name, which may have its metal. */
  readonly weapon: string;
  /** What is at work against damage of a type; `first` of the types that a blow deals. */
  readonly at: (type: DamageType | undefined, first: boolean) => RollEffects;
}

/** A game of a kept fight has the sheets of those in it, by id. */
export type SheetedGame = Game & { readonly sheets?: ReadonlyMap<string, Player> };

const magicSpells = ["Magic Weapon", "Sacred Weapon", "Shillelagh", "Holy Weapon"] as const;
const bareHands = ["Ki-Empowered Strikes", "Empowered Strikes"] as const;

/** A bonus, a trait of its bearer, or a spell at work makes a weapon magical. */
export const isMagical = (player: Player, { bonus, unarmed, name }: WeaponFacts, traits: readonly string[] = []) => {
  const has = (trait: string): boolean =>
    traits.some((one) => sameName(one, trait)) || feature(player, trait) !== undefined;
  const spell = magicSpells.some((spelled) => player.effects?.some((one) => sameName(one.name, spelled)));
  return (
    bonus > 0 ||
    /\bmagic(?:al)?\b/i.test(name) ||
    (!unarmed && spell) ||
    has("Magic Weapons") ||
    (unarmed && bareHands.some(has))
  );
};

/** A creature as a target of a spell, or of a weapon of the character. */
export const creatureDefender = (game: SheetedGame, target: Npc, weapon?: WeaponFacts): Defender => {
  const { rulings, edition } = game;
  const blank = blankGame(edition);
  const own = game.sheets?.get(target.id);
  const listed = target.traits.map((name) => ({ name }));
  const player =
    own === undefined
      ? { ...blank.player, name: target.name, conditions: target.conditions, features: listed }
      : { ...own, features: [...own.features, ...listed] };
  const byPlainWeapon = weapon !== undefined && !isMagical(game.player, weapon);
  return {
    ...target,
    byPlainWeapon,
    weapon: weapon?.name ?? "",
    at: (damageType, first) =>
      effectsOn({ ...blank, rulings, player }, { roll: "damage", damageType, first, byPlainWeapon }),
  };
};

/** The character as a target; `byPlainWeapon`: of a blow that is not magical. */
export const characterDefender = (game: Game, by: { readonly weapon?: string | undefined } = {}): Defender => {
  const byPlainWeapon = by.weapon !== undefined && !game.scene.magical && !/\bmagic(?:al)?\b|\+\d/i.test(by.weapon);
  return {
    ...game.player,
    byPlainWeapon,
    weapon: by.weapon ?? "",
    at: (damageType, first) => effectsOn(game, { roll: "damage", damageType, first, byPlainWeapon }),
  };
};
