/**
 * The tools that the classifier may call. One Zod schema each, made from the game: it is what the model is shown (strict, with
 * enums of the weapons, creatures and spells there are) and what its call is parsed with, so that the two cannot differ.
 *
 * Not here: what a call leads to (`reply.ts`).
 */
import { abilities, type Game, skills } from "@fairlead/contracts/rules";
import * as z from "zod";
import { claimNames } from "../rules/sources/claims.ts";
import { castableNames } from "../sheet/spell-name.ts";
import { targetNames } from "../sheet/target.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";

/** Not a bound: what is out of range is clamped, with a record of it. */
const dc = z
  .int()
  .describe("Difficulty Class: 5 very easy, 10 easy, 15 medium, 20 hard, 25 very hard, 30 nearly impossible");
const reason = z.strictObject({ reason: z.string().describe("Why, in one sentence for the player") });

const checkInput = z.strictObject({ skill: z.enum(skills), dc });
const abilityInput = z.strictObject({ ability: z.enum(abilities), dc });
const saveInput = z.strictObject({
  ability: z.enum(abilities),
  dc,
  source: z.string().optional().describe('What is resisted, like "poison gas"'),
});

const attackInput = (names: {
  readonly weapons: readonly string[];
  readonly targets: readonly string[];
  readonly spells: readonly string[];
  readonly claims: readonly string[];
}) =>
  z.strictObject({
    weapon: z.enum([...names.weapons, ...names.spells]).describe("The weapon; for a spell, the spell"),
    target: z.enum(names.targets),
    extra_damage_sources: z.array(z.enum(names.claims)).optional().describe("Claims; the server verifies each"),
    is_spell_attack: z.boolean().optional().describe("True for a spell"),
    /** A strict schema has no empty enum. */
    spell_name: z.enum(names.spells.length > 0 ? names.spells : ["none"]).optional(),
  });

/** The tools for this game, by name, and the weapon names: the same field can hold a weapon or a spell. */
export const buildTools = (game: Game) => {
  const targets = targetNames(game);
  const weapons = [...new Set(weaponsAtHand(game).map(({ name }) => name))];
  const spells = castableNames(game).filter((name) => !weapons.includes(name));
  return {
    weapons,
    byName: {
      /** Without creatures there is nothing to attack, and no tool for it. */
      ...(targets.length > 0 && {
        resolve_attack: {
          about: "An attack with a weapon or a damaging spell.",
          input: attackInput({ weapons, targets, spells, claims: claimNames(game) }),
        },
      }),
      resolve_skill_check: { about: "A check with one of the eighteen skills.", input: checkInput },
      resolve_ability_check: { about: "A check with a bare ability that no skill covers.", input: abilityInput },
      resolve_saving_throw: { about: "A saving throw of the character.", input: saveInput },
      mark_impossible: { about: "The action cannot be done.", input: reason },
      mark_no_check: { about: "The action needs no roll.", input: reason },
    },
  };
};

export type Tools = ReturnType<typeof buildTools>;

/** A schema in the subset that strict tools take: closed objects and enums, no bounds. */
const toStrictSchema = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    },
  });
  return json;
};

/** As the Messages API takes them. */
export const formatTools = ({ byName }: Tools) =>
  Object.entries(byName).map(([name, { about, input }]) => ({
    name,
    description: about,
    strict: true,
    input_schema: { ...toStrictSchema(input), type: "object" as const },
  }));
