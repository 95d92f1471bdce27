/**
 * Writes `gen/monsters-5.1.ts` and `gen/monsters-5.2.ts` from a local checkout of open5e-api: `npm run import -w services/rules -- <checkout>`. Its SRD data
 * is CC-BY-4.0 (NOTICE). Names, numbers, dice and tags are taken; descriptions are not.
 *
 * Not here: reading the sentences of a stat block (`stat-block.ts`).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Ability, abilities, type DamageType, type Skill, skills } from "@fairlead/contracts/rules";
import * as z from "zod";
import { type MonsterRow, type SenseName, senseNames } from "../data/monster-row.ts";
import { readAttack, readEffect, readLegendary, readMultiattack } from "./stat-block.ts";

const number = z.number().nullish();
const creatureFields = z.looseObject({
  name: z.string(),
  challenge_rating: z.string(),
  type: z.string(),
  size: z.enum(["tiny", "small", "medium", "large", "huge", "gargantuan"]),
  armor_class: z.int(),
  hit_points: z.int(),
  hit_dice: z.string().nullable(),
  initiative_bonus: number,
  nonmagical_attack_resistance: z.boolean(),
  nonmagical_attack_immunity: z.boolean(),
  damage_resistances: z.array(z.string()),
  damage_vulnerabilities: z.array(z.string()),
  damage_immunities: z.array(z.string()),
  damage_resistances_display: z.string(),
  damage_immunities_display: z.string(),
});
const creatures = z.array(z.object({ pk: z.string(), fields: creatureFields }));
type CreatureFields = z.output<typeof creatureFields>;

const texts = z.array(
  z.object({
    fields: z.looseObject({
      name: z.string(),
      desc: z.string(),
      parent: z.string(),
      action_type: z.string().optional(),
      order_in_statblock: number,
      uses_type: z.string().nullish(),
      uses_param: number,
      legendary_action_cost: number,
    }),
  }),
);
type BlockText = z.output<typeof texts>[number]["fields"];

const modifier = (score: number): number => Math.floor((score - 10) / 2);

const numberAt = (fields: CreatureFields, key: string): number | undefined => {
  const value = fields[key];
  return typeof value === "number" ? value : undefined;
};

const physical: readonly string[] = ["bludgeoning", "piercing", "slashing"];

/** Damage types of a list, without those that a word about nonmagical attacks covers. */
const typeList = (names: readonly string[], covered: boolean): DamageType[] =>
  names.filter((name) => !covered || !physical.includes(name)) as DamageType[];

/** A name without the note in parentheses after it, such as "(Hybrid Form Only)". */
const withoutNote = (name: string): string => (name.endsWith(")") ? (name.split(" (", 1)[0] ?? name) : name);

const unlessEmpty = <K extends string, V extends readonly unknown[] | object>(key: K, value: V) =>
  (Object.keys(value).length === 0 ? {} : { [key]: value }) as { readonly [P in K]?: V };

/** Ranges in feet; what stands in the text "blind beyond" is no sense. */
const readSenses = (fields: CreatureFields): Readonly<Partial<Record<SenseName, number>>> =>
  Object.fromEntries(
    senseNames.flatMap((sense) => {
      const range = numberAt(fields, `${sense}_range`);
      return range === undefined || range === 0 ? [] : [[sense, range] as const];
    }),
  );

