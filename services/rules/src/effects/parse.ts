/**
 * The language of effects, a rule a line: `effect Bless | attack, save | +1d4`. The three columns are what brings it, when it counts and what it changes;
 * our own tables have two more, the id of the rule and the sentence that says why. `services/rules/README.md` has the words.
 *
 * What cannot be read is said by its line, with what was expected. Not here: what a rule does (`apply.ts`).
 */
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import { type Ability, abilities, type DamageType, exact, type Skill, skills } from "@fairlead/contracts/rules";
import { type RuleId, ruleIds } from "../data/catalogue.ts";
import { conditionNames } from "../data/conditions.ts";
import { fold } from "../sheet/names.ts";
import {
  attackWords,
  dangers,
  type EffectAmount,
  type EffectChange,
  type EffectRule,
  type RollTrigger,
  rollKinds,
  type SheetState,
  sourceKinds,
  stateWords,
  variables,
} from "./rule.ts";

/** Where a text cannot be read; `line` is from 1. */
interface EffectProblem {
  readonly line: number;
  readonly message: string;
}

type ParsedEffects =
  | { readonly ok: true; readonly rules: readonly EffectRule[] }
  | { readonly ok: false; readonly problem: EffectProblem };

/** Thrown and caught in this file: a line that cannot be read. */
class LineProblem extends Error {}

/** Reads a text; lines that are empty or begin with `#` say nothing. */
export const parseEffects = (text: string): ParsedEffects => {
  const rules: EffectRule[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    try {
      rules.push(parseLine(line));
    } catch (thrown) {
      if (!(thrown instanceof LineProblem)) throw thrown;
      return { ok: false, problem: { line: index + 1, message: thrown.message } };
    }
  }
  return { ok: true, rules };
};

const includesWord = <T extends string>(words: readonly T[], word: string): word is T =>
  words.some((one) => one === word);

const refuse = (what: string, word: string, known: readonly string[]): LineProblem => {
  const near = didYouMean(fold(word), known);
  const instead = near === undefined ? `one of ${known.slice(0, 12).join(", ")}` : `perhaps \`${near}\``;
  return new LineProblem(`\`${word.slice(0, 40)}\` is not a ${what}: ${instead}`);
};

const parseLine = (line: string): EffectRule => {
  const [from = "", when, what, rule, why, ...more] = line.split("|").map((cell) => cell.trim());
  if (when === undefined || what === undefined || more.length > 0)
    throw new LineProblem("expected `what brings it | when it counts | what it changes`");
  const source = parseSource(from);
  const { change, once, label = source.name } = parseChange(what);
  if (once && source.kind !== "effect") throw new LineProblem("`once` is for an `effect`, which the roll ends");
  const triggers = when.split(",").map((part) => parseTrigger(part.trim()));
  for (const { roll } of triggers) requireUse(roll, change, what);
  return {
    source,
    label,
    triggers,
    change,
    once,
    rule: parseRuleId(rule),
    why: why ?? `${source.name} is at work`,
  };
};

/** What each kind of roll can take; other changes would do nothing to it. */
const uses: Readonly<Record<RollTrigger["roll"], readonly EffectChange["kind"][]>> = {
  attack: ["advantage", "disadvantage", "modifier", "dice", "crit"],
  check: ["advantage", "disadvantage", "modifier", "dice", "failure", "floor"],
  save: ["advantage", "disadvantage", "modifier", "dice", "failure"],
  initiative: ["advantage", "disadvantage", "modifier", "dice"],
  hit: ["modifier", "dice"],
  attacked: ["advantage", "disadvantage"],
  armor: ["modifier", "least"],
  damage: ["modifier", "resistance", "vulnerability", "immunity"],
};

const requireUse = (roll: RollTrigger["roll"], change: EffectChange, written: string): void => {
  const isDamage = roll === "hit";
  const isTyped = (change.kind === "dice" || change.kind === "modifier") && change.damageType !== undefined;
  const isNoDamage = change.kind === "dice" && (change.sign < 0 || change.when === "on-failure");
  if (!uses[roll].includes(change.kind) || (isDamage ? isNoDamage : isTyped))
    throw new LineProblem(`\`${written.slice(0, 40)}\` does nothing to a roll of the kind \`${roll}\``);
};

const parseRuleId = (written: string | undefined): RuleId => {
  const found = ruleIds.find((id) => id === (written ?? "house-rule"));
  if (found === undefined) throw refuse("rule", written ?? "", ruleIds);
  return found;
};

