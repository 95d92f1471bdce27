/**
 * Imports one contract file and reads the contracts that it exports, complete: what JavaScript authors write is parsed at every depth, so
 * that they get the errors that types give others. Runs where a contract's code may run (`worker`).
 *
 * The one computed `import()` of this package is here. Not here: whether a contract is a good one (`check`).
 */
import { pathToFileURL } from "node:url";
import { type Contract, decoder } from "@fairlead/contracts";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import { buildServiceModel, type ServiceModel } from "../model/model.ts";
import { contractShape } from "./contract-shape.ts";
import { describeLoadFailure } from "./failure.ts";
import type { ContractFile } from "./find.ts";

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
  try {
    const exported: unknown = await importModule(contract.file, version);
    const { contracts, diagnostics } = readContracts(exported, contract.source);
    const services = contracts.map((each) => buildServiceModel(each, contract.source));
    return { contracts, loaded: { services, diagnostics } };
  } catch (failure) {
    return { contracts: [], loaded: { services: [], diagnostics: [describeLoadFailure(contract, failure)] } };
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
  source: string,
): { readonly contracts: readonly Contract[]; readonly diagnostics: readonly Diagnostic[] } => {
  const candidates = new Set(Object.values(Object(module)).flatMap((each) => (Array.isArray(each) ? each : [each])));
  const found = [...candidates].filter(looksLikeContract);
  if (found.length === 0) {
    const message = "the file exports no contract";
    const fix = "export what defineContract({ … }) returns, or a list of such";
    return { contracts: [], diagnostics: [diagnostic("contract_empty", { source, where: "" }, { message, fix })] };
  }
  const contracts: Contract[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const candidate of found) {
    const decoded = decodeContract(candidate);
    // The border to what was imported: parsed, and used as it was written, since decoding copies what schemas are.
    if (decoded.ok) contracts.push(candidate as Contract);
    else diagnostics.push(...decoded.issues.map((issue) => describeIssue(candidate, issue, source)));
  }
  return { contracts, diagnostics };
};

const looksLikeContract = (value: unknown): value is { readonly id?: unknown; readonly procedures: unknown } =>
  typeof value === "object" && value !== null && "procedures" in value;

const describeIssue = (
  { id }: { readonly id?: unknown },
  { path, expected, fix }: { readonly path: string; readonly expected: string; readonly fix: string },
  source: string,
): Diagnostic =>
  diagnostic(
    "contract_malformed",
    { source, where: typeof id === "string" ? id : "" },
    { message: `\`${path}\` in the contract: expected ${expected}`, fix },
  );
