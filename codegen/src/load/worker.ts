/**
 * The loading thread: imports contract files and gives back what they come to, as plain data. A contract's code ends this thread at most.
 *
 * Not here: the other side, with the deadline (`loading-thread`).
 */
import { parentPort } from "node:worker_threads";
import type { ContractFile } from "./find.ts";
import type { ModuleImport } from "./module-graph.ts";
import { noteImports } from "./module-hooks.ts";
import { type LoadedFile, loadFile } from "./read.ts";

export interface LoadRequest {
  readonly contract: ContractFile;
  /** Of this file and those it imports, where they are not 0. */
  readonly versions: ReadonlyMap<string, number>;
}

export type LoadReply =
  | { readonly type: "loaded"; readonly loaded: LoadedFile; readonly imports: readonly ModuleImport[] }
  /** The contract's code calls `process.exit`; the thread ends now. */
  | { readonly type: "exit"; readonly code: number };

const port = parentPort;
if (port === null) throw new Error("this module runs in a worker thread");

let versions: ReadonlyMap<string, number> = new Map();
const takeImports = noteImports((file) => versions.get(file) ?? 0);
const reply = (message: LoadReply): void => port.postMessage(message);

const exit = process.exit.bind(process);
process.exit = (code) => {
  reply({ type: "exit", code: Number(code ?? process.exitCode ?? 0) });
  return exit(code);
};

const outputs = [process.stdout, process.stderr];

/** What was printed reaches the other side before the reply does. */
const flushOutput = async (): Promise<void> => {
  for (const output of outputs) if (output.writableLength > 0) await new Promise((done) => output.write("", done));
};

port.on("message", async (request: LoadRequest) => {
  const { contract } = request;
  versions = request.versions;
  // Without a claim on the thread: a promise that nothing can settle ends it at once, instead of at the deadline.
  port.unref();
  const loaded = await loadFile(contract, versions.get(contract.file) ?? 0);
  port.ref();
  await flushOutput();
  reply({ type: "loaded", loaded, imports: takeImports() });
});
