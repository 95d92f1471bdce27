/** Judges a contract's prompts: their names, that text and arguments fit each other, and that what completes an argument is a query. */
import { promptPlace } from "@fairlead/contracts";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import type { ServiceModel } from "../model/model.ts";
import { choiceProblems } from "./resource.ts";

export const checkPrompts = ({ id, source, prompts, procedures }: ServiceModel): readonly Diagnostic[] =>
  Object.entries(prompts).flatMap(([name, { title, summary, text, arguments: args = {} }]) => {
    const at = { source, where: `${id} prompt ${JSON.stringify(name)}` };
    const unfit = (message: string, fix: string): Diagnostic => diagnostic("prompt_unfit", at, { message, fix });
    const places = [...text.matchAll(promptPlace)].flatMap(([, place = ""]) => place);
    const queries = procedures.filter(({ kind }) => kind === "query").map((procedure) => procedure.name);
    return [
      ...(/^[a-z][A-Za-z0-9]*$/.test(name)
        ? []
        : [
            unfit(
              `the name ${JSON.stringify(name)} is none`,
              "begin with a small letter, and go on with letters and digits",
            ),
          ]),
      ...([title, summary, text].some((words) => words.trim() === "")
        ? [unfit("its title, summary or text is empty", "say what it asks for")]
        : []),
      ...places
        .filter((place) => !Object.hasOwn(args, place))
        .map((place) =>
          unfit(`its text has {${place}}, and there is no such argument`, `declare \`arguments.${place}\``),
        ),
      ...Object.keys(args)
        .filter((argument) => !places.includes(argument))
        .map((argument) => unfit(`its text has no {${argument}}`, "put the argument into the text, or leave it out")),
      ...Object.entries(args).flatMap(([name, { choices }]) =>
        choiceProblems(
          choices,
          queries,
          Object.keys(args).filter((argument) => argument !== name),
        ).map(([message, fix]) => unfit(message, fix)),
      ),
    ];
  });
