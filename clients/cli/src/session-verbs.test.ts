import { loop } from "@fairlead/contracts/loop";
import { expect, test } from "vitest";
import { verbs } from "./session-verbs.ts";

const procedures: Readonly<Record<string, { readonly input: { readonly shape: object } }>> = loop.procedures;

test("every procedure of the loop has a verb, and no verb has another", () => {
  expect(verbs.map(({ procedure }) => procedure).toSorted()).toEqual(
    Object.keys(procedures)
      .map((name) => `loop.${name}`)
      .toSorted(),
  );
});

test.each(verbs.map((verb) => [verb.name, verb] as const))("%s fills fields that its procedure has", (_, verb) => {
  const fields = Object.keys(procedures[verb.procedure.replace("loop.", "")]?.input.shape ?? {});
  const filled = [...verb.words, ...verb.flags].map(({ field }) => field);
  expect(fields).toEqual(
    expect.arrayContaining([...filled, ...(verb.data === undefined ? [] : [verb.data]), "project"]),
  );
  expect(verb.example).toContain(`fairlead ${verb.name}`);
});
