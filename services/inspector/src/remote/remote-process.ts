/**
 * Another Node process, reached by its inspector port (`node --inspect`). A question goes there as one expression with a timeout and
 * comes back as text: to a program that called `inspect` itself it is handed over; to any other it is one generated function over the
 * roots that the server's configuration names, which leaves nothing behind. Address and roots come from the configuration only.
 */
import { LinqError } from "@fairlead/linq";
import { defaultLimits, type Limits } from "@fairlead/linq/limits";
import { quotedSource } from "@fairlead/linq/source";
import { toProblem } from "../answer/problem.ts";
import type { RedactionOptions } from "../host/redaction.ts";
import { type ToolAnswer, type ToolBackend, toAnswer } from "../protocol/backend.ts";
import type { ExpressionProblem, ToolCall, ToolName, ToolReply } from "../protocol/message.ts";
import { registrationName } from "../protocol/registration.ts";
import { type CheckTarget, checkQuestion, createCheckTarget } from "./question.ts";
import { questionSource } from "./question-source.ts";

interface RemoteProcessOptions {
  /** `host:port` of the inspector, or its `ws:` address. */
  readonly address: string;
  /** Milliseconds for one question, the round trip included. */
  readonly timeoutMs: number;
  /** JavaScript expressions there, by the name of the root; without them only a program that called `inspect` answers. */
  readonly roots?: Readonly<Record<string, string>> | undefined;
  /** What is redacted of the roots; a program that called `inspect` says so itself. */
  readonly redact?: RedactionOptions | undefined;
  /** What a question may cost there; those of a program that named its roots count where they are lower. */
  readonly limits?: Limits;
}

/** Milliseconds that the process may need for the question's library, beside the wall time of the question. */
const loadingMs = 1_000;

interface InspectorMessage {
  readonly id?: number;
  readonly result?: {
    readonly result?: { readonly type?: string; readonly value?: unknown };
    readonly exceptionDetails?: { readonly text?: string; readonly exception?: { readonly description?: string } };
  };
  readonly error?: { readonly message?: string };
}

/** The process has no roots. */
const nothingRegistered: ToolAnswer = {
  kind: "gone",
  why: "the process has no roots: call inspect({ … }) there, or give `roots` in the inspector's configuration",
};

export class RemoteProcess implements ToolBackend {
  readonly #options: RemoteProcessOptions;
  readonly #waiting = new Map<number, (answer: ToolAnswer) => void>();
  #socket: Promise<WebSocket> | undefined;
  #lastId = 0;

  constructor(options: RemoteProcessOptions) {
    this.#options = options;
  }

  async ask(tool: ToolName, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const { roots, redact, limits = defaultLimits } = this.#options;
    const ask: ToolCall = { id: 0, tool, input, limits };
    if (roots === undefined) {
      const slot = `Symbol.for(${quotedSource(registrationName)})`;
      return this.#evaluate(`globalThis[${slot}]?.answer(${quotedSource(JSON.stringify(ask))})`, signal);
    }
    const expression = writeQuestion(ask, roots, { limits, redact });
    return typeof expression === "string" ? this.#evaluate(expression, signal) : expression;
  }

  close(): Promise<void> {
    this.#lose("the service is stopping");
    return Promise.resolve();
  }

  async #evaluate(expression: string, signal: AbortSignal): Promise<ToolAnswer> {
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    const timer = setTimeout(() => this.#lose("it did not answer in time"), this.#options.timeoutMs);
    const onAbort = (): void => resolve({ kind: "gone", why: "the caller gave up" });
    signal.addEventListener("abort", onAbort, { once: true });
    const id = ++this.#lastId;
    this.#waiting.set(id, resolve);
    this.#send(id, expression).catch((error: unknown) => resolve({ kind: "gone", why: this.#unreachable(error) }));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#waiting.delete(id);
    }
  }

  /** The reason is in the cause, when `fetch` says only that it failed. */
  #unreachable(error: unknown): string {
    const { address } = this.#options;
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = reason instanceof Error && reason.message !== "" ? reason.message : "no answer";
    return `the process at ${address} cannot be reached: ${why}; start it with \`node --inspect=${address}\`, or correct \`source.address\``;
  }

  /** The process ends the question itself before this side gives up on the process. */
  async #send(id: number, expression: string): Promise<void> {
    const socket = await this.#connected();
    const { timeoutMs, limits = defaultLimits } = this.#options;
    const timeout = Math.min(Math.ceil(timeoutMs * 0.8), limits.wallMs + loadingMs);
    const params = { expression, returnByValue: true, silent: true, timeout };
    socket.send(JSON.stringify({ id, method: "Runtime.evaluate", params }));
  }

  /** The connection there is, or a new one; one that failed or ended is not used again. */
  #connected(): Promise<WebSocket> {
    if (this.#socket !== undefined) return this.#socket;
    const onClose = (): void => {
      if (this.#socket === connecting) this.#lose("the connection ended");
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
    socket.addEventListener("open", () => resolve(socket));
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
    if (message.id === undefined) return;
    this.#waiting.get(message.id)?.(parseAnswer(message));
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

const parseAnswer = ({ result, error }: InspectorMessage): ToolAnswer => {
  if (error?.message === "Execution was terminated") return { kind: "problem", problem: timeoutProblem };
  if (error !== undefined) return { kind: "gone", why: error.message ?? "the inspector refused" };
  const failed = result?.exceptionDetails;
  if (failed !== undefined)
    return {
      kind: "gone",
      why: failed.exception?.description?.split("\n", 1)[0] ?? failed.text ?? "the code failed in the process",
    };
  const value = result?.result?.value;
  if (typeof value !== "string") return nothingRegistered;
  return toAnswer(JSON.parse(value) as ToolReply);
};

/** The question in source; an answer at once when it is wrong. */
const writeQuestion = (
  ask: ToolCall,
  roots: Readonly<Record<string, string>>,
  { limits, redact }: Pick<CheckTarget, "limits" | "redact">,
): string | ToolAnswer => {
  try {
    const ground = { ...createCheckTarget(Object.keys(roots), limits), redact };
    const question = checkQuestion(ask, ground);
    return question.kind === "answered"
      ? { kind: "value", value: question.value }
      : questionSource(question, ground, roots);
  } catch (error) {
    if (error instanceof LinqError) return { kind: "problem", problem: toProblem(error, ask.tool) };
    throw error;
  }
};

/** The process ended the question by its timeout. */
const timeoutProblem: ExpressionProblem = {
  code: "deadline",
  message: "The process ended the evaluation: it took too long",
  position: 0,
  length: 0,
  caret: "",
  part: "expr",
  hint: "narrow `where`, or see whether a configured root ends",
};
