/**
 * What the effects at work do to one roll of the character: causes, numbers, dice, and what ends with it. Pure.
 *
 * Not here: the rules themselves (`table.ts`, and a table's own in `rulings.houseRules`), and rolls of creatures.
 */
import type { Ability, Change, DamageType, Game, Npc, Player, Skill } from "@fairlead/contracts/rules";
import { Refusal } from "../result/refusal.ts";
import type { Cause } from "../result/trace.ts";
import {
  abilityModifier,
  exhaustionLevel,
  hasCondition,
  incapacitatingCondition,
  isAimedAt,
  isUnconscious,
  proficiencyBonus,
} from "../sheet/character.ts";
import { fold } from "../sheet/names.ts";
import { rageHelps } from "../sheet/rage.ts";
import { parseEffects } from "./parse.ts";
import type { attackWords, dangers, EffectAmount, EffectRule, RollTrigger, rollKinds, SheetState } from "./rule.ts";
import { isChosen, type SourceEntry, sourceEntries } from "./source-entry.ts";
import { srdEffects } from "./table.ts";

/** The roll that is asked about. What is left out fits only rules that do not ask for it. */
export interface RollFacts {
  readonly roll: (typeof rollKinds)[number];
  readonly ability?: Ability | undefined;
  readonly skill?: Skill | undefined;
  readonly proficient?: boolean;
  readonly attack?: readonly (typeof attackWords)[number][];
  readonly target?: Npc;
  readonly damageType?: DamageType | undefined;
  /** Of the types of damage that one blow deals. */
  readonly first?: boolean;
  /** The blow is of a weapon that is not magical. */
  readonly byPlainWeapon?: boolean;
  /** What a save is against, in the caller's words. */
  readonly source?: string | undefined;
}

interface EffectModifier extends Cause {
  readonly label: string;
  readonly amount: number;
}

interface EffectDie extends Cause {
  readonly label: string;
  readonly sides: number;
  readonly sign: 1 | -1;
  readonly when: "always" | "on-failure";
}

interface EffectDamage {
  readonly label: string;
  readonly count: number;
  readonly sides: number;
  readonly amount: number;
  /** `undefined`: that of the attack. */
  readonly damageType: DamageType | undefined;
  readonly cause: Cause;
}

/** What is at work, in the order of the tables. */
export interface RollEffects {
  readonly advantages: readonly Cause[];
  readonly disadvantages: readonly Cause[];
  readonly modifiers: readonly EffectModifier[];
  readonly bonusDice: readonly EffectDie[];
  /** Damage of a hit. */
  readonly damage: readonly EffectDamage[];
  /** Effects that end when a die of that purpose is rolled. */
  readonly ends: readonly { readonly label: string; readonly change: Change }[];
  readonly failure: Cause | undefined;
  /** Of damage that is taken. */
  readonly resistance: Cause | undefined;
  readonly vulnerability: Cause | undefined;
  readonly immunity: Cause | undefined;
  readonly floor: Cause | undefined;
  readonly crit: { readonly from: 18 | 19; readonly cause: Cause } | undefined;
  /** The Armor Class is no lower. */
  readonly least: { readonly number: number; readonly cause: Cause } | undefined;
}

export const noEffects: RollEffects = {
  ...{ advantages: [], disadvantages: [], modifiers: [], bonusDice: [], damage: [], ends: [] },
  ...{ failure: undefined, floor: undefined, crit: undefined, least: undefined },
  ...{ resistance: undefined, vulnerability: undefined, immunity: undefined },
};

/** Of every roll; refuses with `bad_house_rule`. */
export const effectsOn = (game: Game, facts: RollFacts): RollEffects => {
  const found = [...srdEffects, ...ownEffects(game.rulings)].flatMap((rule) => {
    const entries = sourceEntries(game, rule);
    const fitting = entries.filter((entry) =>
      rule.triggers.some((trigger) => fits(game, facts, trigger, entry) && hitsType(facts, trigger, rule)),
    );
    return fitting.length === 0 ? [] : [{ rule, entries: fitting, cause: toCause(game, rule) }];
  });
  return collect(game, facts, found);
};

interface ActiveRule {
  readonly rule: EffectRule;
  /** The entries of the sheet that bring it. */
  readonly entries: readonly SourceEntry[];
  readonly cause: Cause;
}

const parsedRulings = new WeakMap<Game["rulings"], readonly EffectRule[]>();

