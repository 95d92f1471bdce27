/**
 * Effects that a hit carries with another source (5.2): Cunning Strike gives up dice of Sneak Attack, Brutal Strike has its blows.
 * They are claimed like damage, and verified like it; what they do is a rider.
 */
import type { Ability, Claim } from "@fairlead/contracts/rules";
import { abilityModifier, feature, proficiencyBonus } from "../../sheet/character.ts";
import { levelIn } from "../../sheet/class-levels.ts";
import { sameName } from "../../sheet/names.ts";
import { staggeredCondition } from "../creature-save.ts";
import type { DamageSpec } from "../damage.ts";
import { isTooLarge } from "../mastery.ts";
import { addCondition, knockProne, type Rider } from "../rider.ts";
import { brutalStrike, sneakAttack } from "./martial.ts";
import { type ClaimedAttack, type DamageSource, fromCaller } from "./source.ts";

type Hit = ClaimedAttack;

export interface StrikeEffect {
  readonly name: string;
  readonly aliases: readonly string[];
  /** The source it comes with. */
  readonly with: DamageSource;
  /** Dice of that source which it costs. */
  readonly cost: number;
  /** The feature that has it. */
  readonly feature: string;
  /** Why it cannot be used on this hit. */
  forbids?(hit: Hit): string | undefined;
  /** What is believed of the claim, because the game does not state it. */
  takenFromCaller?(hit: Hit): string | undefined;
  riders(hit: Hit): readonly Rider[];
}

const cunningSave = ({ game: { player } }: Hit, ability: Ability): NonNullable<Rider["save"]> => ({
  ability,
  dc: 8 + abilityModifier(player.stats.dexterity) + proficiencyBonus(player),
});

type StrikeTerms = Pick<StrikeEffect, "cost" | "feature"> & Partial<StrikeEffect>;

const cunningStrike = (effect: string, deed: StrikeTerms, riders: StrikeEffect["riders"]): StrikeEffect => ({
  name: `Cunning Strike: ${effect}`,
  aliases: [effect, `Cunning Strike (${effect})`],
  with: sneakAttack,
  ...deed,
  riders,
});

/** A cunning strike that a saving throw stops. */
const cunningStrikeWithSave = (
  effect: string,
  deed: StrikeTerms,
  [ability, condition, what]: readonly [Ability, string, string],
): StrikeEffect =>
  cunningStrike(effect, deed, (hit) => [
    {
      label: effect,
      rule: "cunning-strike",
      effect: `${hit.target.name} is ${what}`,
      changes: [addCondition(hit.target, condition, what)],
      save: cunningSave(hit, ability),
    },
  ]);

const own = { cost: 1, feature: "Cunning Strike" } as const;
const devious = "Devious Strikes";

const missingKit = ({ game: { player } }: Hit): string | undefined =>
  player.inventory === undefined || player.inventory.some((item) => sameName(item, "Poisoner's Kit"))
    ? undefined
    : `${player.name} has no Poisoner's Kit at hand`;

const claimedKit = ({ game: { player } }: Hit): string | undefined =>
  player.inventory === undefined ? `${player.name} has a Poisoner's Kit at hand` : undefined;

const cunningStrikes: readonly StrikeEffect[] = [
  cunningStrikeWithSave("Poison", { ...own, forbids: missingKit, takenFromCaller: claimedKit }, [
    "constitution",
    "Poisoned",
    "poisoned for 1 minute, with a save at the end of each of its turns",
  ]),
  cunningStrike(
    "Trip",
    { ...own, forbids: ({ target }) => (isTooLarge(target) ? `${target.name} is larger than Large` : undefined) },
    (hit) => knockProne(hit.target, { label: "Trip", rule: "cunning-strike", save: cunningSave(hit, "dexterity") }),
  ),
  cunningStrike("Withdraw", own, ({ game: { player } }) => [
    {
      label: "Withdraw",
      rule: "cunning-strike",
      effect: `${player.name} moves up to half their speed without opportunity attacks`,
      changes: [],
    },
  ]),
  cunningStrike("Stealth Attack", { cost: 1, feature: "Supreme Sneak" }, ({ game: { player } }) => [
    {
      label: "Stealth Attack",
      rule: "cunning-strike",
      effect: `${player.name} stays hidden when the turn ends behind three-quarters or total cover`,
      changes: [],
    },
  ]),
  cunningStrikeWithSave("Daze", { cost: 2, feature: devious }, [
    "constitution",
    "Dazed",
    "dazed: on its next turn it moves, or takes an action or a bonus action",
  ]),
  cunningStrikeWithSave("Knock Out", { cost: 6, feature: devious }, [
    "constitution",
    "Unconscious",
    "unconscious for 1 minute or until it takes damage, with a save at the end of each of its turns",
  ]),
  cunningStrikeWithSave("Obscure", { cost: 3, feature: devious }, [
    "dexterity",
    "Blinded",
    "blinded until the end of its next turn",
  ]),
];

