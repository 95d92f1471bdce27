/**
 * Damage that a character takes: what a save and Evasion leave of it, then the character's own defences, then hit points. Half is
 * rounded down.
 */
import type { Ability, Change, Damage, DamageType, Game, Player } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import type { Cause, Trace } from "../result/trace.ts";
import { effect, feature, incapacitatingCondition } from "../sheet/character.ts";
import { damageConsequences } from "./character-damage.ts";
import { type DamageSpec, rollDamage } from "./damage.ts";
import { dealtByType } from "./defences.ts";
import { characterDefender } from "./defender.ts";

export interface IncomingDamage {
  readonly spec: DamageSpec;
  readonly onSuccess: "half" | "none";
  readonly evasion: Cause | undefined;
  /** A d4 off the damage (5.2). */
  readonly ward: Cause | undefined;
  /** A critical hit dealt it. */
  readonly crit: boolean;
  /** What strikes, where it is no save. */
  readonly weapon?: string;
  /** The dice are those of the critical hit already. */
  readonly doubled?: boolean;
}

interface DamageTaken {
  readonly damage: Damage;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

const effectDamage: Cause = { rule: "save-for-half", why: "damage of the effect" };

/** Dice and a number, or a number alone, as a line of damage. */
export const parseDamageSpec = (
  written: string,
  { label, damageType, cause }: Pick<DamageSpec, "label" | "damageType" | "cause">,
): DamageSpec => {
  const [, count, sides, flat] = /^(?:(\d+)d(\d+)(?:\+|$))?(\d+)?$/.exec(written) ?? [];
  const amount = Number(flat ?? 0);
  return {
    label,
    count: Number(count ?? 0),
    sides: Number(sides ?? 0),
    flats: amount === 0 ? [] : [{ label, amount, ...cause }],
    damageType,
    cause,
  };
};

/** The Resistance cantrip of 5.2, once a turn. */
export const findWard = ({ scene, player, edition }: Game, damageType: DamageType | undefined): Cause | undefined => {
  if (edition === "5.1" || scene.usedThisTurn.includes("Resistance")) return undefined;
  const ward = effect(player, "Resistance", (one) => (one.damageType ?? damageType) === damageType);
  return ward && { rule: "resistance-cantrip", why: "a d4 off the damage, once a turn" };
};

/** Evasion is for dexterity saves for half the damage; in 5.2 only for who can act. */
export const canEvade = (
  who: Pick<Player, "conditions">,
  {
    ability,
    onSuccess,
    edition,
  }: { ability: Ability; onSuccess: IncomingDamage["onSuccess"]; edition: Game["edition"] },
): boolean =>
  ability === "dexterity" && onSuccess === "half" && (edition === "5.1" || incapacitatingCondition(who) === undefined);

/** What is coming, when the scene says that something is. */
export const planIncomingDamage = (game: Game, ability: Ability, label: string): IncomingDamage | undefined => {
  const { scene, player, edition } = game;
  if (scene.incoming === undefined) return undefined;
  const { dice, damageType, onSuccess } = scene.incoming;
  const nimble = feature(player, "Evasion") !== undefined && canEvade(player, { ability, onSuccess, edition });
  return {
    spec: parseDamageSpec(dice, { label, damageType, cause: effectDamage }),
    onSuccess,
    evasion: nimble ? { rule: "evasion", why: "nothing on a success, half on a failure" } : undefined,
    ward: findWard(game, damageType),
    crit: false,
  };
};

type DamageShare = "all" | "half" | "none";

/** What the save and Evasion leave. */
export const damageShare = (
  { onSuccess, evasion }: Pick<IncomingDamage, "onSuccess" | "evasion">,
  success: boolean,
): DamageShare => {
  if (evasion !== undefined) return success ? "none" : "half";
  return success ? onSuccess : "all";
};

/** What is left of a sum. */
export const portion = (amount: number, share: DamageShare): number =>
  share === "all" ? amount : share === "half" ? Math.floor(amount / 2) : 0;

/** A save that leaves nothing: no die is rolled for it. */
export const noDamage: Damage = { breakdown: [], byType: [], totalDamage: 0, isCrit: false };

/** Rolls the damage and takes it. */
export const takeIncomingDamage = (
  game: Game,
  incoming: IncomingDamage,
  { dice, trace, success }: { readonly dice: Dice; readonly trace: Trace; readonly success: boolean },
): DamageTaken => {
  const { player, edition } = game;
  if (damageShare(incoming, success) === "none") {
    trace.add("damage.totalDamage", "0, nothing rolled", incoming.evasion ?? effectDamage);
    return { damage: noDamage, changes: [], notes: ["0 damage"] };
  }
  const line = rollDamage(incoming.spec, 0, { dice, trace, crit: incoming.crit && incoming.doubled !== true });
  const share = damageShare(incoming, success);
  if (share !== "all") trace.add("damage.byType[0].rolled", "half", incoming.evasion ?? effectDamage);
  let left = portion(line.subtotal, share);
  if (incoming.ward !== undefined && left > 0) {
    const off = dice.roll(4, "Resistance", "resistance");
    left = Math.max(0, left - off);
    trace.add("damage.byType[0].rolled", `-${off} (1d4)`, incoming.ward);
  }
  const byType = dealtByType(
    characterDefender(game, { weapon: incoming.weapon }),
    [{ ...line, subtotal: left }],
    trace,
  );
  const total = byType.reduce((sum, { dealt }) => sum + dealt, 0);
  const warded = dice.record().draws.some(({ purpose }) => purpose === "Resistance");
  const fell = damageConsequences(game, total, { crit: incoming.crit, trace });
  const awake = player.currentHP > 0 && !fell.changes.some(({ field, value }) => field === "currentHP" && value === 0);
  return {
    damage: { breakdown: [line], byType, totalDamage: total, isCrit: false },
    changes: [...(warded && incoming.ward !== undefined ? [markWardUsed(player.name)] : []), ...fell.changes],
    notes: [
      `${total} damage`,
      ...(total > 0 ? fell.notes : []),
      ...(total > 0 && awake ? [`If concentrating: a Constitution save, DC ${concentrationDc(total, edition)}`] : []),
    ],
  };
};

/** What a save to keep concentrating has to reach: half of the damage, at least 10, and in 5.2 at most 30. */
export const concentrationDc = (damage: number, edition: Game["edition"]): number =>
  Math.min(edition === "5.2" ? 30 : Number.POSITIVE_INFINITY, Math.max(10, Math.floor(damage / 2)));

const markWardUsed = (who: string): Change => ({
  who,
  field: "scene.usedThisTurn",
  op: "add",
  value: "Resistance",
  why: "Resistance works once a turn",
});
