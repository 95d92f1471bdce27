/**
 * Emits `<service>.schema.json`: JSON Schema 2020-12 of all that a service takes and gives, in one document a service. In `$defs`
 * are `<procedure>.input`, `<procedure>.output`, `<procedure>.error.<reason>` and, for a form, `<procedure>.question.<name>`, and the definitions that they share under their
 * names; its diff is the review of the API. The root describes an object with all calls of the service, `{ <procedure>: { input, output, errors, questions } }`.
 */

import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { bannerText, jsonDocument } from "../print/text.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { bundle } from "./bundle.ts";

export const emitSchemas = ({ services, out }: GeneratorProject): readonly GeneratedFile[] =>
  services.map((service) => ({ path: `${out.schemas}/${service.id}.schema.json`, text: printDocument(service) }));

const known = new WeakMap<ServiceModel, string>();

const printDocument = (service: ServiceModel): string => {
  const before = known.get(service);
  if (before !== undefined) return before;
  const text = jsonDocument({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:fairlead:schema:${service.id}`,
    $comment: bannerText([service]),
    title: `${service.id} ${service.version}`,
    description: service.summary,
    type: "object",
    properties: Object.fromEntries(service.procedures.map((procedure) => [procedure.name, describeCalls(procedure)])),
    $defs: definitions(service),
  });
  known.set(service, text);
  return text;
};

/** The root has a place for each definition, since most generators print what can be reached from there. */
const describeCalls = ({ name, summary, errors, questions }: ProcedureModel): JsonSchema => {
  const refer = (part: string): JsonSchema => ({ $ref: `#/$defs/${name}.${part}` });
  const reasons = errors.flatMap(({ reason, data }) => (data === undefined ? [] : [reason]));
  const forms = questions.flatMap(({ name: question, answer }) => (answer === undefined ? [] : [question]));
  return {
    type: "object",
    description: summary,
    properties: {
      input: refer("input"),
      output: refer("output"),
      ...(reasons.length > 0 && {
        errors: {
          type: "object",
          description: "Data of the declared errors, by reason.",
          properties: Object.fromEntries(reasons.map((reason) => [reason, refer(`error.${reason}`)])),
        },
      }),
      ...(forms.length > 0 && {
        questions: {
          type: "object",
          description: "Answers to the questions that are forms, by name.",
          properties: Object.fromEntries(forms.map((form) => [form, refer(`question.${form}`)])),
        },
      }),
    },
  };
};

const definitions = ({ procedures }: ServiceModel): Readonly<Record<string, JsonSchema>> => {
  const { add, schemas } = bundle("#/$defs/");
  for (const { name, input, output, errors, questions } of procedures) {
    add(`${name}.input`, input);
    add(`${name}.output`, output);
    for (const { reason, data } of errors) if (data !== undefined) add(`${name}.error.${reason}`, data);
    for (const { name: question, answer } of questions)
      if (answer !== undefined) add(`${name}.question.${question}`, answer);
  }
  return schemas;
};
