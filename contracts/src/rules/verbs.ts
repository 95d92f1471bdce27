/** `fairlead odds`: exact odds as a chart. Takes the input of `odds`, or that of the tool that would resolve it, whose dice do not matter. */
import type { Verb, VerbInput, VerbView } from "../core/index.ts";

const question = (kind: string): VerbInput => ({ game: "$input.game", question: { kind, intent: "$input.intent" } });

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
          { when: [{ present: "$input.intent.weapon" }], input: question("attack") },
          { when: [{ present: "$input.intent.skill" }], input: question("check") },
          { when: [{ present: "$input.intent" }], input: question("save") },
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
