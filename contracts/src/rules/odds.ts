/**
 * Exact odds of one roll, of plain dice, and of several rolls together: probabilities as fractions, never sampled. A fraction is text ("13/20"), because its parts can be too long for a
 * JSON number; beside it is a decimal, rounded half up to six places, which is the same text on every platform.
 */
import * as z from "zod";
import { type Prompt, query, toolSummary, type Verb, type VerbInput, type VerbView } from "../core/index.ts";
import { houseRuleErrors, oddsErrors } from "./errors.ts";
import { aria, goblin } from "./examples.ts";
import { game } from "./game.ts";
import { attackIntent, savingThrowIntent, skillCheckIntent } from "./intent.ts";
import { contestInput, deathSaveInput } from "./more.ts";
import { notRead } from "./result.ts";

const kind = <K extends string>(name: K) => z.literal(name).describe("Kind");

/** What a caller asks about: one of the three things that are rolled for. */
export const question = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: kind("attack"), intent: attackIntent }).describe("An attack"),
    z.strictObject({ kind: kind("check"), intent: skillCheckIntent }).describe("A skill check"),
    z.strictObject({ kind: kind("save"), intent: savingThrowIntent }).describe("A saving throw"),
  ])
  .meta({
    id: "Question",
    description: "An attack, a skill check or a saving throw",
    [toolSummary]: "{kind: attack|check|save, intent: fields of that tool}",
  });

const exact = z
  .strictObject({
    fraction: z.string().describe('In lowest terms, like "13/20" or "4"'),
    decimal: z.string().describe("Rounded half up to six places"),
  })
  .meta({ id: "Fraction", description: "An exact number" });
const fraction = (what: string) => exact.describe(what);

const outcome = z.strictObject({
  value: z.int().describe("Damage or total"),
  probability: fraction("How likely"),
});

const series = z.strictObject({
  ac: z.int().describe("Number to reach"),
  success: fraction("Hit, critical ones included"),
  mean: fraction("Mean damage"),
});

/** Exact odds as fractions and decimals; nothing is sampled. */
export const odds = z
  .strictObject({
    of: z.string().describe('Like "Rapier Attack"'),
    against: z.string().describe("Number to reach; N/A: cannot be done"),
    stance: z.enum(["advantage", "disadvantage", "neither"]).describe("How the d20 is rolled"),
    success: fraction("Hit, critical ones included, or passed"),
    crit: fraction("Critical hit"),
    measured: z
      .enum(["damage", "total"])
      .describe("What the distribution is of; damage for a save that `scene.incoming` is against"),
    mean: fraction("Mean"),
    variance: fraction("Variance"),
    distribution: z.array(outcome).describe("Every possible value, ascending"),
    byArmorClass: z.array(series).optional().describe("Of an attack roll: the same against Armor Class 10 to 25"),
    notes: z.string().describe("What was assumed, or why nothing can happen"),
    notRead,
  })
  .describe("Exact odds");

/** Input of `diceOdds`: the notation of `roll`. */
export const diceOddsInput = z
  .strictObject({ notation: z.string().min(1).max(100).describe('Like "4d6kh3"; what `roll` takes') })
  .describe("Dice whose odds are asked for");

/** Exact odds of plain dice. */
export const diceOdds = z
  .strictObject({
    notation: z.string().describe("In normal form"),
    mean: fraction("Mean"),
    variance: fraction("Variance"),
    distribution: z.array(outcome).describe("Every possible sum, ascending"),
  })
  .describe("Exact odds of plain dice");

/** Exact odds of plain dice: mean, variance and every possible sum. */
export type DiceOdds = z.input<typeof diceOdds>;
const turnAttack = attackIntent
  .extend({
    attack: z
      .enum(["action", "bonus", "cleave", "reaction"])
      .default("action")
      .describe("As `scene.attack`: bonus is the extra attack of two weapons"),
  })
  .describe("One attack of the turn");

const { successes, failures, advantage, disadvantage, bonus } = deathSaveInput.shape;

const member = z
  .strictObject({
    modifier: z.int().min(-10).max(30).describe("Of this one's check"),
    stance: z.enum(["advantage", "disadvantage", "neither"]).default("neither").describe("How the d20 is rolled"),
  })
  .describe("Somebody of the group");

const combinedQuestion = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: kind("turn"),
        attacks: z.array(turnAttack).min(1).max(10).describe("In order; what works once a turn goes to the first hit"),
      })
      .describe("The attacks of a turn"),
    z
      .strictObject({
        kind: kind("area"),
        intent: attackIntent.describe('The spell, and `target: "Goblin 1; Goblin 2"`'),
      })
      .describe("A spell that several creatures save against, with one roll of its damage"),
    z.strictObject({ kind: kind("contest"), intent: contestInput.shape.intent }).describe("A contest (5.1)"),
    z
      .strictObject({
        kind: kind("group"),
        dc: z.int().min(1).max(30).describe("Difficulty Class for everyone"),
        members: z.array(member).min(1).max(100).describe("Everybody who rolls"),
      })
      .describe("A group check (5.1)"),
    z
      .strictObject({
        ...{ kind: kind("deathSaves"), successes, failures, advantage, disadvantage, bonus },
      })
      .describe("Death saves until they end"),
  ])
  .meta({ id: "CombinedQuestion", description: "Several rolls that are asked about together" });

