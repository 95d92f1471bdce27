/**
 * Imports one contract file and reads the contracts that it exports, complete: what JavaScript authors write is parsed at every depth, so
 * that they get the errors that types give others. Runs where a contract's code may run (`worker`).
 *
 * The one computed `import()` of this package is here. Not here: whether a contract is a good one (`check`).
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Contract, DefinitionError, decoder } from "@fairlead/contracts";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import { buildServiceModel, type ServiceModel } from "../model/model.ts";
import { contractShape } from "./contract-shape.ts";
import { describeLoadFailure, describeUnreadable } from "./failure.ts";
import type { ContractFile } from "./find.ts";
import { findLine, readTokens, type SourceToken } from "./source-line.ts";

/** What one contract file comes to once its code has run: plain data. */
export interface LoadedFile {
  readonly services: readonly ServiceModel[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The same with the contracts themselves, which stay where their code runs: the model of each is at its index in `loaded.services`. */
export interface ImportedFile {
  readonly contracts: readonly Contract[];
  readonly loaded: LoadedFile;
}

/** Never rejects: a file that cannot be imported, or exports no contract, is diagnosed. */
export const loadFile = async (contract: ContractFile, version: number): Promise<ImportedFile> => {
  let exported: unknown;
  try {
    exported = await importModule(contract.file, version);
  } catch (failure) {
    // What was refused where it is written is read once more, for all that is wrong with it and the lines.
    const refused = failure instanceof DefinitionError ? readModule([failure.definition], contract) : undefined;
    if (refused?.loaded.diagnostics.some(({ code }) => code === "contract_malformed") === true) return refused;
    return { contracts: [], loaded: { services: [], diagnostics: [describeLoadFailure(contract, failure)] } };
  }
  return readModule(exported, contract);
};

/** What a module's exports come to. Never throws. */
export const readModule = (exported: unknown, file: ContractFile): ImportedFile => {
  try {
    const { found, diagnostics } = readContracts(exported, file);
    const contracts: Contract[] = [];
    const services: ServiceModel[] = [];
    const failures: Diagnostic[] = [];
    for (const each of found) {
      const model = buildModel(each, file);
      if ("code" in model) failures.push(model);
      else {
        contracts.push(each);
        services.push(model);
      }
    }
    return { contracts, loaded: { services, diagnostics: [...diagnostics, ...failures] } };
  } catch (failure) {
    return { contracts: [], loaded: { services: [], diagnostics: [describeUnreadable(file, "", failure)] } };
  }
};

const buildModel = (contract: Contract, file: ContractFile): ServiceModel | Diagnostic => {
  try {
    return buildServiceModel(contract, file.source);
  } catch (failure) {
    return describeUnreadable(file, contract.id, failure);
  }
};

const importModule = (file: string, version: number): Promise<unknown> => {
  const { href } = pathToFileURL(file);
  return import(version === 0 ? href : `${href}?fairlead=${version}`);
};

const decodeContract = decoder<unknown>(contractShape);

/** The contracts among a module's exports, and in lists among them. */
const readContracts = (
  module: unknown,
  { source, file }: ContractFile,
): { readonly found: readonly Contract[]; readonly diagnostics: readonly Diagnostic[] } => {
  const candidates = new Set(Object.values(Object(module)).flatMap((each) => (Array.isArray(each) ? each : [each])));
  const alike = [...candidates].filter(looksLikeContract);
  if (alike.length === 0) {
    const message = "the file exports no contract";
    const fix = "export what defineContract({ … }) returns, or a list of such";
    return { found: [], diagnostics: [diagnostic("contract_empty", { source, where: "" }, { message, fix })] };
  }
  const found: Contract[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const candidate of alike) {
    const decoded = decodeContract(candidate);
    // The border to what was imported: parsed, and used as it was written, since decoding copies what schemas are.
    if (decoded.ok) {
      found.push(candidate as Contract);
      continue;
    }
    const tokens = readTokens(readFileSync(file, "utf8"));
    diagnostics.push(...decoded.issues.map((issue) => describeIssue(candidate, issue, { source, tokens })));
  }
  return { found, diagnostics };
};

const looksLikeContract = (value: unknown): value is { readonly id?: unknown; readonly procedures: unknown } =>
  typeof value === "object" && value !== null && "procedures" in value;

const describeIssue = (
  { id }: { readonly id?: unknown },
  { path, expected, fix }: { readonly path: string; readonly expected: string; readonly fix: string },
  { source, tokens }: { readonly source: string; readonly tokens: readonly SourceToken[] },
): Diagnostic => {
  const where = typeof id === "string" ? id : "";
  const text = { message: `\`${path}\` in the contract: expected ${expected}`, fix };
  const line = findLine(
    tokens,
    where,
    path.split(/[^\w$-]+/).filter((each) => each !== ""),
  );
  return { ...diagnostic("contract_malformed", { source, where }, text), ...(line !== undefined && { line }) };
};
