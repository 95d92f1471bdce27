/** The generated Python client, both of its drivers, in a process of its own that is sent the calls. */
import { join } from "node:path";
import { PythonBridge, type PythonCall } from "../python/bridge.ts";
import { broken, type CallOptions, type OpenWire, type Outcome, type Wire } from "./wire.ts";

const folder = join(import.meta.dirname, "project/gen");

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
  readonly #bridge: PythonBridge;
  #count = 0;

  constructor(driver: PythonDriver, url: string) {
    this.name = `Python client, ${driver}`;
    this.#driver = driver;
    this.#url = url;
    this.#bridge = new PythonBridge(driver, { url, folder });
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
  async #callInterruptibly(message: PythonCall, signal: AbortSignal): Promise<Outcome> {
    const bridge = new PythonBridge("once", { url: this.#url, folder });
    signal.addEventListener("abort", () => bridge.interrupt(), { once: true });
    const outcome = await bridge.send(message);
    await bridge.close();
    return outcome;
  }

  #message(procedure: string, rest: Pick<PythonCall, "input" | "take">): PythonCall {
    const [service = "", name = ""] = procedure.split(".");
    const className = service.charAt(0).toUpperCase() + service.slice(1);
    const module = service === "rules" ? "fairlead_services.rules" : `probe_clients.${service}`;
    this.#count += 1;
    return { id: this.#count, module, className, procedure: name, ...rest };
  }
}
