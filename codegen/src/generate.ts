/**
 * The line from contracts to files: load, lower, check, name, emit, write. Nothing is written while there are errors.
 *
 * A session remembers what was loaded, so that a next run pays for changed contracts only. Not here: noticing changes.
 */
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { GenConfig } from "@fairlead/contracts";
import { checkProject, type TokenCost, tokenCosts } from "./check/project.ts";
import { emitAll } from "./emit/all.ts";
import type { CheckedFile } from "./load/checked-file.ts";
import { addLines } from "./load/diagnostic-line.ts";
import { findContracts } from "./load/find.ts";
import { inKeptSession } from "./load/kept-session.ts";
import type { LoadSession } from "./load/load-session.ts";
import { loadFile } from "./load/load-store.ts";
import { type Diagnostic, hasErrors } from "./model/diagnostics.ts";
import type { ServiceModel } from "./model/model.ts";
import {
  findModules,
  type GeneratedFile,
  type OutFolders,
  outFolders,
  resolveImports,
  toSlashes,
} from "./model/project.ts";
import { lockFile, type NamesLock, parseLock, printLock } from "./names/lock.ts";
import { nameTypes } from "./names/name-types.ts";
import { proofFile } from "./proof/proof-store.ts";
import { apply, compare, type FileComparison, type FileDifference, type ReadFiles } from "./write.ts";

/** What a run of the generator works on. */
export interface GenerateOptions {
  /** The project's root folder, absolute. */
  readonly root: string;
  readonly config: GenConfig;
  /** Gets what contracts print while they load; standard error by default. */
  readonly onOutput?: (text: string) => void;
}

/** What a run of the generator wrote. */
export interface GenerateResult {
  /** False when an error stopped the writing. */
  readonly ok: boolean;
  /** Paths from the root. */
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** `/mcp` first, then each service's endpoint. */
  readonly tokens: readonly TokenCost[];
}

