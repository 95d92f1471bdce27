/**
 * The loading thread: imports contract files and gives back what they come to, as plain data. A contract's code ends this thread at most.
 *
 * Not here: the other side, with the deadline (`loading-thread`).
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type MessagePort, parentPort } from "node:worker_threads";
import { faultPlace } from "@fairlead/contracts";
import { type KnownProofs, readProofs } from "../proof/proof-store.ts";
import { type ContractProof, proveContracts } from "../proof/prove-contract.ts";
import type { ContractFile } from "./find.ts";
import { type LoadBasis, loadBasis, noteProcess } from "./load-basis.ts";
import { type ModuleGraph, type ModuleImport, moduleGraph } from "./module-graph.ts";
import { noteImports } from "./module-hooks.ts";
import { type ImportedFile, type LoadedFile, loadFile } from "./read.ts";

export type LoadRequest =
  | {
      readonly type: "load";
      readonly contract: ContractFile;
      /** Of this file and those it imports, where they are not 0. */
      readonly versions: ReadonlyMap<string, number>;
      /** A proof follows, whose reply says what the file depends on: a list of hundreds of paths. */
      readonly isProvedNext: boolean;
    }
  /** For a file that was loaded before. */
  | { readonly type: "prove"; readonly contract: ContractFile; readonly options: ProofOptions };

export interface ProofOptions {
  /** Values for each schema. */
  readonly values: number;
  /** Where earlier proofs are. */
  readonly file: string | undefined;
}

export type LoadReply =
  | {
      readonly type: "loaded";
      readonly loaded: LoadedFile;
      readonly imports: readonly ModuleImport[];
      readonly basis: LoadBasis | undefined;
    }
  | { readonly type: "proved"; readonly proof: ContractProof; readonly basis: LoadBasis | undefined }
  /** The contract's code calls `process.exit`, or `process.kill` for this process; the thread ends now. */
  | { readonly type: "exit"; readonly call: string; readonly end: string; readonly place?: string | undefined }
  /** It throws what nothing catches; the thread ends now. */
  | { readonly type: "failed"; readonly message: string; readonly place?: string | undefined };

/** What a contract's code prints. */
export interface LoadOutput {
  readonly type: "output";
  readonly text: string;
}

const threadPort = parentPort;
if (threadPort === null) throw new Error("this module runs in a worker thread");
const port = await new Promise<MessagePort>((resolve) => threadPort.once("message", resolve));

let versions: ReadonlyMap<string, number> = new Map();
const notes = noteImports((file) => versions.get(file) ?? 0);
const reply = (message: LoadReply | LoadOutput): void => port.postMessage(message);

/** Deep enough that the author's file is in the stack of what a library throws. */
Error.stackTraceLimit = 50;

/** Node calls `process.exit` itself for what nothing catches: the first reply is the one that counts. */
process.on("uncaughtExceptionMonitor", (failure) =>
  reply({ type: "failed", message: messageIn(failure), place: faultPlace(failure) }),
);

const messageIn = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

const exit = process.exit.bind(process);
process.exit = (code) => {
  const left = new Error();
  Error.captureStackTrace(left, process.exit);
  const end = `code ${Number(code ?? process.exitCode ?? 0)}`;
  reply({ type: "exit", call: "process.exit()", end, place: faultPlace(left) });
  return exit(code);
};

/** A signal is sent to all threads of a process. */
const kill = process.kill.bind(process);
process.kill = (id, signal) => {
  // 0 only asks whether there is such a process; 0 as an id, and negative ones, are groups of processes.
  if (signal === 0 || (id > 0 && id !== process.pid)) return kill(id, signal);
  const left = new Error();
  Error.captureStackTrace(left, process.kill);
  reply({ type: "exit", call: "process.kill()", end: String(signal ?? "SIGTERM"), place: faultPlace(left) });
  return exit(1);
};

// By message, in order with the replies: a stream of the thread's own would keep the process alive for as long as it is read.
for (const output of [process.stdout, process.stderr]) {
  output._write = (chunk, _, done) => {
    reply({ type: "output", text: String(chunk) });
    done();
  };
}

noteProcess();

const imported = new Map<string, ImportedFile>();
const graph: ModuleGraph = moduleGraph();

const load = async ({ contract, ...request }: Extract<LoadRequest, { readonly type: "load" }>): Promise<LoadReply> => {
  versions = request.versions;
  const file = await loadFile(contract, versions.get(contract.file) ?? 0);
  imported.set(contract.file, file);
  const imports = notes.take();
  graph.add(imports);
  const basis = request.isProvedNext ? undefined : loadBasis(notes.reached(contract.file));
  return { type: "loaded", loaded: file.loaded, imports, basis };
};

let known: KnownProofs | undefined;

const prove = async ({ contract, options }: Extract<LoadRequest, { readonly type: "prove" }>): Promise<LoadReply> => {
  known ??= readProofs(options.file);
  const { contracts = [], loaded } = imported.get(contract.file) ?? {};
  const settings = { values: options.values, known, sources: () => sourcesHash(contract.file) };
  const proof = await proveContracts(contracts, loaded?.services ?? [], settings);
  known = new Map([...known, ...proof.fresh]);
  // A proof runs what the contract has in its schemas.
  return { type: "proved", proof, basis: loadBasis(notes.reached(contract.file)) };
};

/** Of a file and all that it imports: as they are on the disk, and those of packages as they were when this thread imported them. */
const sourcesHash = (file: string): string => {
  const own = graph.imported(file).map((each) => readFileSync(each, "utf8"));
  return hash("sha1", [...own, ...notes.reached(file).packaged].join("\n"), "base64url");
};

port.on("message", async (request: LoadRequest) => {
  // Without a claim on the thread: a promise that nothing can settle ends it at once, instead of at the deadline.
  port.unref();
  const answer = request.type === "load" ? await load(request) : await prove(request);
  port.ref();
  reply(answer);
});
