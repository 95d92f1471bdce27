/** Releases of contracts that a test writes, by the same documents as those of a project. For tests only. */
import type { Contract } from "@fairlead/contracts";
import { type Release, readRelease } from "../diff/release.ts";
import { emitOpenapi } from "../emit/openapi.ts";
import { emitSchemas } from "../emit/schemas.ts";
import { emitVerbs } from "../emit/verbs.ts";
import { buildServiceModel } from "../model/model.ts";

const imports = {
  manifest: "m",
  call: "c",
  router: "r",
  descriptor: "d",
  schemas: { from: "folder", base: "." },
} as const;

export const buildRelease = (...contracts: readonly Contract[]): Release => {
  const services = contracts.map((contract) => buildServiceModel(contract, `${contract.id}.contract.ts`));
  const project = { services, modules: [], out: { schemas: "gen", kernel: "gen", client: "gen" }, imports };
  const files = [emitOpenapi, emitSchemas, emitVerbs].flatMap((emit) => emit(project));
  const read = readRelease(new Map(files.map(({ path, text }) => [path.replace("gen/", ""), JSON.parse(text)])));
  if ("problem" in read) throw new Error(read.problem);
  return read;
};
