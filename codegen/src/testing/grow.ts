/** Contracts that grow in one respect each, from the contract to the text of their files. Loaded by `count-blocks.ts`. */
import { type Contract, defineContract, genConfigSchema, query } from "@fairlead/contracts";
import * as z from "zod";
import { checkProject } from "../check/project.ts";
import { checkService } from "../check/service.ts";
import { emitAll } from "../emit/all.ts";
import { buildServiceModel } from "../model/model.ts";
import { outFolders, resolveImports } from "../model/project.ts";
import { nameTypes } from "../names/name-types.ts";
import { proveContracts } from "../proof/prove-contract.ts";

const contract = (id: string, input: z.ZodType): Contract =>
  defineContract({
    id,
    version: "1.0.0",
    summary: "Grows.",
    procedures: {
      [`do${id}`]: query({ summary: "Does.", input: z.object({ it: input.describe("It") }), output: input }),
    },
  });

const fields = (count: number): z.ZodType =>
  z.object(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, z.string().describe(`Field ${at}`)])),
  );

const levels = (count: number): z.ZodType =>
  count === 0 ? z.string() : z.object({ next: levels(count - 1).describe("Deeper"), at: z.int().describe("Level") });

const choices = (count: number): z.ZodType =>
  z.enum(Array.from({ length: count }, (_, at) => `choice_${at}`) as [string]);

/** What grows, by name, and the most of it. */
export const growths: ReadonlyMap<string, { readonly most: number; make(count: number): readonly Contract[] }> =
  new Map([
    ["names in an enum", { most: 2_000, make: (count) => [contract("Enum", choices(count))] }],
    ["fields", { most: 300, make: (count) => [contract("Fields", fields(count))] }],
    ["levels", { most: 32, make: (count) => [contract("Levels", levels(count))] }],
    [
      "services",
      { most: 50, make: (count) => Array.from({ length: count }, (_, at) => contract(`S${at}`, fields(10))) },
    ],
  ]);

const imports = resolveImports(outFolders(import.meta.dirname, genConfigSchema.parse({})));

/** Generates all files of these contracts; succeeds with the size of their text. */
export const generateOnce = async (contracts: readonly Contract[]): Promise<number> => {
  const models = contracts.map((each) => buildServiceModel(each, "x.contract.ts"));
  for (const model of models) checkService(model, false);
  await proveContracts(contracts, models, { values: 10, known: new Map(), sources: () => "" });
  const { services } = nameTypes(models, new Map());
  checkProject(services);
  const out = { schemas: "gen", kernel: "gen", client: "gen", python: "gen/clients" };
  const files = await emitAll({ services, modules: [], out, imports });
  return files.reduce((size, { text }) => size + text.length, 0);
};
