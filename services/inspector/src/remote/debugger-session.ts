/** One connection to a Node process by its inspector port: expressions and calls, whose results stay there under a reference or come back as data. */

interface InspectorMessage {
  readonly id?: number;
  /** Of an event. */
  readonly method?: string;
  readonly params?: { readonly chunk?: string };
  readonly result?: {
    readonly result?: { readonly type?: string; readonly value?: unknown; readonly objectId?: string };
    readonly exceptionDetails?: { readonly text?: string; readonly exception?: { readonly description?: string } };
  };
  readonly error?: { readonly message?: string };
}

/** What a request came to when it failed. */
export class DebuggerError extends Error {
  /** True when the process ended the evaluation by its timeout. */
  readonly isTerminated: boolean;

  constructor(message: string, isTerminated = false) {
    super(message);
    this.isTerminated = isTerminated;
  }
}

interface DebuggerOptions {
  /** `host:port` of the inspector, or its `ws:` address. */
  readonly address: string;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
  /** What the process is called in messages, where its address is not configured. */
  readonly name?: string | undefined;
}

/** A process that comes to its end waits for its debuggers to go: it is to say so. Numbered below all requests; its answer is of no use. */
const endNotice = JSON.stringify({
  id: -1,
  method: "NodeRuntime.notifyWhenWaitingForDisconnect",
  params: { enabled: true },
});

interface Pending {
  readonly resolve: (message: InspectorMessage) => void;
  readonly reject: (error: Error) => void;
}

/** References there belong to this group, which goes with the connection. */
const objectGroup = "fairlead";

export class DebuggerSession {
  readonly #options: DebuggerOptions;
  readonly #lost: () => void;
  readonly #pending = new Map<number, Pending>();
  #socket: Promise<WebSocket> | undefined;
  #lastId = 0;
  #onChunk: ((chunk: string) => void) | undefined;

  /** @param lost called when the connection is lost: references are gone then */
  constructor(options: DebuggerOptions, lost: () => void) {
    this.#options = options;
    this.#lost = lost;
  }

  /** A reference to an expression's value; undefined for no object. */
  async reference(expression: string, timeout: number): Promise<string | undefined> {
    const found = await this.#post("Runtime.evaluate", { expression, timeout, silent: true, objectGroup });
    return found.result?.result?.objectId;
  }

  /** An expression's value as data. */
  async data(expression: string): Promise<unknown> {
    const found = await this.#post("Runtime.evaluate", { expression, silent: true, returnByValue: true });
    return found.result?.result?.value;
  }

  /** A snapshot of the heap there, in parts. The process stands still for as long as it takes. */
  async heapSnapshot(timeoutMs: number): Promise<readonly string[]> {
    const parts: string[] = [];
    this.#onChunk = (chunk) => void parts.push(chunk);
    try {
      await this.#post("HeapProfiler.takeHeapSnapshot", { reportProgress: false }, timeoutMs);
      return parts;
    } finally {
      this.#onChunk = undefined;
    }
  }

  /** A reference to what a function gives that is called on an object. */
  async call(objectId: string, functionDeclaration: string, values: readonly unknown[]): Promise<string | undefined> {
    const given = { objectId, functionDeclaration, arguments: values.map((value) => ({ value })), silent: true };
    const found = await this.#post("Runtime.callFunctionOn", { ...given, objectGroup });
    return found.result?.result?.objectId;
  }

  /** What such a function gives, as data. */
  async value(objectId: string, functionDeclaration: string, values: readonly unknown[]): Promise<unknown> {
    const given = { objectId, functionDeclaration, arguments: values.map((value) => ({ value })), silent: true };
    const found = await this.#post("Runtime.callFunctionOn", { ...given, returnByValue: true });
    return found.result?.result?.value;
  }