const parseSource = (written: string): EffectRule["source"] => {
  const [kind = "", ...rest] = written.split(" ");
  if (!includesWord(sourceKinds, kind)) throw refuse("kind of source", kind, sourceKinds);
  const name = rest.join(" ").trim();
  if (name === "" || name.length > 80)
    throw new LineProblem(`expected a name of at most 80 characters after \`${kind}\``);
  return { kind, name };
};

/** Names of several words, as one word. */
const joined = (name: string): string => name.toLowerCase().replaceAll(" ", "-");
const longNames = skills
  .filter((name) => name.includes(" "))
  .map((name) => [name.toLowerCase(), joined(name)] as const);
const skillWords: ReadonlyMap<string, Skill> = new Map(skills.map((name) => [joined(name), name]));
const abilityGroups: Readonly<Record<string, readonly Ability[]>> = {
  ...Object.fromEntries(abilities.map((ability) => [ability, [ability]])),
  physical: ["strength", "dexterity", "constitution"],
  mental: ["intelligence", "wisdom", "charisma"],
};
const plainWords = [
  ...(["5.1", "5.2", "against", "skilled", "proficient", "untrained", "targeted", "chosen", "nonmagical"] as const),
  ...(["if", "unless"] as const),
];
const triggerWords = [
  ...[...rollKinds, ...plainWords, ...attackWords, ...Object.keys(abilityGroups), ...skillWords.keys()],
  ...exact.damageType.options,
];

const parseTrigger = (written: string): RollTrigger => {
  let text = fold(written);
  for (const [name, word] of longNames) text = text.replace(name, word);
  const { head, all, none } = splitStates(text);
  const words = head.split(" ").filter((word) => word !== "");
  const found = {
    edition: undefined as RollTrigger["edition"],
    against: undefined as RollTrigger["against"],
    roll: undefined as RollTrigger["roll"] | undefined,
    abilities: [] as Ability[],
    skills: [] as Skill[],
    attack: [] as RollTrigger["attack"][number][],
    damageTypes: [] as DamageType[],
    flags: new Set<string>(),
  };
  for (const [index, word] of words.entries()) {
    const skill = skillWords.get(word);
    const group = Object.hasOwn(abilityGroups, word) ? abilityGroups[word] : undefined;
    if (words[index - 1] === "against") {
      if (!includesWord(dangers, word)) throw refuse("danger", word, dangers);
      found.against = word;
    } else if (word === "5.1" || word === "5.2") found.edition = word;
    else if (includesWord(rollKinds, word)) {
      if (found.roll !== undefined)
        throw new LineProblem(`expected one kind of roll in \`${written}\`; a comma begins another`);
      found.roll = word;
    } else if (includesWord(attackWords, word)) found.attack.push(word);
    else if (includesWord(damageTypes, word)) found.damageTypes.push(word);
    else if (skill !== undefined) found.skills.push(skill);
    else if (group !== undefined) found.abilities.push(...group);
    else if (includesWord(plainWords, word) && word !== "if" && word !== "unless") found.flags.add(word);
    else throw refuse("word for a roll", word, triggerWords);
  }
  if (found.roll === undefined) throw new LineProblem(`expected one of ${rollKinds.join(", ")} in \`${written}\``);
  if (found.flags.has("against") && found.against === undefined)
    throw new LineProblem(`expected one of ${dangers.join(", ")} after \`against\``);
  const { flags, roll, ...rest } = found;
  const ofDamage = found.damageTypes.length > 0 || flags.has("chosen") || flags.has("nonmagical");
  if (ofDamage && roll !== "damage")
    throw new LineProblem(`types of damage, \`chosen\` and \`nonmagical\` are for \`damage\`, not \`${roll}\``);
  return {
    ...rest,
    roll,
    skilled: flags.has("skilled"),
    proficient: flags.has("proficient") ? true : flags.has("untrained") ? false : undefined,
    targeted: flags.has("targeted"),
    chosen: flags.has("chosen"),
    nonmagical: flags.has("nonmagical"),
    all,
    none,
  };
};

