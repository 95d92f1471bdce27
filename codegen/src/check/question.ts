/**
 * Judges what a procedure may ask a person: a form must be one that every client can show.
 *
 * Not here: what any schema must say (`schema`).
 */
import { type Diagnostic, type DiagnosticPlace, diagnostic } from "../model/diagnostics.ts";
import type { ProcedureModel, QuestionModel } from "../model/model.ts";
import { defName, isSchema, type JsonSchema } from "../schema/json-schema.ts";
import { checkOutput } from "./schema.ts";

/** What is wrong with the declared questions of a procedure. */
export const checkQuestions = ({ fullName, questions }: ProcedureModel, source: string): readonly Diagnostic[] =>
  questions.flatMap((question) => checkQuestion(question, { source, where: `${fullName} question ${question.name}` }));

const checkQuestion = ({ name, when, answer }: QuestionModel, at: DiagnosticPlace): readonly Diagnostic[] => {
  const found: Diagnostic[] = [];
  if (!/^[a-z][a-zA-Z0-9_]{0,39}$/.test(name))
    found.push(
      diagnostic("question_invalid", at, {
        message: `the name ${JSON.stringify(name)} is not a letter and up to 39 of a to z, A to Z, 0 to 9 and _`,
        fix: "name what is asked, like `overwrite`",
      }),
    );
  if (when.trim() === "")
    found.push(
      diagnostic("question_invalid", at, {
        message: "the question does not say when it is asked",
        fix: "write `when`, like `there are several`",
      }),
    );
  return answer === undefined ? found : [...found, ...checkForm(answer.json, at), ...checkOutput(answer, at)];
};

const checkForm = (json: JsonSchema, at: DiagnosticPlace): readonly Diagnostic[] => {
  const form = resolveRef(json, json);
  if (form?.type !== "object")
    return [
      diagnostic("question_invalid", at, {
        message: "the form is not an object",
        fix: "make it one: z.object({ folder: z.string() }); for yes or no write confirm()",
      }),
    ];
  return Object.entries(form.properties ?? {})
    .filter(([, field]) => !isFormField(resolveRef(json, field)))
    .map(([key]) =>
      diagnostic(
        "question_invalid",
        { ...at, where: `${at.where} ${key}` },
        {
          message: "not every client can show such a field",
          fix: "make it a text, a number, a boolean, an enum or a list of one",
        },
      ),
    );
};

/** The fields of MCP's forms. */
const isFormField = (field: JsonSchema | undefined): boolean => {
  if (field === undefined) return false;
  if (field.type === "array") return isSchema(field.items) && isChoice(field.items);
  return isChoice(field) || ["string", "number", "integer", "boolean"].some((type) => type === field.type);
};

const isChoice = ({ enum: choices }: JsonSchema): boolean =>
  choices?.every((each) => typeof each === "string") === true;

const resolveRef = (root: JsonSchema, schema: JsonSchema): JsonSchema | undefined => {
  const name = schema.$ref === undefined ? undefined : defName(schema.$ref);
  return name === undefined ? schema : root.$defs?.[name];
};