  /** The same of a function that gives a promise; it may never be settled, whoever calls this has a time of its own. */
  async awaited(objectId: string, functionDeclaration: string, values: readonly unknown[]): Promise<unknown> {
    const given = { objectId, functionDeclaration, arguments: values.map((value) => ({ value })), silent: true };
    const params = { ...given, returnByValue: true, awaitPromise: true };
    const found = await this.#post("Runtime.callFunctionOn", params, Number.POSITIVE_INFINITY);
    return found.result?.result?.value;
  }

  /** Forgets a reference, after a last call of a function on its object. */
  release(objectId: string, last?: string): void {
    if (this.#socket === undefined) return;
    if (last !== undefined) this.value(objectId, last, []).catch(() => undefined);
    this.#post("Runtime.releaseObject", { objectId }).catch(() => undefined);
  }

  /** Ends the connection; every request fails with the reason. */
  lose(why: string): void {
    const lost = this.#socket;
    this.#socket = undefined;
    lost?.then(
      (socket) => socket.close(),
      () => undefined,
    );
    this.#lost();
    for (const { reject } of [...this.#pending.values()]) reject(new DebuggerError(why));
  }

  async #post(
    method: string,
    params: Readonly<Record<string, unknown>>,
    timeoutMs = this.#options.timeoutMs,
  ): Promise<InspectorMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<InspectorMessage>();
    const timer = Number.isFinite(timeoutMs)
      ? setTimeout(() => this.lose("it did not answer in time"), timeoutMs)
      : undefined;
    const id = ++this.#lastId;
    this.#pending.set(id, { resolve, reject });
    this.#connected().then(
      (socket) => socket.send(JSON.stringify({ id, method, params })),
      (error: unknown) => reject(new DebuggerError(this.#unreachable(error))),
    );
    try {
      return refuseFailed(await promise);
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  /** The reason is in the cause, when `fetch` says only that it failed. */
  #unreachable(error: unknown): string {
    const { address, name } = this.#options;
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = reason instanceof Error && reason.message !== "" ? reason.message : "no answer";
    if (name !== undefined) return `${name} cannot be reached: ${why}; attach to it again`;
    return `the process at ${address} cannot be reached: ${why}; start it with \`node --inspect=${address}\`, or correct \`source.address\``;
  }

  /** The connection there is, or a new one; one that failed or ended is not used again. */
  #connected(): Promise<WebSocket> {
    if (this.#socket !== undefined) return this.#socket;
    const onClose = (): void => {
      if (this.#socket === connecting) this.lose("the connection ended");
    };
    const connecting = this.#connect(onClose);
    this.#socket = connecting;
    connecting.catch(() => {
      if (this.#socket === connecting) this.#socket = undefined;
    });
    return connecting;
  }

  async #connect(onClose: () => void): Promise<WebSocket> {
    const socket = new WebSocket(await this.#target());
    const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
    socket.addEventListener("open", () => {
      socket.send(endNotice);
      resolve(socket);
    });
    socket.addEventListener("error", () => reject(new Error("the inspector refused the connection")));
    socket.addEventListener("close", onClose);
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
    throw new Error("it is not a Node inspector");
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as InspectorMessage;
    if (message.method === "HeapProfiler.addHeapSnapshotChunk") this.#onChunk?.(message.params?.chunk ?? "");
    if (message.method === "NodeRuntime.waitingForDisconnect") this.lose("the process is ending");
    if (message.id !== undefined) this.#pending.get(message.id)?.resolve(message);
  }
}

const refuseFailed = (message: InspectorMessage): InspectorMessage => {
  const { result, error } = message;
  if (error?.message === "Execution was terminated") throw new DebuggerError(error.message, true);
  if (error !== undefined) throw new DebuggerError(error.message ?? "the inspector refused");
  const failed = result?.exceptionDetails;
  if (failed === undefined) return message;
  throw new DebuggerError(
    failed.exception?.description?.split("\n", 1)[0] ?? failed.text ?? "the code failed in the process",
  );
};
