import schemas from "@fairlead/contracts/gen/loop.schema.json" with { type: "json" };
import { loop } from "@fairlead/contracts/loop";
import { expect, test } from "vitest";
import { verbs } from "./session-verbs.ts";

const definitions: Readonly<Record<string, object>> = schemas.$defs;
/** Inputs that are the same are written out once. */
const fieldsIn = (name: string): readonly string[] => {
  const found = definitions[name] ?? {};
  if ("$ref" in found) return fieldsIn(String(found.$ref).replace("#/$defs/", ""));
  return "properties" in found ? Object.keys(Object(found.properties)) : [];
};
const fieldsOf = (procedure: string): readonly string[] => fieldsIn(`${procedure.replace("loop.", "")}.input`);

test("every procedure of the loop has a verb, and no verb has another", () => {
  expect(verbs.map(({ procedure }) => procedure).toSorted()).toEqual(
    Object.keys(loop.procedures)
      .map((name) => `loop.${name}`)
      .toSorted(),
  );
});

test.each(verbs.map((verb) => [verb.name, verb] as const))("%s fills fields that its procedure has", (_, verb) => {
  const filled = [...verb.words, ...verb.flags].map(({ field }) => field);
  expect(fieldsOf(verb.procedure)).toEqual(
    expect.arrayContaining([...filled, ...(verb.data === undefined ? [] : [verb.data]), "project"]),
  );
  expect(verb.example).toContain(`fairlead ${verb.name}`);
});
