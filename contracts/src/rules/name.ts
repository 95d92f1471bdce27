/** Names, lists and counts that many shapes share. Those with an id are written once in each schema, and referred to. */
import * as z from "zod";

export const abilities = ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"] as const;

export const skills = [
  "Acrobatics",
  "Animal Handling",
  "Arcana",
  "Athletics",
  "Deception",
  "History",
  "Insight",
  "Intimidation",
  "Investigation",
  "Medicine",
  "Nature",
  "Perception",
  "Performance",
  "Persuasion",
  "Religion",
  "Sleight of Hand",
  "Stealth",
  "Survival",
] as const;

const damageTypeNames = [
  "acid",
  "bludgeoning",
  "cold",
  "fire",
  "force",
  "lightning",
  "necrotic",
  "piercing",
  "poison",
  "psychic",
  "radiant",
  "slashing",
  "thunder",
] as const;

export const ability = z.enum(abilities).meta({ id: "Ability", description: "An ability" });
export const skill = z.enum(skills).meta({ id: "Skill", description: "A skill" });
export const damageType = z.enum(damageTypeNames).meta({ id: "DamageType", description: "Damage type" });

const listOfTypes = z.array(damageType).max(13).default([]).meta({ id: "DamageTypes", description: "Damage types" });
export const damageTypes = (what: string) => listOfTypes.describe(what);

export const cover = z
  .enum(["none", "half", "three_quarters", "total"])
  .default("none")
  .meta({ id: "Cover", description: "Best cover between the two: half +2, three_quarters +5, total: no target" });

export const size = z
  .enum(["tiny", "small", "medium", "large", "huge", "gargantuan"])
  .default("medium")
  .meta({ id: "Size", description: "Size category" });

export const someName = z.string().min(1).max(80).meta({ id: "Name", description: "A name" });
export const name = (what: string) => someName.describe(what);

const listOfNames = z
  .array(someName)
  .max(100)
  .default([])
  .meta({ id: "Names", description: "Names, as the SRD writes them" });
export const names = (what: string) => listOfNames.describe(what);

/** What the specification's character has and no rule reads. */
export const unread = z
  .union([z.string().max(4_000), z.number(), z.boolean()])
  .optional()
  .meta({ id: "NotRead", description: "Not read" });

export const count = (what: string, most: number) => z.int().min(0).max(most).default(0).describe(what);
export const flag = (what: string) => z.boolean().default(false).describe(what);

export type Ability = z.output<typeof ability>;
export type Skill = z.output<typeof skill>;
export type DamageType = z.output<typeof damageType>;
