/**
 * Reads numbers, dice and tags out of the sentences of a stat block, as both editions write them. Nothing of the sentences is kept.
 *
 * Not here: the files they come from (`monsters.ts`).
 */
import { type Ability, abilities, type DamageType } from "@fairlead/contracts/rules";
import type { LegendaryAction, MonsterAttack, MonsterDamage, MonsterEffect, MonsterMark } from "../data/monster-row.ts";

const attackWords = /(Melee or Ranged|Melee|Ranged) (?:(?:Weapon|Spell) )?Attack(?: Roll)?: ([+-]\d+)/;
const damageWords =
  /\b(\d+)(?: \((\d+d\d+)(?: ?([+\-−–]) ?(\d+))?\))? (?:magical )?(?:(acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder) )?damage/i;

/** Where the damage of an attack begins: behind "Hit:", or in 5.2 behind its reach or range. */
const damageText = (text: string): string => {
  const hit = text.indexOf("Hit:");
  if (hit >= 0) return text.slice(hit);
  const distance = /(?:ft|feet)\.,? (?=\d)/.exec(text);
  return distance === null ? text : text.slice(distance.index + distance[0].length);
};

const kinds = { melee: "melee", ranged: "ranged", "melee or ranged": "both" } as const;

/** A named boundary: the expression matches names of damage types alone. */
const damageType = (written: string | undefined): DamageType | undefined =>
  written === undefined ? undefined : (written.toLowerCase() as DamageType);

const readDamage = (text: string): MonsterDamage | undefined => {
  const match = damageWords.exec(text);
  if (match === null) return undefined;
  const [, average = "", dice, sign, flat, type] = match;
  const written = damageType(type);
  return {
    dice: dice === undefined ? average : flat === undefined ? dice : `${dice}${sign === "+" ? "+" : "-"}${flat}`,
    average: Number(average),
    ...(written !== undefined && { type: written }),
  };
};

/** The attack that the text of an action describes. */
export const readAttack = (name: string, text: string): MonsterAttack | undefined => {
  const match = attackWords.exec(text);
  if (match === null) return undefined;
  const [, kind = "", hit = ""] = match;
  const after = damageText(text.slice(match.index));
  const sentence = after.split(/\. |\.$|, or | or (?=\d)/)[0] ?? "";
  const damage = sentence.split(/,? plus |,? and (?=\d+ \()/).flatMap((part) => readDamage(part) ?? []);
  return {
    name: withoutNote(name),
    kind: kinds[kind.toLowerCase() as keyof typeof kinds],
    hit: Number(hit),
    damage,
  };
};

const saveWords = [
  /\bDC (\d+) (Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) saving throw/,
  /(Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) Saving Throw: DC (\d+)/,
];

const isAbility = (written: string): written is Ability => abilities.some((ability) => ability === written);

/** What makes others save, by the first saving throw of the text; damage only where the save is what it depends on. */
export const readEffect = (name: string, text: string): MonsterEffect | undefined => {
  const match = saveWords.map((words) => words.exec(text)).find((found) => found !== null);
  if (match === undefined || match === null) return undefined;
  const parts = [match[1] ?? "", match[2] ?? ""].map((part) => part.toLowerCase());
  const ability = parts.find(isAbility);
  const dc = Number(parts.find((part) => /^\d+$/.test(part)));
  if (ability === undefined) return undefined;
  const sentence = text.slice(match.index).split(/\. (?!Failure|Success)/)[0] ?? "";
  const rest = /Failure: ([^.]*)/.exec(text.slice(match.index))?.[1] ?? sentence;
  const damage = readDamage(rest);
  const leaves = readLeaves(rest, text);
  const recharge = /Recharge (\d)/.exec(name)?.[1];
  return {
    name: withoutNote(name),
    ability,
    dc,
    ...(damage?.dice.includes("d") === true && { damage }),
    onSuccess: /half as much damage|Success: Half damage/i.test(text) ? "half" : "none",
    ...(recharge !== undefined && { recharge: Number(recharge) }),
    ...(leaves.length > 0 && { leaves }),
  };
};

const conditionWords =
  /\b(?:be|become|becomes|is|are|and|knocked|has the) (blinded|charmed|deafened|frightened|grappled|incapacitated|paralyzed|petrified|poisoned|prone|restrained|stunned|unconscious)\b/g;

/** Where the sentence says how long; "its" is the creature's that saves. */
const untilWords = [
  [/for 1 minute\b/, "minute"],
  [/until the start of (?:its|their) next turn/, "own start"],
  [/until the end of (?:its|their) next turn/, "own end"],
  [/until the start of the [a-z ]{1,30}'s next turn/, "start"],
  [/until the end of the [a-z ]{1,30}'s next turn/, "end"],
] as const satisfies readonly (readonly [RegExp, MonsterMark["until"]])[];

/** The conditions of a failed save. */
const readLeaves = (failed: string, text: string): readonly MonsterMark[] => {
  const words = (failed.split(/\.\s/)[0] ?? "").toLowerCase();
  const names = [...words.matchAll(conditionWords)].map(([, name = ""]) => `${name[0]?.toUpperCase()}${name.slice(1)}`);
  const stated = untilWords.find(([pattern]) => pattern.test(words))?.[1];
  const until = stated ?? (/after 1 minute/i.test(text) ? "minute" : undefined);
  const again = until === "minute" && /repeats? the sav/.test(text.toLowerCase());
  return [...new Set(names)].map((name) => ({
    name,
    ...(until !== undefined && name !== "Prone" && { until }),
    ...(again && name !== "Prone" && { again: true as const }),
  }));
};

/** A legendary action: an attack of the block, or a save, or neither. */
export const readLegendary = (
  { name, text, cost }: { readonly name: string; readonly text: string; readonly cost: number },
  attacks: readonly MonsterAttack[],
): LegendaryAction => {
  const words = text.toLowerCase();
  const attack =
    attacks.find((one) => one.name === name) ??
    attacks.find((one) => {
      const own = one.name.toLowerCase();
      return words.includes(`${own} attack`) || words.includes(`attack with its ${own}`);
    });
  const effect = attack === undefined ? readEffect(name, text) : undefined;
  return {
    name,
    ...(cost > 1 && { cost }),
    ...(attack !== undefined && { attack: attack.name }),
    ...(effect !== undefined && { effect }),
    ...(words.includes("take this action again until the start of its next turn") && { once: true }),
  };
};

const counts: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
};

/** Attacks of a Multiattack: "makes three attacks: one with ...", or "makes one Bite attack and two Claw attacks". Of alternatives the first counts. */
export const readMultiattack = (text: string): number => {
  const makes = /\bmakes? (.*?)(?:\.|$)/s.exec(text)?.[1] ?? "";
  const first = makes.split(/, or | or (?=(?:one|two|three|four|five|six) )/)[0] ?? "";
  const stated = /^(one|two|three|four|five|six|seven|eight) (?:[\w-]+ )*attacks?:/.exec(first)?.[1];
  if (stated !== undefined) return counts[stated] ?? 1;
  let sum = 0;
  for (const phrase of first.split(/[^\w' -]/)) {
    let count: number | undefined;
    for (const word of phrase.split(" ")) {
      if (word === "attack" || word === "attacks") {
        sum += count ?? 0;
        count = undefined;
      } else count ??= counts[word];
    }
  }
  return Math.max(1, sum);
};

/** "Bite" of "Bite (Bear Form Only)". */
const withoutNote = (name: string): string => {
  const at = name.indexOf(" (");
  return at >= 0 && name.endsWith(")") ? name.slice(0, at) : name;
};
