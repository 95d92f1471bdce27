/**
 * What grows in a contract costs in proportion: four times as much of it takes about four times the work of this thread, from the contract to the
 * text of the files. Ratios of processor time of one run, so that a slow or busy machine changes nothing.
 */
import { type Contract, defineContract, genConfigSchema, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
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

/** Microseconds of this thread, the least of some runs; each run makes its contracts anew, since models are remembered. */
const measure = async (make: () => readonly Contract[]): Promise<number> => {
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const contracts = make();
    const before = process.threadCpuUsage();
    await generateOnce(contracts);
    const { user, system } = process.threadCpuUsage(before);
    times.push(user + system);
  }
  return Math.min(...times);
};

test.each<[string, number, (count: number) => readonly Contract[]]>([
  ["names in an enum", 2_000, (count) => [contract("Enum", choices(count))]],
  ["fields", 300, (count) => [contract("Fields", fields(count))]],
  ["levels", 32, (count) => [contract("Levels", levels(count))]],
  ["services", 50, (count) => Array.from({ length: count }, (_, at) => contract(`S${at}`, fields(10)))],
])("%s, up to %i of them", async (_, most, make) => {
  await measure(() => make(most / 4));
  // Sixteen would be a square; a part that does not grow makes it less than four. What else runs on the machine makes it more at times.
  let factor = Number.POSITIVE_INFINITY;
  for (let tries = 5; tries > 0 && factor >= 8; tries -= 1) {
    const few = await measure(() => make(most / 4));
    factor = (await measure(() => make(most))) / few;
  }
  expect(factor).toBeLessThan(8);
});