const brutalBlow = (
  name: string,
  of: string,
  effectOn: (target: string) => string,
  condition?: string,
): StrikeEffect => ({
  name,
  aliases: [`Brutal Strike: ${name}`, `Brutal Strike (${name})`],
  with: brutalStrike,
  cost: 0,
  feature: of,
  riders: ({ game: { player }, target }) => {
    const effect = effectOn(target.name);
    const marked = condition === "Sundered" ? `Sundered by ${player.name}` : condition;
    const changes = marked === undefined ? [] : [addCondition(target, marked, effect)];
    return [{ label: name, rule: "brutal-strike", effect, changes }];
  },
});

const brutal = "Brutal Strike";
const improved = "Improved Brutal Strike";

const brutalBlows: readonly StrikeEffect[] = [
  brutalBlow(
    "Forceful Blow",
    brutal,
    (target) => `${target} is pushed 15 feet, and can be followed for half the speed`,
  ),
  brutalBlow(
    "Hamstring Blow",
    brutal,
    (target) => `${target} has 15 feet less speed until your next turn`,
    "Hamstrung",
  ),
  brutalBlow(
    "Staggering Blow",
    improved,
    (target) => `${target} has disadvantage on its next save, and no opportunity attacks until your next turn`,
    staggeredCondition,
  ),
  brutalBlow(
    "Sundering Blow",
    improved,
    (target) => `the next attack roll of another against ${target} before your next turn gains +5`,
    "Sundered",
  ),
];

export const strikes: readonly StrikeEffect[] = [...cunningStrikes, ...brutalBlows];

/** How many effects one hit can carry. */
const strikeLimit = (source: DamageSource, { game: { player } }: Hit): number => {
  const two =
    source === sneakAttack
      ? feature(player, "Improved Cunning Strike") !== undefined
      : feature(player, improved) !== undefined && levelIn(player, "barbarian") >= 17;
  return two ? 2 : 1;
};

export interface StrikeClaim {
  readonly written: string;
  readonly strike: StrikeEffect;
}

interface VerifiedStrikes {
  /** The specs of the sources, without the dice that the effects cost. */
  readonly specs: readonly DamageSpec[];
  readonly riders: readonly Rider[];
  readonly verdicts: ReadonlyMap<unknown, Claim>;
}

/** Verifies the claimed effects against the sources that the hit has. */
export const verifyStrikes = (
  hit: Hit,
  asked: readonly StrikeClaim[],
  granted: readonly DamageSpec[],
): VerifiedStrikes => {
  let specs = granted;
  const taken: StrikeEffect[] = [];
  const decideStrike = ({ written, strike }: StrikeClaim): Claim => {
    const obstacle = strikeObstacle(hit, { strike, taken, specs });
    if (obstacle !== undefined) return { source: written, granted: false, why: obstacle };
    taken.push(strike);
    const paid = ({ label, count }: DamageSpec): number => (label === strike.with.name ? count - strike.cost : count);
    specs = specs.map((spec) => ({ ...spec, count: paid(spec) }));
    const stated = strike.takenFromCaller?.(hit);
    const price = strike.cost === 0 ? "it comes with the strike" : `paid with ${strike.cost}d6 of ${strike.with.name}`;
    const why = stated === undefined ? price : `${price}; ${fromCaller(stated)}`;
    return { source: written, granted: true, why };
  };
  const verdicts = new Map<unknown, Claim>(asked.map((claim) => [claim, decideStrike(claim)]));
  return { specs, verdicts, riders: taken.flatMap((strike) => strike.riders(hit)) };
};

interface StrikeContext {
  readonly strike: StrikeEffect;
  readonly taken: readonly StrikeEffect[];
  readonly specs: readonly DamageSpec[];
}

const strikeObstacle = (hit: Hit, { strike, taken, specs }: StrikeContext): string | undefined => {
  const { player, edition } = hit.game;
  if (edition === "5.1") return `${strike.name} is a rule of 5.2`;
  if (feature(player, strike.feature) === undefined) return `${player.name} does not have ${strike.feature}`;
  const paying = specs.find(({ label }) => label === strike.with.name);
  if (paying === undefined) return `it comes with ${strike.with.name}, which this attack does not have`;
  if (taken.includes(strike)) return `${strike.name} was claimed twice`;
  const limit = strikeLimit(strike.with, hit);
  if (taken.filter((other) => other.with === strike.with).length >= limit) {
    return `one hit carries at most ${limit} of these effects`;
  }
  if (paying.count < strike.cost) {
    return `it costs ${strike.cost} dice of ${strike.with.name}, and ${paying.count} are left`;
  }
  return strike.forbids?.(hit);
};
