/** A Python process that calls a kernel by the generated client, and is sent the calls. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Outcome } from "../conformance/wire.ts";
import { findPython, pythonEnv } from "./interpreter.ts";

export const python = findPython("httpx");

/** One call, as `bridge.py` reads it. */
export interface PythonCall {
  readonly id: number;
  /** The generated module, and the class in it that blocks. */
  readonly module: string;
  readonly className: string;
  readonly procedure: string;
  readonly input: unknown;
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
  /** For subscriptions: how many events to give. */
  readonly take?: number;
}

/** How calls are made: a task a call, a thread a call, or one call that SIGINT interrupts. */
export type BridgeMode = "aio" | "threads" | "once";

export class PythonBridge {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  readonly #ended = Promise.withResolvers<void>();

  /** `folder` is where the generated package is. */
  constructor(mode: BridgeMode, { url, folder }: { readonly url: string; readonly folder: string }) {
    this.#process = spawn(python ?? "", [join(import.meta.dirname, "bridge.py"), mode, url], {
      env: pythonEnv(folder),
    });
    let words = "";
    this.#process.stderr.setEncoding("utf8").on("data", (text) => {
      words += text;
    });
    createInterface({ input: this.#process.stdout }).on("line", (line) => {
      const { id, ...outcome }: { readonly id: number } & Outcome = JSON.parse(line);
      this.#waiting.get(id)?.resolve(outcome);
      this.#waiting.delete(id);
    });
    this.#process.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`the Python process ended: ${words}`));
      this.#ended.resolve();
    });
    // A process that has ended takes no more; `close` says why.
    this.#process.stdin.on("error", () => undefined);
  }

  send(message: PythonCall): Promise<Outcome> {
    const waiting = Promise.withResolvers<Outcome>();
    this.#waiting.set(message.id, waiting);
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
    return waiting.promise;
  }

  cancel(id: number): void {
    this.#process.stdin.write(`${JSON.stringify({ cancel: id })}\n`);
  }

  interrupt(): void {
    this.#process.kill("SIGINT");
  }

  close(): Promise<void> {
    this.#process.stdin.end();
    return this.#ended.promise;
  }
}
