import { defineContract, error, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { buildServiceModel } from "../model/model.ts";
import { checkService } from "./service.ts";

interface Written {
  readonly id?: string;
  readonly procedure?: string;
  readonly reason?: string;
  readonly input?: string;
  readonly output?: string;
  readonly data?: string;
}

const field = (name: string) =>
  z.object({ deep: z.array(z.object({ [name]: z.int().describe("It") })).describe("List") });

const refusals = ({
  id = "shop",
  procedure = "look",
  reason = "gone",
  input = "a",
  output = "a",
  data = "a",
}: Written) => {
  const look = query({
    summary: "Looks.",
    input: field(input),
    output: field(output),
    errors: { [reason]: error({ code: "not_found", when: "there is none", data: field(data) }) },
  });
  const contract = defineContract({ id, version: "1.0.0", summary: "Sells.", procedures: { [procedure]: look } });
  return checkService(buildServiceModel(contract, "shop.contract.ts"), false).map(
    ({ code, where, message }) => `${code} ${where}: ${message}`,
  );
};

test("ordinary names pass", () => {
  expect(refusals({})).toEqual([]);
});

test.each([
  ["router", "a file that Fairlead generates has that name"],
  ["nul", "Windows can have no file of that name"],
  ["com1", "Windows can have no file of that name"],
  ["enum", "it is a keyword of TypeScript"],
  ["lambda", "it is a keyword of Python"],
  ["select", "it is a keyword of Go"],
  ["synchronized", "it is a keyword of Java"],
  ["then", "promises and functions have a member of that name"],
  ["constructor", "every JavaScript object has a member of that name"],
  ["none", "its class in Python would be `None`"],
  ["literal", "its class in Python would be `Literal`"],
])("no contract is called %s", (id, why) => {
  expect(refusals({ id })).toEqual([expect.stringMatching(`^contract_id_reserved ${id}: .*${why}`)]);
});

test.each(["loop", "match", "event", "namespace"])("a contract may be called %s, which Rust and C# escape", (id) => {
  expect(refusals({ id })).toEqual([]);
});

test.each(["hasOwnProperty", "propertyIsEnumerable", "toString", "then", "bind", "toJSON"])(
  "no procedure is called %s",
  (procedure) => {
    expect(refusals({ procedure })).toEqual([expect.stringMatching(`^procedure_name_reserved shop.${procedure}: `)]);
  },
);

test.each(["import", "delete", "from", "pass"])("a procedure and a field may be called %s, a keyword", (name) => {
  expect(refusals({ procedure: name, input: name, output: name, data: name })).toEqual([]);
});

test("no error has a reason that objects inherit", () => {
  expect(refusals({ reason: "constructor" })).toEqual([
    expect.stringMatching(
      "^error_reason_invalid shop.look error constructor: no error can have the reason `constructor`: every JavaScript",
    ),
  ]);
});

test.each(["input", "output", "data"] as const)(
  "no field of the %s has a name that objects inherit, at any depth",
  (part) => {
    const where = part === "data" ? "error gone" : part;
    expect(refusals({ [part]: "valueOf" })).toEqual([
      expect.stringContaining(
        `field_reserved shop.look ${where} deep[].valueOf: every JavaScript object has \`valueOf\``,
      ),
    ]);
  },
);
