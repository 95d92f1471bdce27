/**
 * An MCP transport over a process of the server's own configuration: argv, never a shell; a cleared environment; a process group that
 * ends with its transport, with the service's run and with the kernel, whichever is first.
 *
 * The members `stderr` and `pid` are how the SDK knows a transport over pipes. Not here: which command (the configuration's), restarts.
 */
import { type Fault, type LineProcess, startLineProcess } from "@fairlead/kernel/subprocess";
import { type JSONRPCMessage, SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { holdSandbox } from "../config/sandbox.ts";
import type { Observation } from "../machine/fault.ts";
import type { StdioTarget } from "../machine/target.ts";

export interface StdioOptions {
  /** The target's own variables, resolved. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of the kernel's owner, which no sandbox shows. */
  readonly ownersFolders: () => readonly string[];
  /** Makes a text of the process one that may be shown. */
  readonly shown: (text: string) => string;
  /** Owns the process: when it closes, none is left. */
  readonly scope: Scope.Scope;
  /** The program runs; or has spoken MCP for the first time. */
  readonly onStep: (step: "started" | "spoke") => void;
}

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Nothing to read here; see `lastSeen`. */
  readonly stderr = null;
  readonly #target: StdioTarget;
  readonly #options: StdioOptions;
  readonly #scope: Scope.Closeable;
  #process: LineProcess | undefined;
  #seen: Observation | undefined;
  #hasSpoken = false;

  /** @param target its texts resolved */
  constructor(target: StdioTarget, options: StdioOptions) {
    this.#target = target;
    this.#options = options;
    this.#scope = Scope.forkUnsafe(options.scope);
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** How the process ended, or why it never began. */
  get lastSeen(): Observation | undefined {
    return this.#seen;
  }

  /** The last line that the program wrote to its error stream, as it may be shown. */
  get lastLine(): string | undefined {
    const line = this.#process?.stderr().findLast((one) => one.trim() !== "");
    return line === undefined ? undefined : this.#options.shown(line);
  }

  async start(): Promise<void> {
    if (this.#process !== undefined) throw new Error("this transport was started before");
    const { command, args, cwd, sandbox } = this.#target;
    const env = { set: this.#options.env };
    const held = await holdSandbox(sandbox, sandbox === undefined ? [] : this.#options.ownersFolders());
    if (!held.ok) {
      this.#seen = held.seen;
      throw new SdkError(SdkErrorCode.NotConnected, "its sandbox cannot be had");
    }
    const onMessage = (message: Readonly<Record<string, unknown>>): void => this.#receive(message);
    const starting = startLineProcess({ name: command, command, args, cwd, env, onMessage, ...held.spec }).pipe(
      Effect.tapError(({ fault }) => Effect.sync(() => (this.#seen = this.#whyNot(fault)))),
    );
    const process = await Effect.runPromise(Scope.provide(starting, this.#scope));
    this.#process = process;
    if (!this.#hasSpoken) this.#options.onStep("started");
    Effect.runFork(Effect.map(process.over, (exit) => this.#noteExit(process, exit)));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const outcome = this.#process?.send({ ...message }) ?? "closed";
    if (outcome === "sent") return;
    if (outcome === "closed") throw new SdkError(SdkErrorCode.NotConnected, "the process is gone");
    throw new SdkError(SdkErrorCode.SendFailed, "the process does not read what it is sent");
  }

  close(): Promise<void> {
    return Effect.runPromise(Scope.close(this.#scope, Exit.void));
  }

  #whyNot(fault: Fault): Observation {
    const { shown } = this.#options;
    if (fault.kind === "unrunnable") return { what: "spawn", command: shown(fault.path), code: "ENOEXEC" };
    if (fault.kind !== "missing") return { what: "spawn", command: shown(this.#target.command), code: fault.kind };
    const path = shown(fault.path);
    if (fault.what === "folder") return { what: "folder", path };
    return { what: "spawn", command: path, code: fault.what === "permission" ? "EACCES" : "ENOENT" };
  }

  #noteExit(process: LineProcess, { code, signal }: Effect.Success<LineProcess["over"]>): void {
    const stderr = this.#options.shown(process.stderr().join("\n"));
    this.#seen = { what: "exit", code: code ?? null, signal: signal ?? null, stderr };
    this.onclose?.();
  }

  /** JSON-RPC is checked where it is read: the protocol above takes what has a method, a result or an error. */
  #receive(message: Readonly<Record<string, unknown>>): void {
    if (!this.#hasSpoken) {
      this.#hasSpoken = true;
      this.#options.onStep("spoke");
    }
    if (message.jsonrpc === "2.0") this.onmessage?.(message as unknown as JSONRPCMessage);
  }
}
