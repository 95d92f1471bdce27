/** Exact distribution of damage, by the same steps as the rolling: dice, types, never below 0, defences. */
import type { DamageType, Game } from "@fairlead/contracts/rules";
import { type DamageSpec, diceCount, flatDamage } from "../rules/damage.ts";
import { afterDefence, defenceAgainst } from "../rules/defences.ts";
import type { Defender } from "../rules/defender.ts";
import { characterDefender } from "../rules/defender.ts";
import { damageShare, type IncomingDamage, portion } from "../rules/incoming-damage.ts";
import { certain, type Distribution, die, extreme, map, mixture, sum, times } from "./distribution.ts";

/** One damage die, with what becomes of its 1s and 2s. */
const oneDie = ({ sides, low }: DamageSpec): Distribution => {
  const fair = die(sides);
  if (low === undefined) return fair;
  if (low.become === "three") return map(fair, (face) => (face <= 2 ? 3 : face));
  const rerolled = Math.min(2, sides);
  return mixture([
    { share: BigInt(rerolled), of: fair },
    ...Array.from({ length: sides - rerolled }, (_, index) => ({ share: 1n, of: certain(index + rerolled + 1) })),
  ]);
};

/** What one source rolls, flat numbers included, before defences. */
export const specDistribution = (spec: DamageSpec, crit: boolean): Distribution => {
  const count = diceCount(spec, crit);
  const set = count === 0 ? certain(0) : times(oneDie(spec), count);
  const better = spec.twice === undefined || count === 0 ? set : extreme(set, 2, "highest");
  const flat = flatDamage(spec);
  return flat === 0 ? better : map(better, (value) => value + flat);
};

interface DamageCase {
  readonly specs: readonly DamageSpec[];
  /** `undefined`: what is rolled is no damage. */
  readonly defender: Defender | undefined;
  readonly crit: boolean;
  /** What is left of each source's damage before it is added up, as after a save or a miss that splashes. */
  readonly keep: (amount: number) => number;
}

export const damageDistribution = ({ specs, defender, crit, keep }: DamageCase): Distribution => {
  const types = new Set<DamageType | undefined>(specs.map(({ damageType }) => damageType));
  return [...types.values()].reduce<Distribution>((total, type, index) => {
    const parts = specs
      .filter(({ damageType }) => damageType === type)
      .map((spec) => {
        const rolled = specDistribution(spec, crit);
        return map(rolled, keep);
      });
    const defence = defender && defenceAgainst(defender, type, index === 0);
    const dealt = map(parts.reduce(sum, certain(0)), (value) =>
      defence === undefined ? Math.max(0, value) : afterDefence(Math.max(0, value), defence),
    );
    return sum(total, dealt);
  }, certain(0));
};

/** Damage that the character takes after a save, by the same steps as the rolling: share, ward, defences. */
export const takenDistribution = (game: Game, incoming: IncomingDamage, success: boolean): Distribution => {
  const { spec, ward } = incoming;
  const kept = damageShare(incoming, success);
  const left = map(specDistribution(spec, false), (amount) => portion(amount, kept));
  const warded =
    ward === undefined
      ? left
      : mixture(
          [...left.weights].map(([amount, share]) => ({ share, of: amount > 0 ? lessFour(amount) : certain(0) })),
        );
  const defence = defenceAgainst(characterDefender(game), spec.damageType);
  return map(warded, (amount) => afterDefence(Math.max(0, amount), defence));
};

/** A d4 off an amount. */
const lessFour = (amount: number): Distribution => map(die(4), (face) => Math.max(0, amount - face));

/** How many values the damage of these sources can have, at most; a bound on the work. */
export const countOutcomes = (specs: readonly DamageSpec[], crit: boolean): number =>
  specs.reduce((count, spec) => count + diceCount(spec, crit) * Math.max(0, spec.sides - 1), 1);
