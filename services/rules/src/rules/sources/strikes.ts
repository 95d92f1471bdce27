/**
 * Effects that a hit carries with another source (5.2): Cunning Strike gives up dice of Sneak Attack, Brutal Strike has its blows.
 * They are claimed like damage, and verified like it; what they do is a rider.
 */
import type { Ability, Claim } from "@fairlead/contracts/rules";
import { abilityModifier, feature, proficiencyBonus } from "../../sheet/character.ts";
import { same } from "../../sheet/names.ts";
import { staggered } from "../creature-save.ts";
import type { DamageSpec } from "../damage.ts";
import { tooLarge } from "../mastery.ts";
import { afflicted, type Rider, toppled } from "../rider.ts";
import { brutalStrike, sneakAttack } from "./martial.ts";
import type { Blow, Source } from "./source.ts";

type Hit = Omit<Blow, "slot">;

export interface Strike {
  readonly name: string;
  readonly aliases: readonly string[];
  /** The source it comes with. */
  readonly with: Source;
  /** Dice of that source which it costs. */
  readonly cost: number;
  /** The feature that has it. */
  readonly feature: string;
  /** Why it cannot be used on this hit. */
  forbids?(hit: Hit): string | undefined;
  riders(hit: Hit): readonly Rider[];
}

const cunningSave = ({ game: { player } }: Hit, ability: Ability): NonNullable<Rider["save"]> => ({
  ability,
  dc: 8 + abilityModifier(player.stats.dexterity) + proficiencyBonus(player.level),
});

type Deed = Pick<Strike, "cost" | "feature"> & Partial<Strike>;

const cunning = (effect: string, deed: Deed, riders: Strike["riders"]): Strike => ({
  name: `Cunning Strike: ${effect}`,
  aliases: [effect, `Cunning Strike (${effect})`],
  with: sneakAttack,
  ...deed,
  riders,
});

/** A cunning strike that a saving throw stops. */
const saved = (effect: string, deed: Deed, [ability, condition, what]: readonly [Ability, string, string]): Strike =>
  cunning(effect, deed, (hit) => [
    {
      label: effect,
      rule: "cunning-strike",
      effect: `${hit.target.name} is ${what}`,
      changes: [afflicted(hit.target, condition, what)],
      save: cunningSave(hit, ability),
    },
  ]);

const own = { cost: 1, feature: "Cunning Strike" } as const;
const devious = "Devious Strikes";

const noKit = ({ game: { player } }: Hit): string | undefined =>
  player.inventory.some((item) => same(item, "Poisoner's Kit"))
    ? undefined
    : `${player.name} has no Poisoner's Kit at hand`;

const cunningStrikes: readonly Strike[] = [
  saved("Poison", { ...own, forbids: noKit }, [
    "constitution",
    "Poisoned",
    "poisoned for 1 minute, with a save at the end of each of its turns",
  ]),
  cunning(
    "Trip",
    { ...own, forbids: ({ target }) => (tooLarge(target) ? `${target.name} is larger than Large` : undefined) },
    (hit) => toppled(hit.target, { label: "Trip", rule: "cunning-strike", save: cunningSave(hit, "dexterity") }),
  ),
  cunning("Withdraw", own, ({ game: { player } }) => [
    {
      label: "Withdraw",
      rule: "cunning-strike",
      effect: `${player.name} moves up to half their speed without opportunity attacks`,
      changes: [],
    },
  ]),
  cunning("Stealth Attack", { cost: 1, feature: "Supreme Sneak" }, ({ game: { player } }) => [
    {
      label: "Stealth Attack",
      rule: "cunning-strike",
      effect: `${player.name} stays hidden when the turn ends behind three-quarters or total cover`,
      changes: [],
    },
  ]),
  saved("Daze", { cost: 2, feature: devious }, [
    "constitution",
    "Dazed",
    "dazed: on its next turn it moves, or takes an action or a bonus action",
  ]),
  saved("Knock Out", { cost: 6, feature: devious }, [
    "constitution",
    "Unconscious",
    "unconscious for 1 minute or until it takes damage, with a save at the end of each of its turns",
  ]),
  saved("Obscure", { cost: 3, feature: devious }, ["dexterity", "Blinded", "blinded until the end of its next turn"]),
];