/** "strength save if raging unless blinded or exhaustion 5": the roll, and the states on both sides. */
const splitStates = (text: string): { head: string; all: readonly SheetState[]; none: readonly SheetState[] } => {
  const [before = "", without, ...otherwise] = text.split(" unless ");
  const [head = "", only, ...also] = before.split(" if ");
  if (also.length > 0) throw new LineProblem("expected one `if`; write `and` between states");
  if (otherwise.length > 0) throw new LineProblem("expected one `unless`; write `or` between states");
  return {
    head,
    all: only === undefined ? [] : only.split(" and ").map(parseState),
    none: without === undefined ? [] : without.split(" or ").map(parseState),
  };
};

const stateNames = [...stateWords, ...conditionNames.map((name) => name.toLowerCase()), "exhaustion"];

const parseState = (written: string): SheetState => {
  const word = written.trim();
  const level = /^exhaustion ([1-6])$/.exec(word)?.[1];
  if (level !== undefined) return { kind: "exhaustion", level: Number(level) };
  if (includesWord(stateWords, word)) return { kind: "is", word };
  const condition = conditionNames.find((name) => fold(name) === word);
  if (condition === undefined) throw refuse("state of a character", word, stateNames);
  return { kind: "condition", name: condition };
};

const damageTypes: readonly DamageType[] = exact.damageType.options;

interface ParsedChange {
  readonly change: EffectChange;
  readonly once: boolean;
  readonly label?: string;
}

/** "+1d4 once", "+charisma at least 1 as Aura", "disadvantage", "crit 19", "low rolls count as 10". */
const parseChange = (written: string): ParsedChange => {
  const [spelled = "", label] = written.split(" as ", 2);
  const isFloor = fold(written) === "low rolls count as 10";
  let text = fold(isFloor ? written : spelled);
  const once = text.endsWith(" once");
  if (once) text = text.slice(0, -" once".length);
  const onFailure = text.endsWith(" on failure");
  if (onFailure) text = text.slice(0, -" on failure".length);
  const change = isFloor ? ({ kind: "floor" } as const) : parsePlainChange(text, onFailure ? "on-failure" : "always");
  if (onFailure && change.kind !== "dice") throw new LineProblem("`on failure` is for dice");
  return { change, once, ...(label !== undefined && !isFloor && { label: label.trim() }) };
};

const plainChanges = ["advantage", "disadvantage", "failure", "resistance", "vulnerability", "immunity"] as const;

const parsePlainChange = (text: string, when: "always" | "on-failure"): EffectChange => {
  if (includesWord(plainChanges, text)) return { kind: text };
  const least = /^at least ([1-9]\d?)$/.exec(text)?.[1];
  if (least !== undefined) return { kind: "least", number: Number(least) };
  const crit = /^crit (18|19)$/.exec(text)?.[1];
  if (crit !== undefined) return { kind: "crit", from: crit === "18" ? 18 : 19 };
  const [number = "", ...rest] = text.split(" ");
  const damageType = damageTypes.find((type) => type === rest.at(-1));
  const dice = /^([+-])([1-9]\d?)d([1-9]\d{0,2}|x)$/.exec(number);
  if (dice !== null && (rest.length === 0 || (rest.length === 1 && damageType !== undefined))) {
    const [, sign, count, sides] = dice;
    return {
      kind: "dice",
      sign: sign === "-" ? -1 : 1,
      count: Number(count),
      sides: sides === "x" ? "own" : Number(sides),
      when,
      damageType,
    };
  }
  const amount = parseAmount(damageType === undefined ? text : text.slice(0, -damageType.length).trim());
  if (amount === undefined)
    throw new LineProblem(
      `\`${text.slice(0, 40)}\` is not a change: expected advantage, disadvantage, failure, resistance, vulnerability, immunity, dice like +1d4, a number like +2 or +proficiency, crit 19, at least 16, or low rolls count as 10`,
    );
  return { kind: "modifier", amount, damageType };
};

/** "+2", "-2 per exhaustion", "+half proficiency", "+charisma at least 1". */
const parseAmount = (text: string): EffectAmount | undefined => {
  const match = /^([+-])(?:([1-9]\d?)(?: per ([a-z]+))?|(half )?([a-z]+)(?: at least ([1-9]))?)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, number, per, half, named, least] = match;
  const factor = sign === "-" ? -1 : 1;
  const of = per ?? named;
  if (of !== undefined && !includesWord(variables, of) && !includesWord(abilities, of)) return undefined;
  return {
    times: factor * Number(number ?? 1),
    of,
    halved: half !== undefined,
    least: least === undefined ? undefined : Number(least),
  };
};
