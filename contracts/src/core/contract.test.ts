import { expect, test } from "vitest";
import * as z from "zod";
import { defineContract } from "./contract.ts";
import { DefinitionError } from "./definition-check.ts";
import { mutation, type Rename, subscription } from "./procedure.ts";

const about = { summary: "Adds.", input: z.object({}), output: z.null() };
const notes = (renamedFrom: Readonly<Record<string, Rename>>, more: { readonly tool?: string | false } = {}) =>
  defineContract({
    id: "notes",
    version: "1.3.0",
    summary: "Notes.",
    procedures: {
      create: mutation({ ...about, ...more, retry: "keyed", http: { path: "/stated" }, renamedFrom }),
      watch: subscription({ ...about, renamedFrom: { listen: { since: "1.1.0" } } }),
    },
  });
const oldName = (contract: { readonly procedures: object }, name: string): unknown =>
  Reflect.get(contract.procedures, name);

test("an old name is a deprecated procedure of its own", () => {
  const contract = notes({ add: { since: "1.3.0" }, put: { since: "1.2.0", tool: "put_note" } });
  expect(Object.keys(contract.procedures)).toEqual(["create", "watch", "add", "put", "listen"]);
  expect(oldName(contract, "add")).toMatchObject({
    kind: "mutation",
    retry: "keyed",
    http: { path: "/notes/add" },
    deprecated: { since: "1.3.0", use: "notes.create" },
    renamedTo: "create",
  });
  expect(oldName(contract, "add")).not.toHaveProperty("tool");
  expect(oldName(contract, "put")).toMatchObject({ tool: "put_note" });
  expect(oldName(contract, "listen")).toMatchObject({ kind: "subscription", renamedTo: "watch" });
});

test("a tool that the contract states stays with the new name", () => {
  expect(oldName(notes({ add: { since: "1.3.0" } }, { tool: "note" }), "add")).toMatchObject({ tool: false });
  expect(oldName(notes({ add: { since: "1.3.0" } }, { tool: false }), "add")).toMatchObject({ tool: false });
});

test("a contract defined again is the same", () => {
  const contract = notes({ add: { since: "1.3.0" } });
  expect(defineContract(contract)).toEqual(contract);
});

test("an old name that is taken is refused", () => {
  expect(() => notes({ watch: { since: "1.3.0" } })).toThrow(DefinitionError);
  expect(() => notes({ listen: { since: "1.3.0" } })).toThrow(/`listen`, and another procedure is called that/);
});
