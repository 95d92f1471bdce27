/**
 * What is known of a project's contract files: which were loaded, what they came to, and what they import. A file is loaded again only
 * when it, or one that it imports, has changed.
 *
 * Not here: how one file is loaded (`loading-thread`), and how long a session is kept (`kept-session`).
 */
import { checkService } from "../check/service.ts";
import type { Diagnostic } from "../model/diagnostics.ts";
import type { ServiceModel } from "../model/model.ts";
import { describeEnd, describeLoadFailure } from "./failure.ts";
import type { ContractFile } from "./find.ts";
import { type LoadingOptions, loadingThread } from "./loading-thread.ts";
import { type ModuleGraph, moduleGraph } from "./module-graph.ts";
import type { LoadedFile } from "./read.ts";

/** A contract file after its checks. */
export interface CheckedFile {
  readonly services: readonly ServiceModel[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface LoadSession {
  /** Says which files have changed, and learns what is imported. */
  readonly graph: ModuleGraph;
  /** Starts the thread before there is anything to load. */
  start(): void;
  /** Never rejects. One file at a time. */
  load(contract: ContractFile, options: LoadingOptions): Promise<CheckedFile>;
  /** Ends the thread that contracts load in. */
  close(): Promise<void>;
}

interface KnownFile {
  readonly version: number;
  readonly contract: ContractFile;
  readonly checked: CheckedFile;
}

export const loadSession = (): LoadSession => {
  const graph = moduleGraph();
  const thread = loadingThread();
  const known = new Map<string, KnownFile>();

  const loadAnew = async (contract: ContractFile, options: LoadingOptions): Promise<CheckedFile> => {
    const reply = await thread.load({ contract, versions: graph.versions() }, options);
    if (reply.type === "loaded") {
      graph.add(reply.imports);
      return checkFile(contract, reply.loaded);
    }
    graph.add([[contract.file, undefined]]);
    return { services: [], diagnostics: [describeEnd(contract, reply)] };
  };

  return {
    graph,
    start: thread.start,
    load: async (contract, options) => {
      const version = graph.version(contract.file);
      const before = known.get(contract.file);
      if (before !== undefined && before.version === version && isSame(before.contract, contract))
        return before.checked;
      const checked = await loadAnew(contract, options);
      known.set(contract.file, { version, contract, checked });
      return checked;
    },
    close: thread.close,
  };
};

/** Settings may have given the file another name since. */
const isSame = (a: ContractFile, b: ContractFile): boolean => a.source === b.source && a.builtIn === b.builtIn;

/** Here and not in the thread, which would have to read the checks' modules first. */
const checkFile = (contract: ContractFile, { services, diagnostics }: LoadedFile): CheckedFile => {
  try {
    const found = services.flatMap((service) => checkService(service, contract.builtIn));
    return { services, diagnostics: [...diagnostics, ...found] };
  } catch (failure) {
    return { services: [], diagnostics: [describeLoadFailure(contract, failure)] };
  }
};
