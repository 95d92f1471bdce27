/** The figures that follow from the class tables and the sheet, each with its parts and its rule. Nothing is rolled. */
import type { Figure, Game } from "@fairlead/contracts/rules";
import { citeRule, type RuleId } from "../data/catalogue.ts";
import {
  attacksPerAction,
  bardicDie,
  brutalCriticalDice,
  cantripTier,
  martialArtsDie,
  rageDamage,
  sneakAttackDice,
} from "../data/classes.ts";
import { signed } from "../result/trace.ts";
import { hasShieldTraining, usesMartialArts } from "../sheet/armor.ts";
import { castingAbility } from "../sheet/casting.ts";
import {
  abilityLabel,
  abilityModifier,
  exhaustionLevel,
  feature,
  hasFightingStyle,
  hitPointMaximum,
  proficiencyBonus,
} from "../sheet/character.ts";
import { classLevels, classText, hasClass, levelIn } from "../sheet/class-levels.ts";
import { featureDice } from "../sheet/scaling-formula.ts";
import { spellSlots } from "../sheet/spell-slots.ts";
import { passiveScore } from "./hazards.ts";

interface Part {
  readonly label: string;
  readonly amount: number;
}

export const listFigures = (game: Game): readonly Figure[] => {
  const { edition } = game;
  const figure = (name: string, rule: RuleId, value: string, components: string): Figure => ({
    name,
    value,
    components,
    source: citeRule(rule, edition),
  });
  return [...bodyFigures(game, figure), ...castingFigures(game, figure), ...classFigures(game, figure)];
};

type CreateFigure = (name: string, rule: RuleId, value: string, components: string) => Figure;

const total = (parts: readonly Part[]): number => parts.reduce((sum, { amount }) => sum + amount, 0);

/** "8, Prof +3, INT +4 = 15". */
const formatSum = (base: number, parts: readonly Part[]): string =>
  `${[String(base), ...parts.map(({ label, amount }) => `${label} ${signed(amount)}`)].join(", ")} = ${base + total(parts)}`;

const bodyFigures = (game: Game, figure: CreateFigure): readonly Figure[] => {
  const { player } = game;
  const bonus = proficiencyBonus(player);
  const attacks = Math.max(...[...classLevels(player)].map(([name, level]) => attacksPerAction(name, level)));
  const armor = armorParts(game);
  const perception = passiveScore(game, "Perception");
  return [
    figure("proficiency-bonus", "proficiency-bonus", signed(bonus), `level ${player.level}`),
    figure("armor-class", armor.rule, String(armor.base + total(armor.parts)), formatSum(armor.base, armor.parts)),
    figure("attacks-per-action", "extra-attack", String(attacks), classText(player)),
    unarmedFigure(game, figure),
    figure("passive-perception", "passive-check", String(perception.score), perception.components),
    ...exhaustionFigures(game, figure),
  ];
};

/** One and the Strength modifier; a monk's die and the better of two modifiers, while neither armor nor a shield is in the way. */
const unarmedFigure = ({ player, edition }: Game, figure: CreateFigure): Figure => {
  const strength = abilityModifier(player.stats.strength);
  const dexterity = abilityModifier(player.stats.dexterity);
  if (!usesMartialArts(player)) {
    const parts = [{ label: "STR", amount: strength }];
    return figure("unarmed-damage", "unarmed-strike", String(Math.max(0, 1 + strength)), formatSum(1, parts));
  }
  const die = `1d${martialArtsDie(levelIn(player, "monk"), edition)}`;
  const amount = Math.max(strength, dexterity);
  const modifier = signed(amount);
  const label = dexterity > strength ? "DEX" : "STR";
  return figure(
    "unarmed-damage",
    "martial-arts",
    amount === 0 ? die : `${die}${modifier}`,
    `${die}, ${label} ${modifier}`,
  );
};

/** What exhaustion leaves of hit points and speed; its dice and modifiers are listed with each roll. */
const exhaustionFigures = ({ player, edition }: Game, figure: CreateFigure): readonly Figure[] => {
  const { maxHP } = player;
  const exhaustion = exhaustionLevel(player);
  if (exhaustion === 0) return [];
  const level = `exhaustion level ${exhaustion}`;
  const maximum = hitPointMaximum(player, edition);
  const slowed = edition === "5.2" ? `-${5 * exhaustion} ft` : exhaustion >= 5 ? "0" : exhaustion >= 2 ? "halved" : "";
  return [
    ...(maximum === maxHP
      ? []
      : [figure("hit-point-maximum", "exhaustion", String(maximum), `half of ${maxHP}, ${level}`)]),
    ...(slowed === "" ? [] : [figure("speed", "exhaustion", slowed, level)]),
  ];
};

