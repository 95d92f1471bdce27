/**
 * Contracts load in a thread of their own, with a deadline: what their code does (ends the process, waits for ever, prints) reaches
 * neither the generator's result nor its output. A thread that ended is replaced at the next file.
 *
 * Not here: what runs in the thread (`worker`), and how long it is kept (`load-session`).
 */
import { getCompileCacheDir } from "node:module";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { faultPlace } from "@fairlead/contracts";
import type { LoadEnd } from "./failure.ts";
import type { LoadOutput, LoadReply, LoadRequest } from "./worker.ts";

interface LoadingThread {
  /** Starts the thread, so that it is ready when the first file is found. */
  start(): void;
  /** Never rejects. One file at a time. */
  load(request: LoadRequest, options: LoadingOptions): Promise<LoadReply | LoadEnd>;
  /** Ends the thread and starts a new one, which holds nothing of what was loaded. */
  renew(): void;
  close(): Promise<void>;
}

export interface LoadingOptions {
  /** Milliseconds that one contract file may take to load. */
  readonly timeoutMs: number;
  /** What contracts print. */
  readonly onOutput: (text: string) => void;
}

/** A thread, and the port that its replies come through. */
interface RunningThread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly onOutput: (text: string) => void;
}

export const loadingThread = (): LoadingThread => {
  let running: RunningThread | undefined;
  let print: LoadingOptions["onOutput"] = () => undefined;
  const start = (): RunningThread => {
    if (running !== undefined) return running;
    const started = startThread((text) => print(text));
    // What an earlier contract left behind can end the thread at any time.
    const forget = (): void => {
      if (running === started) running = undefined;
    };
    started.worker.on("error", forget).on("exit", forget);
    running = started;
    return started;
  };
  const close = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    await ending?.worker.terminate();
  };
  return {
    start: () => void start(),
    load: async (request, { timeoutMs, onOutput }) => {
      print = onOutput;
      const thread = start();
      const reply = await ask(thread, request, timeoutMs);
      if (reply.type === "timeout" || reply.type === "stuck") {
        const place = await stallPlace(thread.worker, request.contract.file, reply);
        await close();
        return place === undefined ? reply : { ...reply, place };
      }
      if (reply.type !== "loaded" && reply.type !== "proved") await close();
      return reply;
    },
    renew: () => {
      void close();
      start();
    },
    close,
  };
};

/** Where the thread runs on, or else the only promise that it can wait for. */
const stallPlace = async (worker: Worker, file: string, { type }: LoadEnd): Promise<string | undefined> => {
  const busy = type === "timeout" ? await (await import("./busy-place.ts")).busyPlace(worker) : undefined;
  if (busy !== undefined) return busy;
  const [first, ...more] = (await import("./stalled-place.ts")).topLevelAwaits(file);
  return more.length === 0 ? first : undefined;
};

const startThread = (onOutput: (text: string) => void): RunningThread => {
  const inSource = import.meta.url.endsWith(".ts");
  const cache = getCompileCacheDir();
  const worker = new Worker(new URL(inSource ? "./worker.ts" : "./worker.js", import.meta.url), {
    execArgv: inSource ? ["--conditions=@fairlead/source"] : process.execArgv.filter(isLoadingFlag),
    stdout: true,
    stderr: true,
    // The modules that were compiled for an earlier run, where this process has such a cache.
    env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
  });
  // Contracts can write to the thread's own port, and close it; this one they cannot reach.
  const { port1: port, port2: inThread } = new MessageChannel();
  worker.postMessage(inThread, [inThread]);
  port.on("message", (message: LoadReply | LoadOutput) => {
    if (message.type === "output") onOutput(message.text);
  });
  // It may be kept for a next run that never comes; while it is asked, the deadline's timer keeps the process.
  worker.unref();
  port.unref();
  return { worker, port, onOutput };
};

/** Flags by which modules are found and read. */
const isLoadingFlag = (flag: string): boolean => /^--(?:conditions|import|require)=/.test(flag);

const ask = (
  { worker, port, onOutput }: RunningThread,
  request: LoadRequest,
  milliseconds: number,
): Promise<LoadReply | LoadEnd> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => finish({ type: "timeout", milliseconds }), milliseconds);
    const onFailure = (failure: unknown): void =>
      finish({
        type: "failed",
        message: failure instanceof Error ? failure.message : String(failure),
        place: faultPlace(failure),
      });
    const onError = (failure: unknown): void => {
      const reply = readLastReply(port, onOutput);
      if (reply === undefined) onFailure(failure);
      else finish(reply);
    };
    const onExit = (): void => finish(readLastReply(port, onOutput) ?? { type: "stuck" });
    const finish = (reply: LoadReply | LoadOutput | LoadEnd): void => {
      if (reply.type === "output") return;
      clearTimeout(timer);
      port.off("message", finish).off("messageerror", onFailure);
      worker.off("error", onError).off("exit", onExit);
      resolve(reply);
    };
    port.on("message", finish).on("messageerror", onFailure);
    worker.on("error", onError).on("exit", onExit);
    port.postMessage(request);
  });

/** The end of a thread may be known before its last messages were read, which say why. */
const readLastReply = (port: MessagePort, onOutput: RunningThread["onOutput"]): LoadReply | undefined => {
  for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port)) {
    const message: LoadReply | LoadOutput = last.message;
    if (message.type !== "output") return message;
    onOutput(message.text);
  }
  return undefined;
};