const blow = (name: string, of: string, effectOn: (target: string) => string, condition?: string): Strike => ({
  name,
  aliases: [`Brutal Strike: ${name}`, `Brutal Strike (${name})`],
  with: brutalStrike,
  cost: 0,
  feature: of,
  riders: ({ game: { player }, target }) => {
    const effect = effectOn(target.name);
    const marked = condition === "Sundered" ? `Sundered by ${player.name}` : condition;
    const changes = marked === undefined ? [] : [afflicted(target, marked, effect)];
    return [{ label: name, rule: "brutal-strike", effect, changes }];
  },
});

const brutal = "Brutal Strike";
const improved = "Improved Brutal Strike";

const brutalBlows: readonly Strike[] = [
  blow("Forceful Blow", brutal, (target) => `${target} is pushed 15 feet, and can be followed for half the speed`),
  blow("Hamstring Blow", brutal, (target) => `${target} has 15 feet less speed until your next turn`, "Hamstrung"),
  blow(
    "Staggering Blow",
    improved,
    (target) => `${target} has disadvantage on its next save, and no opportunity attacks until your next turn`,
    staggered,
  ),
  blow(
    "Sundering Blow",
    improved,
    (target) => `the next attack roll of another against ${target} before your next turn gains +5`,
    "Sundered",
  ),
];

export const strikes: readonly Strike[] = [...cunningStrikes, ...brutalBlows];

/** How many effects one hit can carry. */
const most = (source: Source, { game: { player } }: Hit): number => {
  const two =
    source === sneakAttack
      ? feature(player, "Improved Cunning Strike") !== undefined
      : feature(player, improved) !== undefined && player.level >= 17;
  return two ? 2 : 1;
};

export interface Asked {
  readonly written: string;
  readonly strike: Strike;
}

export interface Carried {
  /** The specs that were given, without the dice that were paid. */
  readonly specs: readonly DamageSpec[];
  readonly riders: readonly Rider[];
  readonly verdicts: ReadonlyMap<unknown, Claim>;
}

/** Verifies the effects asked for against what the hit was granted. */
export const carry = (hit: Hit, asked: readonly Asked[], granted: readonly DamageSpec[]): Carried => {
  let specs = granted;
  const taken: Strike[] = [];
  const judge = ({ written, strike }: Asked): Claim => {
    const why = forbidden(hit, { strike, taken, specs });
    if (why !== undefined) return { source: written, granted: false, why };
    taken.push(strike);
    const paid = ({ label, count }: DamageSpec): number => (label === strike.with.name ? count - strike.cost : count);
    specs = specs.map((spec) => ({ ...spec, count: paid(spec) }));
    const price = strike.cost === 0 ? "it comes with the strike" : `paid with ${strike.cost}d6 of ${strike.with.name}`;
    return { source: written, granted: true, why: price };
  };
  const verdicts = new Map<unknown, Claim>(asked.map((claim) => [claim, judge(claim)]));
  return { specs, verdicts, riders: taken.flatMap((strike) => strike.riders(hit)) };
};

interface Bargain {
  readonly strike: Strike;
  readonly taken: readonly Strike[];
  readonly specs: readonly DamageSpec[];
}

const forbidden = (hit: Hit, { strike, taken, specs }: Bargain): string | undefined => {
  const { player, edition } = hit.game;
  if (edition === "5.1") return `${strike.name} is a rule of 5.2`;
  if (feature(player, strike.feature) === undefined) return `${player.name} does not have ${strike.feature}`;
  const paying = specs.find(({ label }) => label === strike.with.name);
  if (paying === undefined) return `it comes with ${strike.with.name}, which this attack does not have`;
  if (taken.includes(strike)) return `${strike.name} was claimed twice`;
  const limit = most(strike.with, hit);
  if (taken.filter((other) => other.with === strike.with).length >= limit) {
    return `one hit carries at most ${limit} of these effects`;
  }
  if (paying.count < strike.cost) {
    return `it costs ${strike.cost} dice of ${strike.with.name}, and ${paying.count} are left`;
  }
  return strike.forbids?.(hit);
};
