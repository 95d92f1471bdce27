/**
 * Exact odds: probabilities as fractions, never sampled. A fraction is text ("13/20"), because its parts can be too long for a
 * JSON number; beside it is a decimal, rounded half up to six places, which is the same text on every platform.
 */
import * as z from "zod";
import { type Prompt, toolSummary, type Verb, type VerbInput, type VerbView } from "../core/index.ts";
import { attackIntent, savingThrowIntent, skillCheckIntent } from "./intent.ts";
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
