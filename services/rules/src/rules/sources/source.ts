/**
 * What a source of extra damage is: a name, and a verdict on whether it applies to this attack. A claim is never believed; a
 * source that needs no claim is tried on every attack.
 */
import type { Ability, Change, EffectName, Game, Npc } from "@fairlead/contracts/rules";
import type { Weapon } from "../../sheet/weapon.ts";
import type { WeaponUse } from "../../sheet/weapon-use.ts";
import type { Stance } from "../d20.ts";
import type { DamageSpec } from "../damage.ts";

/** An attack as far as sources look at it. A spell attack has no weapon. */
export interface AttackContext {
  readonly game: Game;
  readonly target: Npc;
  readonly kind: "melee" | "ranged";
  readonly ability: Ability | undefined;
  readonly stance: Stance;
  /** Something imposes disadvantage, even if advantage cancels it. */
  readonly hasDisadvantage: boolean;
  readonly armed: { readonly weapon: Weapon; readonly wield: WeaponUse } | undefined;
  /** The player claims this source; false when it is tried without a claim. */
  readonly claimed: boolean;
  /** Slot level named in the claim, like the 2 of "Divine Smite 2". */
  readonly slot: number | undefined;
}

/** An attack before it is looked at by one source. */
export type ClaimedAttack = Omit<AttackContext, "slot" | "claimed">;

export type SourceVerdict =
  | {
      readonly granted: true;
      readonly why: string;
      readonly specs: readonly DamageSpec[];
      /** To be made when the attack hits. */
      readonly onHit?: readonly Change[];
      /** To be made by the roll itself, hit or miss. */
      readonly onRoll?: readonly Change[];
    }
  | { readonly granted: false; readonly why: string };

export interface DamageSource {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** False for what applies by itself. */
  readonly optional: boolean;
  verify(blow: AttackContext): SourceVerdict;
}

export const deny = (why: string): SourceVerdict => ({ granted: false, why });

/** Why a claim is granted about a fact that the game does not state. */
export const fromCaller = (what: string): string => `taken from the caller: ${what}`;

interface ClaimedEffects {
  readonly game: Game;
  /** The effects are not stated, and the claim is believed. */
  readonly believed: boolean;
}

/** The game with these effects at work, when they are claimed and the sheet lists no effects at all; a sheet that lists some is taken at its word. */
export const withClaimedEffects = (
  { game, claimed }: Pick<AttackContext, "game" | "claimed">,
  names: readonly EffectName[],
): ClaimedEffects => {
  const { player } = game;
  if (!claimed || player.effects !== undefined) return { game, believed: false };
  return { game: { ...game, player: { ...player, effects: names.map((name) => ({ name })) } }, believed: true };
};

/** 5.1 calls a strike with bare hands a weapon attack; 5.2 wants a weapon. */
export const isWeaponAttack = ({ game, armed }: AttackContext): boolean =>
  armed !== undefined && (game.edition === "5.1" || !armed.weapon.unarmed);

/** Damage of the weapon's own kind. */
export const weaponType = ({ armed }: AttackContext): DamageSpec["damageType"] => armed?.weapon.damageType;