/** Exact odds of several rolls together. */
const combinedOdds = z
  .strictObject({
    of: z.string().describe('Like "3 attacks"'),
    success: fraction("At least one hit or failed save, a contest won, half of the group, or a life saved"),
    crit: fraction("At least one critical hit, or a natural 20 that wakes"),
    measured: z
      .enum(["damage", "total", "successes", "rolls"])
      .describe("What the distribution is of: damage, the character's total, members who succeed, death saves rolled"),
    mean: fraction("Mean"),
    variance: fraction("Variance"),
    distribution: z.array(outcome).describe("Every possible value, ascending"),
    targets: z
      .array(
        z.strictObject({
          target: z.string().describe("The creature"),
          success: fraction("It fails its save"),
          mean: fraction("Mean damage"),
        }),
      )
      .optional()
      .describe("Of an area: each creature"),
    notes: z.string().describe("What was assumed, or why nothing can happen"),
    notRead,
  })
  .describe("Exact odds of several rolls together");

const turnExample = { weapon: "Rapier", target: "Goblin", extra_damage_sources: ["Sneak Attack"] };

/** The procedure that answers them. */
export const combinedProcedures = {
  combinedOdds: query({
    placement: "stateless",
    summary: "Exact odds of several rolls together: a turn's attacks, an area, a contest, a group check, death saves.",
    input: z
      .strictObject({ game, question: combinedQuestion })
      .describe("What is asked, and the game it would happen in"),
    output: combinedOdds,
    errors: { ...oddsErrors, ...houseRuleErrors },
    tool: false,
    examples: [
      {
        summary: "Aria strikes twice; her Sneak Attack goes to the first hit",
        input: {
          game: { edition: "5.1", player: { ...aria, level: 5 }, npcs: [goblin] },
          question: { kind: "turn", attacks: [turnExample, turnExample] },
        },
      },
    ],
  }),
};

/** What `combinedOdds` is asked. */
export type CombinedQuestion = z.output<typeof combinedQuestion>;
/** Answer of `combinedOdds`. */
export type CombinedOdds = z.input<typeof combinedOdds>;
/** What the odds are of: an attack, a skill check or a saving throw, with its intent. */
export type Question = z.output<typeof question>;
/** Answer of `odds`: chances, mean, variance, and the distribution of damage or of the total, ascending. */
export type Odds = z.input<typeof odds>;
/** An exact number: a fraction in lowest terms, and a decimal rounded half up to six places. */
export type Fraction = Odds["mean"];

const verbQuestion = (kind: string): VerbInput => ({
  game: "$input.game",
  question: { kind, intent: "$input.intent" },
});

const outcomes: VerbView = {
  first: [
    {
      when: [{ value: "crit.fraction", is: "0" }],
      show: {
        shares: [
          { name: "failure", less: "success.fraction" },
          { name: "success", of: "success.fraction" },
        ],
      },
    },
    {
      show: {
        shares: [
          { name: "miss", less: "success.fraction" },
          { name: "hit", of: "success.fraction", less: "crit.fraction" },
          { name: "critical hit", of: "crit.fraction" },
        ],
      },
    },
  ],
};

/** `fairlead odds`: exact odds as a chart. Takes the input of `odds`, or that of the tool that would resolve it, whose dice do not matter. */
export const verbs: Readonly<Record<string, Verb>> = {
  odds: {
    summary: "Chart the exact odds of a roll",
    arguments: [{ name: "input", file: true, about: "JSON file of the game and the question, or - for stdin" }],
    examples: [
      "fairlead odds examples/odds.json",
      "fairlead odds examples/attack.json",
      "fairlead odds - < examples/odds.json",
    ],
    steps: [
      {
        call: "odds",
        input: [
          { when: [{ present: "$input.question" }], input: "$input" },
          { when: [{ present: "$input.intent.weapon" }], input: verbQuestion("attack") },
          { when: [{ present: "$input.intent.skill" }], input: verbQuestion("check") },
          { when: [{ present: "$input.intent" }], input: verbQuestion("save") },
          { input: "$input" },
        ],
      },
    ],
    show: [
      {
        first: [
          { when: [{ value: "stance", is: "neither" }], show: "{of} against {against}" },
          { show: "{of} against {against}, with {stance}" },
        ],
      },
      { first: [{ when: [{ present: "notes" }], show: "{notes}" }] },
      "",
      outcomes,
      "",
      "{measured}: mean {mean.decimal|number}, standard deviation {variance.decimal|root}",
      { histogram: "distribution", number: "value", share: "probability.fraction" },
    ],
  },
};

/** What a person may ask a model to do with the rules. */
export const prompts: Readonly<Record<string, Prompt>> = {
  encounter: {
    title: "Run encounter",
    summary: "Leads a D&D fight from initiative to its end.",
    arguments: {
      foes: { about: "The enemies, by names of the SRD, like two goblins" },
      party: { about: "Who fights them: sheets, or names of the SRD", default: "ask me for the sheets" },
      edition: { about: "SRD 5.1 (2014) or 5.2 (2024)", default: "5.1", choices: ["5.1", "5.2"] },
    },
    text: "Run a D&D fight by the SRD {edition}. Foes: {foes}. Party: {party}.\nBegin with `startEncounter`. In a turn of the party ask me what they do, and resolve it with `attack`, `savingThrow` or `skillCheck`, with the fight's handle; play the foes yourself. End each turn with `endTurn`. Never make up a number: each comes from a tool. When it is over, call `endEncounter` and sum the story up in a few sentences.",
  },
};
