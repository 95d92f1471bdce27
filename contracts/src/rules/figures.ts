/**
 * The procedures that need no opponent: what a sheet comes to, and what is rolled for one creature or a group alone.
 *
 * Not here: their shapes (`more.ts`).
 */
import { query } from "../core/index.ts";
import { diceErrors, houseRuleErrors } from "./errors.ts";
import { aria } from "./examples.ts";
import {
  deathSave,
  deathSaveInput,
  fall,
  fallInput,
  figures,
  figuresInput,
  groupCheck,
  groupCheckInput,
  passive,
  passiveInput,
} from "./more.ts";

export const figureProcedures = {
  figures: query({
    placement: "stateless",
    summary:
      "What the class tables and the sheet come to: Armor Class, attacks, save DCs, class dice; nothing is rolled.",
    input: figuresInput,
    output: figures,
    errors: houseRuleErrors,
    tool: false,
    examples: [
      {
        summary: "Aria in studded leather",
        input: { game: { edition: "5.1", player: { ...aria, worn: { armor: "light", armorBase: 12 } } } },
      },
    ],
  }),
  passiveScore: query({
    placement: "stateless",
    summary: "The passive score of a skill; nothing is rolled.",
    input: passiveInput,
    output: passive,
    errors: houseRuleErrors,
    tool: false,
    examples: [
      {
        summary: "Does Aria notice?",
        input: { game: { edition: "5.2", player: aria }, intent: { skill: "Perception" } },
      },
    ],
  }),
  deathSave: query({
    placement: "stateless",
    summary: "Roll a death saving throw and count it.",
    input: deathSaveInput,
    output: deathSave,
    errors: diceErrors,
    tool: false,
    examples: [
      {
        summary: "One passed, two failed",
        input: { edition: "5.1", successes: 1, failures: 2, dice: { seed: "fate" } },
      },
    ],
  }),
  fallDamage: query({
    placement: "stateless",
    summary: "Roll the damage of a fall: 1d6 for every full 10 feet, at most 20d6.",
    input: fallInput,
    output: fall,
    errors: diceErrors,
    tool: false,
    examples: [{ summary: "Off a wall", input: { edition: "5.1", feet: 35, dice: { values: [2, 5, 6] } } }],
  }),
  groupCheck: query({
    placement: "stateless",
    summary: "Whether a group succeeds (5.1): when at least half of its members do; nothing is rolled.",
    input: groupCheckInput,
    output: groupCheck,
    tool: false,
    examples: [{ summary: "Four sneak, two are heard", input: { dc: 12, totals: [15, 9, 12, 7] } }],
  }),
};
