/** The generated Python client, both of its drivers, in a process of its own that is sent the calls. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findPython, pythonEnv } from "../python/interpreter.ts";
import { broken, type CallOptions, type OpenWire, type Outcome, type Wire } from "./wire.ts";

export const python = findPython("httpx");

/** `aio`: the client for `asyncio`. `threads`: the one that blocks. */
export type PythonDriver = "aio" | "threads";

export const openPython =
  (driver: PythonDriver): OpenWire =>
  async ({ url }) =>
    new PythonWire(driver, url);

class PythonWire implements Wire {
  readonly name: string;
  readonly #driver: PythonDriver;
  readonly #url: string;
  readonly #bridge: Bridge;
  #count = 0;

  constructor(driver: PythonDriver, url: string) {
    this.name = `Python client, ${driver}`;
    this.#driver = driver;
    this.#url = url;
    this.#bridge = new Bridge(driver, url);
  }

  call(procedure: string, input: unknown, { signal, ...options }: CallOptions = {}): Promise<Outcome> {
    const message = this.#message(procedure, { input, ...options });
    if (signal === undefined) return this.#bridge.send(message);
    if (this.#driver === "threads") return this.#callInterruptibly(message, signal);
    signal.addEventListener("abort", () => this.#bridge.cancel(message.id), { once: true });
    return this.#bridge.send(message);
  }

  async subscribe(procedure: string, input: unknown, take: number): Promise<readonly unknown[]> {
    const outcome = await this.#bridge.send(this.#message(procedure, { input, take }));
    if (!outcome.ok || !Array.isArray(outcome.value)) throw broken(this.name, outcome);
    return outcome.value;
  }

  close(): Promise<void> {
    return this.#bridge.close();
  }

  /** What blocks is interrupted as a person does it, by Ctrl-C. */
  async #callInterruptibly(message: Message, signal: AbortSignal): Promise<Outcome> {
    const bridge = new Bridge("once", this.#url);
    signal.addEventListener("abort", () => bridge.interrupt(), { once: true });
    const outcome = await bridge.send(message);
    await bridge.close();
    return outcome;
  }

  #message(procedure: string, rest: object): Message {
    const [service = "", name = ""] = procedure.split(".");
    const className = service.charAt(0).toUpperCase() + service.slice(1);
    const module = service === "rules" ? "fairlead_services.rules" : `probe_clients.${service}`;
    this.#count += 1;
    return { id: this.#count, module, className, procedure: name, ...rest };
  }
}

interface Message {
  readonly id: number;
  readonly [field: string]: unknown;
}

class Bridge {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, PromiseWithResolvers<Outcome>>();
  readonly #ended = Promise.withResolvers<void>();

  constructor(mode: string, url: string) {
    this.#process = spawn(python ?? "", [join(import.meta.dirname, "bridge.py"), mode, url], {
      env: pythonEnv(join(import.meta.dirname, "project/gen")),
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
      for (const { reject } of this.#waiting.values()) reject(broken("Python", words));
      this.#ended.resolve();
    });
    // A process that has ended takes no more; `close` says why.
    this.#process.stdin.on("error", () => undefined);
  }

  send(message: Message): Promise<Outcome> {
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