/** The table's own rules, parsed once for a game. */
const ownEffects = (rulings: Game["rulings"]): readonly EffectRule[] => {
  const { houseRules } = rulings;
  if (houseRules === undefined) return [];
  const known = parsedRulings.get(rulings);
  if (known !== undefined) return known;
  const parsed = parseEffects(houseRules);
  if (!parsed.ok) {
    const { line, message } = parsed.problem;
    throw new Refusal("bad_house_rule", `line ${line} of \`rulings.houseRules\`: ${message}`, {
      line,
      problem: message,
    });
  }
  parsedRulings.set(rulings, parsed.rules);
  return parsed.rules;
};

/** Names that the rules of a game know, of each kind of source. */
export const effectNames = (kind: EffectRule["source"]["kind"], rulings?: Game["rulings"]): readonly string[] =>
  [...srdEffects, ...(rulings === undefined ? [] : ownEffects(rulings))]
    .filter(({ source }) => source.kind === kind)
    .map(({ source }) => source.name);

const fits = (game: Game, facts: RollFacts, trigger: RollTrigger, entry: SourceEntry): boolean => {
  const { ability, skill, attack = [], target } = facts;
  return (
    (trigger.roll === facts.roll || (facts.roll === "initiative" && trigger.roll === "check")) &&
    (trigger.edition === undefined || trigger.edition === game.edition) &&
    (trigger.abilities.length === 0 || (ability !== undefined && trigger.abilities.includes(ability))) &&
    (trigger.skills.length === 0 || (skill !== undefined && trigger.skills.includes(skill))) &&
    trigger.attack.every((word) => attack.includes(word)) &&
    (trigger.against === undefined || isAgainst(game, facts, trigger.against)) &&
    (!trigger.chosen || isChosen(facts.damageType, entry)) &&
    (!trigger.nonmagical || facts.byPlainWeapon === true) &&
    (!trigger.skilled || (skill !== undefined && (entry.skill === undefined || entry.skill === skill))) &&
    (trigger.proficient === undefined || trigger.proficient === facts.proficient) &&
    (!trigger.targeted || (target !== undefined && isAimedAt(target)(entry))) &&
    trigger.all.every((state) => holds(game, state)) &&
    !trigger.none.some((state) => holds(game, state))
  );
};

/** Of what damage is taken; without a type a number counts once for a blow. */
const hitsType = (
  { roll, damageType, first = true }: RollFacts,
  { damageTypes, chosen }: RollTrigger,
  { change }: EffectRule,
): boolean =>
  roll !== "damage" ||
  chosen ||
  (damageTypes.length === 0
    ? first || change.kind !== "modifier"
    : damageType !== undefined && damageTypes.includes(damageType));

const dangerWords: Readonly<Record<(typeof dangers)[number], RegExp>> = {
  poison: /\b(?:poison|venom|toxi)/,
  charm: /\bcharm/,
  fear: /\b(?:fear|fright|terr)/,
  disease: /\b(?:disease|sickness|plague)/,
  magic: /\b(?:magic|spell)/,
};

const isAgainst = ({ scene }: Game, { source = "" }: RollFacts, danger: (typeof dangers)[number]): boolean =>
  (danger === "magic" && scene.magical) ||
  (danger === "poison" && scene.incoming?.damageType === "poison") ||
  (danger !== "magic" && dangerWords[danger].test(fold(source)));

const holds = (game: Game, state: SheetState): boolean => {
  const { player, scene } = game;
  if (state.kind === "exhaustion") return exhaustionLevel(player) >= state.level;
  if (state.kind === "condition") return hasCondition(player, state.name);
  switch (state.word) {
    case "raging":
      return rageHelps(game);
    case "incapacitated":
      return incapacitatingCondition(player) !== undefined;
    case "unconscious":
      return isUnconscious(player);
    case "inspired":
      return scene.spendInspiration;
    case "unarmored":
      return player.worn.armor === "none";
    case "armored":
      return player.worn.armor !== "none";
  }
};

const toCause = ({ player }: Game, { rule, why }: EffectRule): Cause => ({
  rule,
  why: why.replace("{name}", player.name).replace("{exhaustion}", String(exhaustionLevel(player))),
});

const readAmount = ({ player }: Game, { times, of, halved, least }: EffectAmount, entry: SourceEntry): number => {
  const number = of === undefined ? 1 : sheetNumber(player, of, entry);
  const counted = halved ? Math.floor(number / 2) : number;
  return times * (least === undefined ? counted : Math.max(least, counted));
};

