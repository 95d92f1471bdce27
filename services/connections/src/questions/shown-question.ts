/**
 * What an upstream asks of a person, as it may be shown to one: texts without what can hide in them, and no page but of the web. Pure.
 *
 * What it asks of a model is passed on as it is, like results. Not here: asking.
 */

import { cleanText } from "@fairlead/contracts";
import type { Question } from "@fairlead/kernel/service";
import { cleanSchema } from "../tools/clean-schema.ts";

const longestMessage = 8_000;

/** Nothing for a question that must not be shown: a name, a value or an address in it hides something. */
export const shownQuestion = (question: Question): Question | undefined => {
  const { method, params } = question;
  if (method !== "elicitation/create") return question;
  const { message, requestedSchema, url } = params;
  const form = requestedSchema === undefined ? undefined : cleanSchema(requestedSchema);
  if (requestedSchema !== undefined && form === undefined) return undefined;
  if (url !== undefined && !isPage(url)) return undefined;
  return {
    method,
    params: {
      ...params,
      ...(typeof message === "string" && { message: cleanText(message, longestMessage) }),
      ...(form !== undefined && { requestedSchema: form }),
    },
  };
};

const isPage = (url: unknown): boolean =>
  typeof url === "string" && ["http:", "https:"].includes(URL.parse(url)?.protocol ?? "");
