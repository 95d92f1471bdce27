/**
 * What is known of a project's contract files: which were loaded, what they came to, and what they import. A file is loaded again only
 * when it, or one that it imports, has changed.
 *
 * Not here: how one file is loaded (`loading-thread`), and how long a session is kept (`kept-session`).
 */
import { type Diagnostic, hasErrors } from "../model/diagnostics.ts";
import type { ProofFinding } from "../proof/finding.ts";
import { addProofs } from "../proof/proof-store.ts";
import { type CheckedFile, checkFile } from "./checked-file.ts";
import { addLines } from "./diagnostic-line.ts";
import { describeEnd, describeSilence, type LoadEnd } from "./failure.ts";
import type { ContractFile } from "./find.ts";
import type { LoadBasis } from "./load-basis.ts";
import { type LoadStore, loadStore } from "./load-store.ts";
import { type LoadingOptions, loadingThread } from "./loading-thread.ts";
import { type ModuleGraph, moduleGraph } from "./module-graph.ts";
import type { LoadReply, ProofOptions } from "./worker.ts";

export interface LoadSession {
  /** Says which files have changed, and learns what is imported. */
  readonly graph: ModuleGraph;
  /** Begins a run: the thread starts where there is something to load, before it is asked for. */
  start(contracts: readonly ContractFile[], options: SessionOptions): void;
  /** Never rejects. One file at a time. */
  load(contract: ContractFile, options: SessionOptions): Promise<CheckedFile>;
  /** Keeps what was loaded and proved since for the next process. */
  save(): void;
  /** Ends the thread that contracts load in. */
  close(): Promise<void>;
}

interface SessionOptions extends LoadingOptions {
  readonly proof: ProofOptions;
  /** Where what was loaded in earlier processes is; nothing is kept without. */
  readonly loads?: string | undefined;
}

interface KnownFile {
  readonly version: number;
  readonly contract: ContractFile;
  readonly checked: CheckedFile;
}

interface FreshFile extends CheckedFile {
  /** What it follows from, where that is known. */
  readonly basis?: LoadBasis | undefined;
}

/** A proof tries many values of every schema: it may take this many times what loading may. */
const proofShare = 4;

/**
 * Files that are loaded again before the thread is replaced. A module that was imported, and a definition that was compiled, is never let go in a thread: hours of edits
 * would fill the memory.
 */
const reloadsPerThread = 200;

export const loadSession = (mostReloads = reloadsPerThread): LoadSession => {
  const graph = moduleGraph();
  const thread = loadingThread();
  const known = new Map<string, KnownFile>();

  let reloads = 0;
  const fresh = new Map<string, readonly ProofFinding[]>();
  let proofFile: string | undefined;
  let store: LoadStore | undefined;
  let runs = 0;

  const loadFresh = async (contract: ContractFile, options: SessionOptions): Promise<FreshFile> => {
    const isProvedNext = isToProve(contract, options);
    const reply = await thread.load({ type: "load", contract, versions: graph.versions(), isProvedNext }, options);
    if (reply.type === "loaded") {
      graph.add(reply.imports);
      const { services, diagnostics } = reply.loaded;
      // The reader says what is wrong with a file; silence means that the contract's code has changed the reader.
      if (services.length === 0 && diagnostics.length === 0)
        return { services, diagnostics: [describeSilence(contract)] };
      return prove(contract, { ...checkFile(contract, reply.loaded), basis: reply.basis }, options);
    }
    graph.add([[contract.file, undefined]]);
    return { services: [], diagnostics: describeEnds(contract, reply) };
  };

  const loadAgain = async (contract: ContractFile, options: SessionOptions): Promise<CheckedFile> => {
    let isQuiet = true;
    const onOutput = (text: string): void => {
      isQuiet = false;
      options.onOutput(text);
    };
    const { services, diagnostics, basis } = await loadFresh(contract, { ...options, onOutput });
    const checked = { services, diagnostics: addLines(diagnostics, [contract]) };
    // Later runs may be of modules that have changed since the thread has imported them.
    const isFirst = runs === 1 && graph.version(contract.file) === 0;
    if (isFirst && isQuiet && basis !== undefined && !hasErrors(diagnostics)) store?.add(contract, basis, checked);
    return checked;
  };

  /** What is wrong already is not proved: what follows from it would be found once more. */
  const prove = async (contract: ContractFile, checked: FreshFile, options: SessionOptions): Promise<FreshFile> => {
    if (!isToProve(contract, options) || hasErrors(checked.diagnostics)) return checked;
    proofFile = options.proof.file;
    const timeoutMs = options.timeoutMs * proofShare;
    const reply = await thread.load({ type: "prove", contract, options: options.proof }, { ...options, timeoutMs });
    if (reply.type !== "proved") return { services: [], diagnostics: describeEnds(contract, reply) };
    for (const [key, findings] of reply.proof.fresh) fresh.set(key, findings);
    return { ...checked, basis: reply.basis, diagnostics: [...checked.diagnostics, ...reply.proof.diagnostics] };
  };

  return {
    graph,
    start: (contracts, { loads, proof }) => {
      runs += 1;
      if (loads !== undefined && store?.values !== proof.values) store = loadStore(loads, proof.values);
      if (contracts.some((contract) => !known.has(contract.file) && store?.has(contract) !== true)) thread.start();
    },
    load: async (contract, options) => {
      const version = graph.version(contract.file);
      const before = known.get(contract.file);
      if (before !== undefined && before.version === version && isSame(before.contract, contract))
        return before.checked;
      const stored = before === undefined ? store?.find(contract) : undefined;
      if (stored !== undefined) {
        graph.add([[contract.file, undefined], ...stored.files.map((file) => [file, contract.file] as const)]);
        known.set(contract.file, { version, contract, checked: stored.checked });
        return stored.checked;
      }
      const checked = await loadAgain(contract, options);
      // Between two files: the next proof is of a file that the new thread has loaded itself.
      if (before !== undefined) reloads += 1;
      if (reloads >= mostReloads) {
        reloads = 0;
        thread.renew();
      }
      known.set(contract.file, { version, contract, checked });
      return checked;
    },
    save: () => {
      store?.save();
      addProofs(proofFile, fresh);
      fresh.clear();
    },
    close: thread.close,
  };
};

const isToProve = ({ isProved }: ContractFile, { proof }: SessionOptions): boolean =>
  proof.values > 0 && isProved !== true;

/** Any other reply than the one that was waited for. */
const describeEnds = (contract: ContractFile, reply: LoadReply | LoadEnd): readonly Diagnostic[] =>
  reply.type === "loaded" || reply.type === "proved" ? [] : [describeEnd(contract, reply)];

/** Settings may have given the file another name since. */
const isSame = (a: ContractFile, b: ContractFile): boolean => a.source === b.source && a.builtIn === b.builtIn;