/** Whether the generated files are current. */
export interface DriftResult {
  /** False when an error kept the generator from finding out. */
  readonly ok: boolean;
  /** What a run would change; empty when all is current. */
  readonly drift: readonly FileDifference[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Generates everything and writes what changed. Rejects only when the disk fails. */
export const generate = async (options: GenerateOptions): Promise<GenerateResult> =>
  write(options, await planOnce(options));

/** Says what `generate` would change, and changes nothing. */
export const checkDrift = async (options: GenerateOptions): Promise<DriftResult> => {
  const plan = await planOnce(options);
  if (hasErrors(plan.diagnostics)) return { ok: false, drift: [], diagnostics: plan.diagnostics };
  const { differences, diagnostics } = await comparePlan(options, plan);
  return { ok: !hasErrors(diagnostics), drift: differences, diagnostics: [...plan.diagnostics, ...diagnostics] };
};

const planOnce = async (options: GenerateOptions): Promise<GenerationPlan> => {
  const { plan } = await inKeptSession(resolve(options.root), async (session) => {
    const plan = await planner(options, session)();
    return { plan, keep: plan.unloaded.length === 0 };
  });
  return plan;
};

/** What a run came to before anything is written. */
interface GenerationPlan {
  readonly files: readonly GeneratedFile[];
  /** What earlier plans of the same planner have read of them. */
  readonly read: ReadFiles;
  readonly diagnostics: readonly Diagnostic[];
  readonly tokens: readonly TokenCost[];
  /** Contract files that could not be loaded; any change may be the one that repairs them. */
  readonly unloaded: readonly string[];
}

export const write = async (options: GenerateOptions, plan: GenerationPlan): Promise<GenerateResult> => {
  const stopped = { ok: false, written: [], unchanged: [], removed: [], tokens: plan.tokens };
  if (hasErrors(plan.diagnostics)) return { ...stopped, diagnostics: plan.diagnostics };
  const comparison = await comparePlan(options, plan);
  const diagnostics = [...plan.diagnostics, ...comparison.diagnostics];
  if (hasErrors(diagnostics)) return { ...stopped, diagnostics };
  await apply(options.root, plan, comparison);
  const paths = (removed: boolean): readonly string[] =>
    comparison.differences.filter(({ change }) => (change === "removed") === removed).map(({ path }) => path);
  return {
    ok: true,
    written: paths(false),
    unchanged: comparison.unchanged,
    removed: paths(true),
    diagnostics,
    tokens: plan.tokens,
  };
};

const comparePlan = ({ root, config }: GenerateOptions, plan: GenerationPlan): Promise<FileComparison> => {
  return compare(root, plan, Object.values(relativeOut(root, config)));
};

const relativeOut = (root: string, config: GenConfig): OutFolders => {
  const { schemas, kernel, client, python } = outFolders(root, config);
  const from = (folder: string): string => toSlashes(relative(root, folder)) || ".";
  return {
    schemas: from(schemas),
    kernel: from(kernel),
    client: from(client),
    ...(python !== undefined && { python: from(python) }),
  };
};

/** Plans runs of one project; the session knows what need not be loaded again. */
export const planner = (options: GenerateOptions, session: LoadSession): (() => Promise<GenerationPlan>) => {
  const { root, config } = options;
  const out = relativeOut(root, config);
  const imports = resolveImports(outFolders(resolve(root), config));
  const proof = { values: config.proof, file: proofFile(root) };
  const loads = loadFile(root);
  const loading = { timeoutMs: config.loadTimeoutMs, onOutput: options.onOutput ?? toStderr, proof, loads };
  const read: ReadFiles = new Map();
  return async () => {
    const found = await findContracts(root, config);
    session.start(found.files, loading);
    const checked: CheckedFile[] = [];
    for (const contract of found.files) checked.push(await session.load(contract, loading));
    session.save();
    const before = await readLock(root);
    const { services, lock, diagnostics: naming } = nameTypes(sortById(checked), before.lock);
    const { modules, diagnostics } = findModules(root, config, services);
    const judged = [
      ...found.diagnostics,
      ...before.diagnostics,
      ...checked.flatMap((each) => each.diagnostics),
      ...checkProject(services),
      ...diagnostics,
    ];
    // A contract that could not be read leaves all its names unused.
    const all = [...judged, ...(hasErrors(judged) ? naming.filter(({ code }) => code !== "name_unused") : naming)];
    return {
      files: hasErrors(all)
        ? []
        : [...(await emitAll({ services, modules, out, imports })), ...lockFiles(lock, before)],
      read,
      // Those of one file have their lines already; to read all files for a warning about the project is not worth it.
      diagnostics: hasErrors(all) ? addLines(all, found.files) : all,
      tokens: tokenCosts(services),
      unloaded: found.files
        .filter((_, index) => checked[index]?.diagnostics.some(isLoadFailure))
        .map(({ file }) => file),
    };
  };
};

const sortById = (checked: readonly CheckedFile[]): readonly ServiceModel[] =>
  checked.flatMap((each) => each.services).toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

interface ReadLock {
  readonly exists: boolean;
  readonly lock: NamesLock;
  readonly diagnostics: readonly Diagnostic[];
}

const readLock = async (root: string): Promise<ReadLock> => {
  const text = await readFile(join(root, lockFile), "utf8").catch(() => undefined);
  return { exists: text !== undefined, ...parseLock(text) };
};

/** None where nothing has a name that other documents share. */
const lockFiles = (lock: NamesLock, { exists }: ReadLock): readonly GeneratedFile[] =>
  lock.size > 0 || exists ? [{ path: lockFile, text: printLock(lock) }] : [];

const isLoadFailure = ({ code }: Diagnostic): boolean => code === "contract_load_failed";

/** Standard output belongs to the result. */
const toStderr = (text: string): void => void process.stderr.write(text);
