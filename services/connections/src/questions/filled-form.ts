/**
 * An accepted form with the defaults of what its sender left out: we declare to upstreams that we apply them. Pure.
 *
 * Not here: whether the answer fits the form (the upstream's matter).
 */
import type { Question } from "@fairlead/kernel/service";
import { isRecord } from "../json/record.ts";

/** The answer, unchanged unless it accepts a form. */
export const applyDefaults = ({ method, params }: Question, answer: unknown): unknown => {
  if (method !== "elicitation/create" || !isRecord(params.requestedSchema) || !isRecord(answer)) return answer;
  const { properties } = params.requestedSchema;
  const { content = {} } = answer;
  if (answer.action !== "accept" || !isRecord(properties) || !isRecord(content)) return answer;
  const defaults = Object.entries(properties).flatMap(([name, field]) =>
    isRecord(field) && field.default !== undefined && !Object.hasOwn(content, name) ? [[name, field.default]] : [],
  );
  return { ...answer, content: { ...content, ...Object.fromEntries(defaults) } };
};