interface Armor {
  readonly rule: RuleId;
  readonly base: number;
  readonly parts: readonly Part[];
}

/** The highest Armor Class of those that apply. A monk's defence needs empty hands, and in 5.2 a shield needs training. */
const armorParts = ({ player, edition }: Game): Armor => {
  const { armor, armorBase, shield } = player.worn;
  const part = (ability: "dexterity" | "constitution" | "wisdom"): Part => ({
    label: abilityLabel(ability),
    amount: abilityModifier(player.stats[ability]),
  });
  const useful = shield > 0 && (edition === "5.1" || hasShieldTraining(player));
  const held = useful ? [{ label: "Shield", amount: shield }] : [];
  const style = hasFightingStyle(player, "Defense") ? [{ label: "Defense", amount: 1 }] : [];
  const dexterity = part("dexterity");
  switch (armor) {
    case "light":
      return { rule: "armor", base: armorBase, parts: [dexterity, ...style, ...held] };
    case "medium": {
      const capped = { ...dexterity, amount: Math.min(2, dexterity.amount) };
      return { rule: "armor", base: armorBase, parts: [capped, ...style, ...held] };
    }
    case "heavy":
      return { rule: "armor", base: armorBase, parts: [...style, ...held] };
    case "none":
      break;
  }
  const plain: Armor = { rule: "armor", base: 10, parts: [dexterity, ...held] };
  if (feature(player, "Unarmored Defense") === undefined) return plain;
  const monk = hasClass(player, "monk");
  if (monk && shield > 0) return plain;
  const own: Armor = {
    rule: "unarmored-defense",
    base: 10,
    parts: [dexterity, part(monk ? "wisdom" : "constitution"), ...held],
  };
  return total(own.parts) >= total(plain.parts) ? own : plain;
};

const castingFigures = (game: Game, figure: CreateFigure): readonly Figure[] => {
  const { player } = game;
  const ability = player.spellcastingAbility ?? castingAbility(player);
  if (ability === undefined) return [];
  const parts = [
    { label: "Prof", amount: proficiencyBonus(player) },
    { label: abilityLabel(ability), amount: abilityModifier(player.stats[ability]) },
  ];
  const slots = Object.entries(spellSlots(game)).map(([level, count]) => `level ${level}: ${count}`);
  return [
    figure("spell-save-dc", "spell-save-dc", String(8 + total(parts)), formatSum(8, parts)),
    figure("spell-attack", "spell-attack", signed(total(parts)), formatSum(0, parts)),
    figure("cantrip-dice", "cantrip-scaling", `x${cantripTier(player.level)}`, `level ${player.level}`),
    ...(slots.length === 0 ? [] : [figure("spell-slots", "spell-slots", slots.join(", "), classText(player))]),
  ];
};

const classFigures = (game: Game, figure: CreateFigure): readonly Figure[] => {
  const { player, edition } = game;
  const at = classText(player);
  const when = (name: string, make: () => Figure): readonly Figure[] =>
    feature(player, name) === undefined ? [] : [make()];
  const charisma = abilityModifier(player.stats.charisma);
  return [
    ...when("Sneak Attack", () => {
      const { count, sides } = featureDice(player, "Sneak Attack", {
        count: sneakAttackDice(levelIn(player, "rogue")),
        sides: 6,
      });
      return figure("sneak-attack", "sneak-attack", `${count}d${sides}`, at);
    }),
    ...when("Rage", () => figure("rage-damage", "rage", signed(rageDamage(levelIn(player, "barbarian"))), at)),
    ...(edition === "5.1"
      ? when("Brutal Critical", () =>
          figure("brutal-critical", "brutal-critical", `${brutalCriticalDice(levelIn(player, "barbarian"))} dice`, at),
        )
      : []),
    ...when("Martial Arts", () =>
      figure("martial-arts-die", "martial-arts", `d${martialArtsDie(levelIn(player, "monk"), edition)}`, at),
    ),
    ...when("Bardic Inspiration", () =>
      figure("bardic-inspiration-die", "bardic-inspiration", `d${bardicDie(levelIn(player, "bard"))}`, at),
    ),
    ...when("Aura of Protection", () =>
      figure(
        "aura-of-protection",
        "aura-of-protection",
        `${signed(Math.max(1, charisma))} within ${levelIn(player, "paladin") >= 18 ? 30 : 10} ft`,
        `CHA ${signed(charisma)}, at least +1`,
      ),
    ),
  ];
};