const sheetNumber = (player: Player, of: NonNullable<EffectAmount["of"]>, entry: SourceEntry): number => {
  switch (of) {
    case "proficiency":
      return proficiencyBonus(player);
    case "level":
      return player.level;
    case "exhaustion":
      return exhaustionLevel(player);
    case "bonus":
      return entry.bonus ?? 0;
    default:
      return abilityModifier(player.stats[of]);
  }
};

/** What the d20s of each roll are for, as its dice say. */
const purposes = {
  attack: "attack roll",
  check: "ability check",
  save: "saving throw",
  initiative: "initiative",
  hit: "attack roll",
  attacked: "attack roll",
  armor: "armor class",
  damage: "damage",
} as const satisfies Record<RollFacts["roll"], string>;

/** Dice and numbers of a hit, and those of another type of damage, are added; of two alike the best counts. */
const damageKey = ({ label, change }: EffectRule): string =>
  JSON.stringify([label, change.kind, "damageType" in change ? change.damageType : undefined]);

const averageTwice = (dice: readonly EffectDie[] = []): number => dice.reduce((sum, { sides }) => sum + sides + 1, 0);

const collect = (game: Game, facts: RollFacts, active: readonly ActiveRule[]): RollEffects => {
  const { player } = game;
  const advantages: Cause[] = [];
  const disadvantages: Cause[] = [];
  const modifiers = new Map<string, EffectModifier>();
  const dice = new Map<string, readonly EffectDie[]>();
  const damage = new Map<string, EffectDamage>();
  const ends: { label: string; change: Change }[] = [];
  let [failure, floor, crit]: [RollEffects["failure"], RollEffects["floor"], RollEffects["crit"]] = [
    undefined,
    undefined,
    undefined,
  ];
  let least: RollEffects["least"];
  const defence: { resistance?: Cause; vulnerability?: Cause; immunity?: Cause } = {};
  for (const { rule, entries, cause } of active) {
    const { change, label, once } = rule;
    const [entry] = entries;
    if (entry === undefined) continue;
    if (once) {
      const ended = { who: player.name, field: entry.field ?? "effects", op: "remove", value: entry.name } as const;
      const why = `${entry.name} ends with this roll`;
      ends.push({ label: change.kind === "dice" ? label : purposes[facts.roll], change: { ...ended, why } });
    }
    switch (change.kind) {
      case "advantage":
        advantages.push(cause);
        break;
      case "disadvantage":
        disadvantages.push(cause);
        break;
      case "failure":
        failure ??= cause;
        break;
      case "resistance":
      case "vulnerability":
      case "immunity":
        defence[change.kind] ??= cause;
        break;
      case "floor":
        floor ??= cause;
        break;
      case "crit":
        if (crit === undefined || change.from < crit.from) crit = { from: change.from, cause };
        break;
      case "least":
        if (least === undefined || change.number > least.number) least = { number: change.number, cause };
        break;
      case "dice": {
        const sides = change.sides === "own" ? (entry.die ?? 6) : change.sides;
        const { count, damageType } = change;
        if (facts.roll !== "hit") {
          const die: EffectDie = { label, sides, sign: change.sign, when: change.when, ...cause };
          if (averageTwice(dice.get(label)) < count * (sides + 1))
            dice.set(
              label,
              Array.from({ length: count }, () => die),
            );
          break;
        }
        const key = damageKey(rule);
        const before = damage.get(key);
        if (before === undefined || before.count * (before.sides + 1) < count * (sides + 1))
          damage.set(key, { label, count, sides, amount: 0, damageType, cause });
        break;
      }
      case "modifier": {
        const amount = Math.max(...entries.map((one) => readAmount(game, change.amount, one)));
        const key = damageKey(rule);
        const before = facts.roll === "hit" ? damage.get(key) : modifiers.get(label);
        if (before !== undefined && Math.abs(before.amount) >= Math.abs(amount)) break;
        if (facts.roll === "hit")
          damage.set(key, { label, count: 0, sides: 0, amount, damageType: change.damageType, cause });
        else modifiers.set(label, { label, amount, ...cause });
        break;
      }
    }
  }
  return {
    ...{ resistance: defence.resistance, vulnerability: defence.vulnerability, immunity: defence.immunity },
    ...{ advantages, disadvantages, ends, failure, floor, crit, least },
    modifiers: [...modifiers.values()],
    bonusDice: [...dice.values()].flat(),
    damage: [...damage.values()],
  };
};
