/** Extra damage of spells that are at work: Hunter's Mark, Hex, Divine Favor. */
import type { DamageType, EffectName, Game } from "@fairlead/contracts/rules";
import type { RuleId } from "../../data/catalogue.ts";
import { effect, feature, isAimedAt } from "../../sheet/character.ts";
import { sameName } from "../../sheet/names.ts";
import {
  type AttackContext,
  type DamageSource,
  deny,
  fromCaller,
  isWeaponAttack,
  type SourceVerdict,
  weaponType,
  withClaimedEffects,
} from "./source.ts";

/** Among the spells, or as a feature; a ranger of 5.2 has Hunter's Mark from Favored Enemy. */
const knowsSpell = ({ player, edition }: Game, name: EffectName): boolean =>
  [...player.knownSpells, ...player.cantrips].some((spell) => sameName(spell, name)) ||
  feature(player, name) !== undefined ||
  (name === "Hunter's Mark" && edition === "5.2" && feature(player, "Favored Enemy") !== undefined);

interface EffectDamage {
  readonly name: EffectName;
  readonly rule: RuleId;
  readonly sides: number;
  readonly damageType: DamageType | undefined;
}

const verifyEffectDamage = (blow: AttackContext, { name, rule, sides, damageType }: EffectDamage): SourceVerdict => {
  const { target } = blow;
  const { game, believed } = withClaimedEffects(blow, [name]);
  if (believed && !knowsSpell(game, name)) return deny(`${game.player.name} does not know ${name}`);
  if (effect(game.player, name, isAimedAt(target)) === undefined) {
    const other = effect(game.player, name);
    return deny(`${name} is ${other === undefined ? "not at work" : `on ${other.target}, not on ${target.name}`}`);
  }
  const atWork = `${name} is at work`;
  const cause = { rule, why: believed ? fromCaller(atWork) : atWork };
  return { granted: true, why: cause.why, specs: [{ label: name, count: 1, sides, flats: [], damageType, cause }] };
};

export const huntersMark: DamageSource = {
  name: "Hunter's Mark",
  aliases: ["Hunters Mark"],
  optional: false,
  verify(blow) {
    const in52 = blow.game.edition === "5.2";
    if (!in52 && blow.armed === undefined) return deny("Hunter's Mark adds to weapon attacks only");
    const damageType = in52 ? "force" : weaponType(blow);
    const sides = in52 && feature(blow.game.player, "Foe Slayer") !== undefined ? 10 : 6;
    return verifyEffectDamage(blow, { name: "Hunter's Mark", rule: "hunters-mark", sides, damageType });
  },
};

export const hex: DamageSource = {
  name: "Hex",
  optional: false,
  verify(blow) {
    const { edition, rulings } = blow.game;
    if (edition === "5.1" && !rulings.hexBefore52) {
      return deny("Hex is not in the SRD 5.1; `rulings.hexBefore52` switches it on");
    }
    return verifyEffectDamage(blow, { name: "Hex", rule: "hex", sides: 6, damageType: "necrotic" });
  },
};

export const divineFavor: DamageSource = {
  name: "Divine Favor",
  optional: false,
  verify(blow) {
    if (!isWeaponAttack(blow)) return deny("Divine Favor adds to weapon attacks only");
    return verifyEffectDamage(blow, { name: "Divine Favor", rule: "divine-favor", sides: 4, damageType: "radiant" });
  },
};
