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

const verbNamed = (name: string) => verbs.find((verb) => verb.name === name);

test("the warnings of a start are told, and that there are no runs", () => {
  const warned = verbNamed("session start")?.notes?.({ run_id: "run_1", message: "started", warnings: ["no git"] });
  expect(warned).toEqual(["warning: no git"]);
  expect(verbNamed("session start")?.notes?.({ warnings: [] })).toEqual([]);
  expect(verbNamed("run ls")?.notes?.({ runs: [] })).toEqual(["there are no runs"]);
  expect(verbNamed("run ls")?.notes?.({ runs: [{}] })).toEqual([]);
});

test("the next ticket's message is told once", () => {
  const none = verbNamed("session next")?.text({ ticketId: null, instructions: "Call it.", message: "Call it." });
  expect(none?.match(/Call it\./g)).toHaveLength(1);
  const one = verbNamed("session next")?.text({ ticketId: "tkt_1", instructions: "Do it.", message: "Taken." });
  expect(one).toMatch(/Do it\.[\s\S]*Taken\./);
});
