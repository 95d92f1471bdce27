/**
 * Another Node process, reached by its inspector port (`node --inspect`). Questions go to it as one expression with a timeout, and
 * come back as text. Where the program there has not called `inspect` itself, it is done for it, with the roots that the server's
 * configuration names. Address and roots come from the configuration only.
 */
import { fileURLToPath } from "node:url";
import { type Answer, type Asker, answerOf } from "../asker.ts";
import { quotedSource } from "../linq/value/row.ts";
import { inspectionSlotName } from "../slot.ts";
import type { Reply, Tool } from "../worker-message.ts";

export interface RemoteOptions {
  /** `host:port` of the inspector, or its `ws:` address. */
  readonly address: string;
  /** Milliseconds for one question, the way there and back included. */
  readonly timeoutMs: number;
  /** JavaScript expressions there, by the name of the root; `undefined` leaves a process alone that names no roots itself. */
  readonly roots?: Readonly<Record<string, string>> | undefined;
}

interface Message {
  readonly id?: number;
  readonly result?: {
    readonly result?: { readonly type?: string; readonly value?: unknown };
    readonly exceptionDetails?: { readonly text?: string; readonly exception?: { readonly description?: string } };
  };
  readonly error?: { readonly message?: string };
}

const notInspected =
  "the process names nothing to look at: call inspect({ … }) there, or give `roots` in the inspector's configuration";

export class RemoteProcess implements Asker {
  readonly #options: RemoteOptions;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #socket: Promise<WebSocket> | undefined;
  #lastId = 0;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  async ask(tool: Tool, input: unknown, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => this.#lose("it did not answer in time"), this.#options.timeoutMs);
    const onAbort = (): void => resolve({ kind: "gone", why: "the caller gave up" });
    signal.addEventListener("abort", onAbort, { once: true });
    const id = ++this.#lastId;
    this.#waiting.set(id, resolve);
    this.#send(id, JSON.stringify({ id, tool, input })).catch((error: unknown) =>
      resolve({ kind: "gone", why: error instanceof Error ? error.message : "the process can not be reached" }),
    );
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#waiting.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#lose("the service is stopping");
  }

  /** @NOTE The only text of a caller in the expression is quoted: the question itself can not become code. */
  async #send(id: number, ask: string): Promise<void> {
    this.#socket ??= this.#connect();
    const socket = await this.#socket;
    const attach = this.#options.roots === undefined ? "" : `${attachment(this.#options.roots)}\n`;
    const expression = `${attach}globalThis[Symbol.for(${quotedSource(inspectionSlotName)})]?.answer(${quotedSource(ask)})`;
    const parameters = { expression, returnByValue: true, silent: true, timeout: this.#options.timeoutMs };
    socket.send(JSON.stringify({ id, method: "Runtime.evaluate", params: parameters }));
  }

  async #connect(): Promise<WebSocket> {
    const socket = new WebSocket(await this.#target());
    const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
    socket.addEventListener("open", () => resolve(socket));
    socket.addEventListener("error", () => reject(new Error(`${this.#options.address} refuses to talk`)));
    socket.addEventListener("close", () => this.#lose("the connection ended"));
    socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    return promise;
  }

  async #target(): Promise<string> {
    const { address, timeoutMs } = this.#options;
    if (address.startsWith("ws:")) return address;
    const listed = await fetch(`http://${address}/json/list`, { signal: AbortSignal.timeout(timeoutMs) });
    const targets: unknown = await listed.json();
    const [first] = Array.isArray(targets) ? targets : [];
    const url: unknown = first?.webSocketDebuggerUrl;
    if (typeof url === "string") return url;
    throw new Error(`${address} is no Node inspector`);
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.id === undefined) return;
    this.#waiting.get(message.id)?.(answerIn(message));
  }

  #lose(why: string): void {
    const lost = this.#socket;
    this.#socket = undefined;
    lost?.then(
      (socket) => socket.close(),
      () => undefined,
    );
    for (const settle of [...this.#waiting.values()]) settle({ kind: "gone", why });
  }
}

/**
 * Source that loads this package's host side there and names the roots, unless somebody has. Both processes are on one machine;
 * the other one needs a Node that can require ES modules (22.12 and later).
 */
const attachment = (roots: Readonly<Record<string, string>>): string => {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const host = new URL(`../host.${extension}`, import.meta.url);
  const named = Object.entries(roots).map(([name, expression]) => `[${quotedSource(name)}]: () => (${expression})`);
  return `if (globalThis[Symbol.for(${quotedSource(inspectionSlotName)})] === undefined)
  process.getBuiltinModule("node:module").createRequire(${quotedSource(host.href)})(${quotedSource(fileURLToPath(host))}).inspect({ ${named.join(", ")} });`;
};

const answerIn = ({ result, error }: Message): Answer => {
  if (error !== undefined) return { kind: "gone", why: error.message ?? "the inspector refused" };
  const failed = result?.exceptionDetails;
  if (failed !== undefined)
    return { kind: "gone", why: failed.exception?.description?.split("\n", 1)[0] ?? failed.text ?? "it failed there" };
  const value = result?.result?.value;
  if (typeof value !== "string") return { kind: "gone", why: notInspected };
  return answerOf(JSON.parse(value) as Reply);
};
