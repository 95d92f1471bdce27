/**
 * Another Node process, reached by its inspector port (`node --inspect`). A question goes there, runs slice by slice and
 * comes back as text: to a program that called `inspect` itself it is handed over; to any other it is one generated function over the
 * roots that the server's configuration names, which leaves nothing behind. Address and roots come from the configuration only.
 */
import { Script } from "node:vm";
import { LinqError } from "@fairlead/linq";
import { defaultLimits, type Limits } from "@fairlead/linq/limits";
import { quotedSource } from "@fairlead/linq/source";
import { allowsPause } from "../answer/pause.ts";
import { toProblem } from "../answer/problem.ts";
import { partLength } from "../answer/reply-parts.ts";
import type { RedactionOptions } from "../host/redaction.ts";
import type { ToolAnswer, ToolBackend } from "../protocol/backend.ts";
import type { ToolCall, ToolName } from "../protocol/message.ts";
import type { TimeAllowance } from "../protocol/registered-inspector.ts";
import { registrationName } from "../protocol/registration.ts";
import { SliceScheduler } from "../protocol/slice-scheduler.ts";
import { DebuggerError, DebuggerSession } from "./debugger-session.ts";
import { type CheckTarget, checkQuestion, createCheckTarget } from "./question.ts";
import { librarySource, questionSource, type SourceOptions } from "./question-source.ts";
import { RemoteReply } from "./remote-reply.ts";

interface RemoteProcessOptions {
  /** `host:port` of the inspector, or its `ws:` address. */
  readonly address: string;
  /** Milliseconds for one slice of a question, the round trip included, and for the wait behind other questions. */
  readonly timeoutMs: number;
  /** JavaScript expressions there, by the name of the root; without them only a program that called `inspect` answers. */
  readonly roots?: Readonly<Record<string, string>> | undefined;
  /** What is redacted of the roots; a program that called `inspect` says so itself. */
  readonly redact?: RedactionOptions | undefined;
  /** Getters and methods without a declaration: refused, or run by V8 as long as they change nothing. */
  readonly calls?: "refused" | "checked" | undefined;
  /** What the process is called in messages, where its address is not configured. */
  readonly name?: string | undefined;
  /** What a question may cost there; those of a program that named its roots count where they are lower. */
  readonly limits?: Limits;
}

/** Milliseconds that the process may need for the question's library, beside the wall time of the question. */
const loadingMs = 1_000;

/** Opens what a program that called `inspect` offers; the text of the reply goes in parts, as `inParts` gives them. */
const openRegistered = (ask: ToolCall, time: TimeAllowance): string => `((start) => {
  if (start === undefined) return undefined;
  const slice = start(${quotedSource(JSON.stringify(ask))}, ${JSON.stringify(time)});
  let text;
  let given = 0;
  return {
    next: (ms) => {
      text ??= slice(ms)?.value;
      if (text === undefined) return { isLast: false, text: "" };
      const part = text.slice(given, given + ${partLength});
      given += part.length;
      return { isLast: given >= text.length, text: part };
    },
  };
})(globalThis[Symbol.for(${quotedSource(registrationName)})]?.start)`;

/**
 * The library is read, compiled and run in three steps: all at once would stop the process for 20 ms. Compiling alone would for 12, so the compiled code goes
 * along; a process of another version or with other flags of V8 rejects it, and compiles.
 */
const compiling = `function () {
  const { Script } = process.getBuiltinModule("node:vm");
  const { Buffer } = process.getBuiltinModule("node:buffer");
  this.script = new Script(this.text, { cachedData: Buffer.from(this.compiled, "base64") });
}`;

let compiled: string | undefined;

/** Made once, when a process is asked first. It runs before, so that what runs at once there is compiled too. */
const compiledLibrary = (): string => {
  if (compiled !== undefined) return compiled;
  const script = new Script(librarySource);
  script.runInThisContext();
  compiled = script.createCachedData().toString("base64");
  return compiled;
};

export class RemoteProcess implements ToolBackend {
  readonly #options: RemoteProcessOptions;
  readonly #session: DebuggerSession;
  readonly #turns: SliceScheduler;
  #library: Promise<string> | undefined;

  constructor(options: RemoteProcessOptions) {
    this.#options = options;
    this.#session = new DebuggerSession(options, () => {
      this.#library = undefined;
    });
    this.#turns = new SliceScheduler({ waitMs: options.timeoutMs });
  }

  async ask(tool: ToolName, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const { roots, redact, limits = defaultLimits, calls = "refused" } = this.#options;
    const ask: ToolCall = { id: 0, tool, input, limits };
    const holdMs = this.#holdMs;
    const source =
      roots === undefined
        ? openRegistered(ask, { wallMs: limits.wallMs, holdMs })
        : writeQuestion(ask, { limits, redact }, { roots, holdMs, calls });
    if (typeof source !== "string") return source;
    const reply = new RemoteReply(this.#session, () => this.#open(source));
    const answer = await this.#turns.run(() => reply.slice(), signal);
    reply.release();
    return answer;
  }

  close(): Promise<void> {
    const why = "the service is stopping";
    this.#turns.close({ kind: "gone", why });
    this.#session.lose(why);
    return Promise.resolve();
  }

  /** The process ends a step itself before this side gives up on the process. */
  get #holdMs(): number {
    const { timeoutMs, limits = defaultLimits } = this.#options;
    return Math.min(Math.ceil(timeoutMs * 0.8), limits.wallMs + loadingMs);
  }

  /** A reference to the reply there; undefined where there is nothing to ask. Nothing of the question has run then. */
  async #open(source: string): Promise<string | undefined> {
    if (this.#options.roots === undefined) return this.#session.reference(source, this.#holdMs);
    const library = await this.#loaded();
    const open = "function (source) { return this.openQuestion(source, this); }";
    return this.#session.call(library, open, [source]);
  }

  /** The library there; one that failed to load is loaded again for the next question. */
  #loaded(): Promise<string> {
    const loading = this.#library ?? this.#loadLibrary();
    this.#library = loading;
    loading.catch(() => {
      if (this.#library === loading) this.#library = undefined;
    });
    return loading;
  }

  async #loadLibrary(): Promise<string> {
    const session = this.#session;
    const held = `({ text: ${quotedSource(librarySource)}, compiled: ${quotedSource(compiledLibrary())} })`;
    const holder = await session.reference(held, this.#holdMs);
    if (holder === undefined) throw new DebuggerError("the process did not load the language");
    await session.value(holder, compiling, []);
    const loaded = await session.call(holder, "function () { return this.script.runInThisContext(); }", []);
    session.release(holder);
    if (loaded === undefined) throw new DebuggerError("the process did not load the language");
    return loaded;
  }
}

/** The question in source; an answer at once when it is wrong. */
const writeQuestion = (
  ask: ToolCall,
  { limits, redact }: Pick<CheckTarget, "limits" | "redact">,
  options: Omit<SourceOptions, "allowsPause">,
): string | ToolAnswer => {
  try {
    const ground = { ...createCheckTarget(Object.keys(options.roots), limits, options.calls), redact };
    const question = checkQuestion(ask, ground);
    return questionSource(question, ground, { ...options, allowsPause: allowsPause(ask.input) });
  } catch (error) {
    if (error instanceof LinqError) return { kind: "problem", problem: toProblem(error, ask.tool) };
    throw error;
  }
};
