/** What a person may ask a model to do with Path of Building, and what clients may read by an address. */
import type { Prompt } from "../core/prompt.ts";
import type { Resource } from "../core/resource.ts";

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

export const resources: Readonly<Record<string, Resource>> = {
  builds: {
    title: "Builds",
    summary: "Path of Exile builds of the configured folder.",
    path: "builds",
    read: "listBuilds",
    changes: { everyMs: 2_000 },
  },
  build: {
    title: "Build",
    summary: "A Path of Exile build: class, level, skills, items, gems and passive tree.",
    path: "builds/{file}",
    read: "parseBuild",
    input: { source: { file: "{file}" } },
    fields: { file: { about: "A file of the folder", choices: { call: "listBuilds", path: "builds.file" } } },
    changes: { everyMs: 2_000 },
  },
  buildCode: {
    title: "Share code of a build",
    summary: "A Path of Exile build as a text that Path of Building imports.",
    path: "builds/{file}/code",
    read: "convertBuild",
    input: { source: { file: "{file}" } },
    text: "code",
    fields: { file: { about: "A file of the folder", choices: { call: "listBuilds", path: "builds.file" } } },
    changes: { everyMs: 2_000 },
  },
};
