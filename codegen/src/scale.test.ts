/**
 * What grows in a contract costs in proportion: four times as much of it runs at most about four times as many blocks of code, from the contract to
 * the text of the files. V8 counts them, so that a slow or busy machine changes nothing.
 */
import { Session } from "node:inspector/promises";
import { type Contract, defineContract, genConfigSchema, query } from "@fairlead/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { checkProject } from "./check/project.ts";
import { checkService } from "./check/service.ts";
import { emitAll } from "./emit/all.ts";
import { buildServiceModel } from "./model/model.ts";
import { outFolders, resolveImports } from "./model/project.ts";
import { nameTypes } from "./names/name-types.ts";
import { proveContracts } from "./proof/prove-contract.ts";

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

const folder = import.meta.dirname;
const imports = resolveImports(outFolders(folder, genConfigSchema.parse({})));

const generateOnce = async (contracts: readonly Contract[]): Promise<number> => {
  const models = contracts.map((each) => buildServiceModel(each, "x.contract.ts"));
  for (const model of models) checkService(model, false);
  await proveContracts(contracts, models, { values: 10, known: new Map(), sources: () => "" });
  const { services } = nameTypes(models, new Map());
  checkProject(services);
  const out = { schemas: "gen", kernel: "gen", client: "gen", python: "gen/clients" };
  const files = await emitAll({ services, modules: [], out, imports });
  return files.reduce((size, { text }) => size + text.length, 0);
};

/** Counts from before anything runs: what is compiled earlier has no counters in its blocks. */
const session = new Session();
beforeAll(async () => {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
});
afterAll(() => session.disconnect());

/** How often blocks of code of this package and of Zod ran since the last time. */
const takeCount = async (): Promise<number> => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url }) => /\/codegen\/src\/|\/zod\//.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
};

/** Contracts are made again for each, since models are remembered. */
const countBlocks = async (make: () => readonly Contract[]): Promise<number> => {
  await takeCount();
  await generateOnce(make());
  return takeCount();
};

test.each<[string, number, (count: number) => readonly Contract[]]>([
  ["names in an enum", 2_000, (count) => [contract("Enum", choices(count))]],
  ["fields", 300, (count) => [contract("Fields", fields(count))]],
  ["levels", 32, (count) => [contract("Levels", levels(count))]],
  ["services", 50, (count) => Array.from({ length: count }, (_, at) => contract(`S${at}`, fields(10)))],
])("%s, up to %i of them", async (_, most, make) => {
  // Modules and what they remember are ready before anything is counted.
  await generateOnce(make(1));
  const few = await countBlocks(() => make(most / 4));
  const many = await countBlocks(() => make(most));
  expect(few).toBeGreaterThan(most);
  // Sixteen would be a square.
  expect(many / few).toBeLessThan(4.2);
});
