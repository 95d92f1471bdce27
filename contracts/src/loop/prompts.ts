/** What a person may ask a model to do with the loop. */
import type { Prompt } from "../core/prompt.ts";

const project = { about: "The project, as the configuration names it", default: "the default one" };

export const prompts: Readonly<Record<string, Prompt>> = {
  improve: {
    title: "Improve code",
    summary: "Leads a whole improvement session in a project.",
    arguments: {
      project,
      formula: {
        about: "Kind of session",
        default: "none",
        choices: { call: "listFormulas", path: "formulas.name" },
      },
      scope: { about: "Glob of the files that may change", default: "all files" },
    },
    text: "Improve the code of a project: {project}. Formula: {formula}. Scope: {scope}.\nCall `startSession`, then `advance`, do what its prompt says, report it with `ingestEvent`, and call `advance` again, until it says STOP. Then call `endSession` and report to me what was done, ticket by ticket.",
  },
  status: {
    title: "Session so far",
    summary: "Says how an improvement session goes.",
    arguments: { project },
    text: "Call `sessionStatus` for a project, {project}, and report to me in a few sentences what was done, what is left of the budget and what needs me.",
  },
};
