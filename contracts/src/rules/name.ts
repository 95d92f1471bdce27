/**
 * Names, lists and counts that many shapes share. Those with an id are written once in each schema, and referred to.
 *
 * Sheets and models write them otherwise than the schemas have it: letters of another case, `null` for what is left out, fields that no
 * rule reads. `anyCase`, `nullsLeftOut` and `sheet` put that right before the schema decodes it, and publish the schema's own. They are
 * not for outputs: what the service answers is exact.
 */
import * as z from "zod";

/** A schema that decodes what `read` makes of the input. A named boundary: Zod types such an input as unknown, and callers send the schema's own. */
const reading = <S extends z.ZodType, I = z.input<S>>(
  read: (sent: unknown, context: z.RefinementCtx) => unknown,
  schema: S,
): z.ZodType<z.output<S>, I> => z.preprocess(read, schema) as unknown as z.ZodType<z.output<S>, I>;

const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ");

/** One of the names, in letters of any case; `short` has other spellings of them, in lower case. */
const anyCase = <S extends z.ZodEnum>(names: S, short: Readonly<Record<string, string>> = {}) => {
  const written = new Map<string, string>(names.options.map((name) => [plain(String(name)), String(name)]));
  for (const [spelling, name] of Object.entries(short)) written.set(spelling, name);
  return reading((sent) => (typeof sent === "string" ? (written.get(plain(sent)) ?? sent) : sent), names);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const withoutNulls = (sent: unknown): unknown =>
  isRecord(sent) ? Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) : sent;

/** An object whose fields may be `null`, which is the same as leaving them out. */
export const nullsLeftOut = <S extends z.ZodObject>(schema: S) => reading(withoutNulls, schema);

/**
 * A part of a sheet: `null` is left out, and fields that the rules do not know are accepted, kept and never read by a rule. `misnamed` has
 * names under which a required field is often sent, for an error that says so.
 */
export const sheet = <F extends z.core.$ZodLooseShape>(fields: F, misnamed: Readonly<Record<string, string>> = {}) => {
  const known = z.looseObject(fields);
  type SheetSchema = z.ZodObject<F, z.core.$strict>;
  const read = (sent: unknown, context: z.RefinementCtx): unknown => {
    const given = withoutNulls(sent);
    for (const [wrong, right] of Object.entries(misnamed)) {
      if (!isRecord(given) || !Object.hasOwn(given, wrong) || Object.hasOwn(given, right)) continue;
      context.addIssue({ code: "custom", path: [right], message: `\`${right}\`, which was sent as \`${wrong}\`` });
    }
    return given;
  };
  return reading<typeof known, z.input<typeof known>>(read, known) as z.ZodType<
    z.output<SheetSchema>,
    z.input<typeof known>
  >;
};

/** The six abilities, in the order of a sheet. */
export const abilities = ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"] as const;

/** The eighteen skills, the same in both editions. */
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

/** Names as answers have them; callers may write them in letters of any case. */
export const exact = {
  ability: z.enum(abilities).meta({ id: "Ability", description: "An ability" }),
  skill: z.enum(skills).meta({ id: "Skill", description: "A skill" }),
  damageType: z.enum(damageTypeNames).meta({ id: "DamageType", description: "Damage type" }),
} as const;

/** One of the six abilities: "dexterity", "Dexterity" or "DEX". */
export const ability = anyCase(exact.ability, Object.fromEntries(abilities.map((name) => [name.slice(0, 3), name])));
/** One of the eighteen skills. */
export const skill = anyCase(exact.skill);
/** One of the thirteen damage types. */
export const damageType = anyCase(exact.damageType);

const listOfTypes = z.array(damageType).max(13).default([]).meta({ id: "DamageTypes", description: "Damage types" });
/** A list of damage types; empty by default. */
export const damageTypes = (what: string) => listOfTypes.describe(what);

/** How much of a target is covered. */
export const cover = z
  .enum(["none", "half", "three_quarters", "total"])
  .default("none")
  .meta({ id: "Cover", description: "Best cover between the two: half +2, three_quarters +5, total: no target" });

/** Size category of a creature. */
export const size = anyCase(z.enum(["tiny", "small", "medium", "large", "huge", "gargantuan"]))
  .default("medium")
  .meta({ id: "Size", description: "Size category" });

/** A name of 1 to 80 characters. */
export const someName = z.string().min(1).max(80).meta({ id: "Name", description: "A name" });
/** The same with a description of its own. */
export const name = (what: string) => someName.describe(what);

const listOfNames = z
  .array(someName)
  .max(100)
  .default([])
  .meta({ id: "Names", description: "Names, as the SRD writes them" });
/** A list of names; empty by default. */
export const names = (what: string) => listOfNames.describe(what);

/** What the specification's character has and no rule reads. */
export const unread = z
  .union([z.string(), z.number(), z.boolean()])
  .optional()
  .meta({ id: "NotRead", description: "Not read" });

/** A whole number from 0 to `most`; 0 by default. */
export const count = (what: string, most: number) => z.int().min(0).max(most).default(0).describe(what);
/** Hit points now: below 0 counts as 0. */
export const currentHitPoints = (most: number) =>
  z
    .int()
    .min(-10_000)
    .max(most)
    .transform((points) => Math.max(0, points));
/** The same; 1 by default. */
export const hitPoints = (what: string, most: number) => currentHitPoints(most).default(1).describe(what);
/** A boolean with three states, true, false, or left out: a claim about what is left out is believed. */
export const fact = (what: string) =>
  z.boolean().optional().describe(`${what}; left out, a claim about it is believed`);
/** A boolean; false by default. */
export const flag = (what: string) => z.boolean().default(false).describe(what);

/** "strength", "dexterity" and so on. */
export type Ability = z.output<typeof exact.ability>;
/** "Stealth", "Sleight of Hand" and so on, as the SRD writes them. */
export type Skill = z.output<typeof exact.skill>;
/** "fire", "slashing" and so on. */
export type DamageType = z.output<typeof exact.damageType>;
