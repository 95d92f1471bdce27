/** What a person may ask a model to do with Path of Building. */
import type { Prompt } from "../core/prompt.ts";

export const prompts: Readonly<Record<string, Prompt>> = {
  optimise: {
    title: "Optimise build",
    summary: "Looks for what would make a Path of Exile build better.",
    arguments: {
      build: {
        about: "A file of the builds' folder, or a share code",
        choices: { call: "listBuilds", path: "builds.file" },
      },
      goal: {
        about: "What to gain",
        default: "damage without loss of life",
        choices: ["damage without loss of life", "life and resistances", "damage alone", "effective hit pool"],
      },
    },
    text: "Make this Path of Exile build better: {build}. The goal is {goal}.\nRead it with `parseBuild`, load it with `luaLoadBuild`, and look at `luaGetStats` and `luaGetParts`. Compare changes with `luaFindBest` (items, gems, and passive nodes by `points`); `luaCalcWith` tries one without keeping it. Show me the three best with what each gains and costs, and apply none before I agree.",
  },
};