const readMonster = (
  fields: CreatureFields,
  actions: readonly BlockText[],
  traits: readonly BlockText[],
): MonsterRow => {
  const score = (ability: Ability): number => numberAt(fields, `ability_score_${ability}`) ?? 10;
  const [strength, dexterity, constitution, intelligence, wisdom, charisma] = abilities.map(score);
  const proficiency = Math.max(2, Math.ceil(Number(fields.challenge_rating) / 4) + 1);
  const saves = abilities.flatMap((ability) => {
    const bonus = numberAt(fields, `saving_throw_${ability}`);
    const own = modifier(score(ability));
    const isListed = bonus === own + proficiency || (bonus !== 0 && (bonus ?? own) > own);
    return bonus === undefined || !isListed ? [] : [[ability, bonus] as const];
  });
  const skillBonuses = skills.flatMap((skill: Skill) => {
    const bonus = numberAt(fields, `skill_bonus_${skill.toLowerCase().replaceAll(" ", "_")}`);
    return bonus === undefined ? [] : [[skill, bonus] as const];
  });
  const multi = actions.find(({ name }) => name.startsWith("Multiattack"));
  const attacksPerAction = multi === undefined ? 1 : readMultiattack(multi.desc);
  const own = actions.filter(({ action_type: type = "ACTION" }) => type !== "LEGENDARY_ACTION");
  const attacks = own.flatMap(({ name, desc }) => readAttack(name, desc) ?? []);
  const effects = own.flatMap((action) => {
    if (readAttack(action.name, action.desc) !== undefined) return [];
    const recharge = action.uses_type === "RECHARGE_ON_ROLL" ? ` (Recharge ${action.uses_param})` : "";
    return readEffect(`${withoutNote(action.name)}${recharge}`, action.desc) ?? [];
  });
  const legendary = actions
    .filter(({ action_type: type }) => type === "LEGENDARY_ACTION")
    .map(({ name, desc, legendary_action_cost: cost }) =>
      readLegendary({ name: withoutNote(name), text: desc, cost: cost ?? 1 }, attacks),
    );
  const resistance = traits
    .map(({ name }) => /^Legendary Resistance \((\d{1,2})\/Day/.exec(name)?.[1])
    .find((uses) => uses !== undefined);
  const {
    nonmagical_attack_resistance: resists,
    nonmagical_attack_immunity: immune,
    initiative_bonus: initiative,
  } = fields;
  const metal = (["silvered", "adamantine"] as const).find((name) =>
    `${fields.damage_resistances_display} ${fields.damage_immunities_display}`.includes(name),
  );
  return {
    name: fields.name,
    cr: Number(fields.challenge_rating),
    type: fields.type,
    size: fields.size,
    ac: fields.armor_class,
    hp: fields.hit_points,
    hitDice: (fields.hit_dice ?? "").replaceAll(" ", "").replace("−", "-"),
    stats: [strength ?? 10, dexterity ?? 10, constitution ?? 10, intelligence ?? 10, wisdom ?? 10, charisma ?? 10],
    ...unlessEmpty("saves", Object.fromEntries(saves)),
    ...unlessEmpty("skills", Object.fromEntries(skillBonuses)),
    ...(typeof initiative === "number" && initiative !== modifier(dexterity ?? 10) && { initiative }),
    ...unlessEmpty("resistances", typeList(fields.damage_resistances, resists)),
    ...unlessEmpty("vulnerabilities", typeList(fields.damage_vulnerabilities, false)),
    ...unlessEmpty("immunities", typeList(fields.damage_immunities, immune)),
    ...(metal !== undefined && { unless: metal }),
    ...(immune ? { nonmagical: "immunity" as const } : resists ? { nonmagical: "resistance" as const } : {}),
    ...(attacksPerAction > 1 && { attacksPerAction }),
    ...unlessEmpty("senses", readSenses(fields)),
    ...unlessEmpty("traits", [...new Set(traits.map(({ name }) => withoutNote(name)))]),
    ...unlessEmpty("attacks", attacks),
    ...unlessEmpty("effects", effects),
    ...unlessEmpty("legendary", legendary),
    ...(resistance !== undefined && { legendaryResistance: Number(resistance) }),
  };
};

/**
 * Where the data is not what the SRD prints. Those of 5.1 are from the text of the SRD 5.1 (OldManUmby/DND.SRD.Wiki, BTMorton/dnd-5e-srd) and agree with Foundry's SRD
 * content; the Octopus of 5.2, whose block has modifiers for scores, is from Foundry's SRD 5.2 content alone. A donkey has no block of its own: the SRD 5.1 lists
 * "Donkey or mule" among its mounts, so it has a mule's numbers.
 */
const corrections: Readonly<Record<string, Readonly<Record<string, Partial<MonsterRow>>>>> = {
  "srd-2014": {
    "Chain Devil": { cr: 8 },
    Donkey: { cr: 0.125, hitDice: "2d8+2" },
    "Elf, Drow": { cr: 0.25, hitDice: "3d8" },
    "Gnome, Deep (Svirfneblin)": { cr: 0.5, hitDice: "3d6+6" },
    /** "30 ft. or 10 ft. while deafened" */
    Grimlock: { senses: { blindsight: 30 } },
    Wight: { resistances: ["necrotic"], immunities: ["poison"], nonmagical: "resistance" },
  },
  "srd-2024": { Octopus: { stats: [4, 15, 11, 3, 10, 4], saves: {} } },
};

const importEdition = (folder: string): readonly MonsterRow[] => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8"));
  const byParent = (file: string) =>
    Map.groupBy(
      texts
        .parse(read(file))
        .map(({ fields }) => fields)
        .toSorted((a, b) => (a.order_in_statblock ?? 0) - (b.order_in_statblock ?? 0)),
      ({ parent }) => parent,
    );
  const [actions, traits] = [byParent("CreatureAction"), byParent("CreatureTrait")];
  return creatures
    .parse(read("Creature"))
    .map(({ pk, fields }) => ({
      ...readMonster(fields, actions.get(pk) ?? [], traits.get(pk) ?? []),
      ...corrections[basename(folder)]?.[fields.name],
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

const print = (edition: string, rows: readonly MonsterRow[]): string =>
  [
    `// Generated by npm run import -w services/rules from the SRD ${edition} data of open5e-api, CC-BY-4.0 (see NOTICE at the root). Do not edit.`,
    'import type { MonsterRow } from "../src/data/monster-row.ts";',
    "",
    "export const monsters: readonly MonsterRow[] = [",
    ...rows.map((row) => `  ${JSON.stringify(row)},`),
    "];",
    "",
  ].join("\n");

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error("say where the checkout of open5e-api is");
for (const [edition, name] of [
  ["5.1", "srd-2014"],
  ["5.2", "srd-2024"],
] as const) {
  const rows = importEdition(join(checkout, "data/v2/wizards-of-the-coast", name));
  writeFileSync(new URL(`../../gen/monsters-${edition}.ts`, import.meta.url), print(edition, rows));
  console.log(`${edition}: ${rows.length} monsters, ${rows.flatMap(({ attacks = [] }) => attacks).length} attacks`);
}
