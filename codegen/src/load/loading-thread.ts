/**
 * Contracts load in a thread of their own, with a deadline: what their code does (ends the process, waits for ever, prints) is a
 * diagnostic, and reaches neither the generator's result nor its output. A thread that ended is replaced at the next file.
 *
 * Not here: what runs in the thread (`worker`).
 */
import { Worker } from "node:worker_threads";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import type { ContractFile } from "./find.ts";
import type { ModuleGraph } from "./module-graph.ts";
import type { CheckedFile } from "./read.ts";
import type { LoadReply, LoadRequest } from "./worker.ts";

export interface LoadingThread {
  /** Never rejects. One file at a time. */
  check(contract: ContractFile, graph: ModuleGraph): Promise<CheckedFile>;
  close(): Promise<void>;
}

export interface LoadingOptions {
  /** Milliseconds that one contract file may take to load. */
  readonly timeoutMs: number;
  /** What contracts print. */
  readonly onOutput: (text: string) => void;
}

export const loadingThread = (options: LoadingOptions): LoadingThread => {
  let worker: Worker | undefined;
  const end = async (): Promise<void> => {
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  return {
    check: async (contract, graph) => {
      worker ??= startWorker(options);
      const reply = await ask(worker, { contract, versions: graph.versions() }, options.timeoutMs);
      if (reply.type === "checked") {
        graph.add(reply.imports);
        return reply.checked;
      }
      await end();
      graph.add([[contract.file, undefined]]);
      return { services: [], diagnostics: [describeEnd(contract, reply)] };
    },
    close: end,
  };
};

const startWorker = ({ onOutput }: LoadingOptions): Worker => {
  const inSource = import.meta.url.endsWith(".ts");
  const worker = new Worker(new URL(inSource ? "./worker.ts" : "./worker.js", import.meta.url), {
    execArgv: inSource ? ["--conditions=@fairlead/source"] : process.execArgv.filter(isLoadingFlag),
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr]) stream.on("data", (chunk) => onOutput(String(chunk)));
  return worker;
};

/** Flags by which modules are found and read. */
const isLoadingFlag = (flag: string): boolean => /^--(?:conditions|import|require)=/.test(flag);

type LoadEnd =
  | Exclude<LoadReply, { type: "checked" }>
  | { readonly type: "timeout"; readonly milliseconds: number }
  | { readonly type: "stuck" }
  | { readonly type: "failed"; readonly message: string };

const ask = (worker: Worker, request: LoadRequest, milliseconds: number): Promise<LoadReply | LoadEnd> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => finish({ type: "timeout", milliseconds }), milliseconds);
    const onFailure = (failure: unknown): void =>
      finish({ type: "failed", message: failure instanceof Error ? failure.message : String(failure) });
    const onExit = (): void => finish({ type: "stuck" });
    const finish = (reply: LoadReply | LoadEnd): void => {
      clearTimeout(timer);
      worker.off("message", finish).off("error", onFailure).off("messageerror", onFailure).off("exit", onExit);
      resolve(reply);
    };
    worker.on("message", finish).on("error", onFailure).on("messageerror", onFailure).on("exit", onExit);
    worker.postMessage(request);
  });

const describeEnd = ({ source }: ContractFile, end: LoadEnd): Diagnostic =>
  diagnostic("contract_load_failed", { source, where: "" }, endText(end));

const endText = (end: LoadEnd): { readonly message: string; readonly fix: string } => {
  switch (end.type) {
    case "exit":
      return {
        message: `the file ends the process with code ${end.code} while it is imported`,
        fix: "remove the call of process.exit(); a contract only describes",
      };
    case "timeout":
      return {
        message: `the file was still loading after ${end.milliseconds / 1_000} seconds`,
        fix: "move what takes long into the service; a contract only describes",
      };
    case "stuck":
      return {
        message: "the file never finishes loading: it awaits a promise that nothing settles",
        fix: "remove the top-level await",
      };
    case "failed":
      return {
        message: `the file fails after it was imported: ${end.message.split("\n")[0]}`,
        fix: "fix what it starts while it is imported; a contract only describes",
      };
  }
};
