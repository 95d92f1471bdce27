/** What a person may ask a model to do with the rules. */
import type { Prompt } from "../core/prompt.ts";

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
