/**
 * An MCP transport over a process of the server's own configuration: argv, never a shell; a cleared environment; a process group that
 * the kernel's supervision ends with the kernel.
 *
 * The members `stderr` and `pid` are how the SDK knows a transport over pipes. Not here: which command (the configuration's), restarts.
 */
import { type LineProcess, startLineProcess } from "@fairlead/kernel/subprocess";
import { type JSONRPCMessage, SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import type { Observation } from "../machine/fault.ts";
import type { StdioTarget } from "../machine/target.ts";

type LineFault = Extract<Awaited<ReturnType<typeof startLineProcess>>, { readonly ok: false }>["fault"];

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Nothing to read here; see `lastSeen`. */
  readonly stderr = null;
  readonly #target: StdioTarget;
  readonly #env: Readonly<Record<string, string>>;
  readonly #shown: (text: string) => string;
  #process: LineProcess | undefined;
  #seen: Observation | undefined;
  #closed = false;

  /**
   * @param target its texts resolved
   * @param env the target's own variables, resolved
   * @param shown makes a text of the process one that may be shown
   */
  constructor(target: StdioTarget, env: Readonly<Record<string, string>>, shown: (text: string) => string) {
    this.#target = target;
    this.#env = env;
    this.#shown = shown;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** How the process ended, or why it never began. */
  get lastSeen(): Observation | undefined {
    return this.#seen;
  }

  async start(): Promise<void> {
    if (this.#process !== undefined) throw new Error("this transport was started before");
    const { command, args, cwd } = this.#target;
    const started = await startLineProcess({
      name: command,
      command,
      args,
      cwd,
      env: { set: this.#env },
      onMessage: (message) => this.#receive(message),
    });
    if (!started.ok) {
      this.#seen = this.#whyNot(started.fault);
      throw new Error(`${command} could not be started`);
    }
    this.#process = started.process;
    void this.#watch(started.process);
    if (this.#closed) await started.process.stop();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const outcome = this.#process?.send({ ...message }) ?? "closed";
    if (outcome === "sent") return;
    if (outcome === "closed") throw new SdkError(SdkErrorCode.NotConnected, "the process is gone");
    throw new SdkError(SdkErrorCode.SendFailed, "the process does not read what it is sent");
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#process?.stop();
  }

  #whyNot(fault: LineFault): Observation {
    if (fault.kind !== "missing")
      return { what: "spawn", command: this.#shown(this.#target.command), code: fault.kind };
    const path = this.#shown(fault.path);
    return fault.what === "folder" ? { what: "folder", path } : { what: "spawn", command: path, code: "ENOENT" };
  }

  async #watch(process: LineProcess): Promise<void> {
    const { code, signal } = await process.over;
    const stderr = this.#shown(process.stderr().join("\n"));
    this.#seen = { what: "exit", code: code ?? null, signal: signal ?? null, stderr };
    this.onclose?.();
  }

  /** JSON-RPC is checked where it is read: the protocol above takes what has a method, a result or an error. */
  #receive(message: Readonly<Record<string, unknown>>): void {
    if (message.jsonrpc === "2.0") this.onmessage?.(message as unknown as JSONRPCMessage);
  }
}
