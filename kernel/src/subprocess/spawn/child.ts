/**
 * One run of a subprocess: handshake, requests, end. It never comes back; a restart starts another child.
 *
 * Whatever it prints, however it dies and whoever holds its pipes: each request settles once, nothing it does throws into the
 * kernel, and its group is gone before `ended` resolves. Not here: restarts (`subprocess.ts`), lines (`framer.ts`, `line.ts`), requests
 * (`exchange.ts`), spawning (`launch.ts`).
 */
import { createExchange, type Exchange } from "../protocol/exchange.ts";
import { createFramer, type Framer } from "../protocol/framer.ts";
import { type Message, readLine, writeLine } from "../protocol/line.ts";
import { type ByteRing, createByteRing, createNoiseLog, type NoiseLog } from "../protocol/output-tail.ts";
import { type Ask, defaultLimits, type SubprocessLimits, type SubprocessSpec } from "../protocol/spec.ts";
import { type Exit, type Fault, SubprocessError } from "../protocol/subprocess-error.ts";
import { createInputPipe, type InputPipe } from "./input-pipe.ts";
import { type ContainmentKind, launch, type Process } from "./launch.ts";
import { settlesWithin } from "./settles-within.ts";

/** What a child has printed outside of its protocol. */
export interface Diagnostics {
  /** Last lines of stderr. */
  readonly stderr: readonly string[];
  readonly stderrBytes: number;
  /** Lines that were no messages, and messages that answer no request. */
  readonly noise: number;
  readonly lastNoise: readonly string[];
  /** Answers that came after their caller had given up. */
  readonly late: number;
}

export interface Child {
  /** Of the process group; with a namespace the launcher's, not the program's own. */
  readonly pid: number;
  /** Resolves with what the child said of itself, or rejects with the diagnosis; then it is being killed. */
  readonly ready: Promise<unknown>;
  readonly ask: Ask;
  /** Why it ended. Its whole group is gone. */
  readonly ended: Promise<SubprocessError>;
  /** Asks it to end, then SIGTERM, then SIGKILL. Requests that are still open fail. */
  stop(): Promise<void>;
  diagnostics(): Diagnostics;
  /** Requests that are with it or waiting. */
  readonly busy: number;
  /** It takes no more requests: it is ending or gone. */
  readonly over: boolean;
}

/** Milliseconds that output may still come after the process itself has ended. */
const lateOutputMs = 250;

/** Starts a child. Throws a `SubprocessError` when there is nothing to start. */
export const startChild = (spec: SubprocessSpec, containment: ContainmentKind): Child => {
  const launched = launch(spec, containment);
  if (!launched.ok) throw new SubprocessError(launched.fault, errorContext(spec));
  return new RunningProcess(spec, launched.process);
};

const errorContext = (spec: SubprocessSpec, stderr: readonly string[] = []) => ({
  name: spec.name,
  sent: false,
  stderr,
  ...(spec.hint !== undefined && { hint: spec.hint }),
});

type Phase = "starting" | "working" | "ending";

/** One running process: its output read, its requests answered, its end awaited. */
class RunningProcess implements Child {
  readonly pid: number;
  readonly ready: Promise<unknown>;
  readonly ended: Promise<SubprocessError>;
  readonly #spec: SubprocessSpec;
  readonly #process: Process;
  readonly #limits: SubprocessLimits;
  readonly #framer: Framer;
  readonly #stderr: ByteRing;
  readonly #noise: NoiseLog;
  readonly #input: InputPipe;
  readonly #exchange: Exchange;
  readonly #handshake = Promise.withResolvers<unknown>();
  readonly #startTimer: NodeJS.Timeout;
  #phase: Phase = "starting";
  #late = 0;
  #gone = false;
  /** Why the kernel ended it; `undefined` when it ended by itself. */
  #cause: Fault | undefined;

  constructor(spec: SubprocessSpec, child: Process) {
    this.#spec = spec;
    this.#process = child;
    this.pid = child.pid;
    this.#limits = { ...defaultLimits, ...spec.limits };
    this.#framer = createFramer(this.#limits.lineBytes);
    this.#stderr = createByteRing(this.#limits.stderrBytes);
    this.#noise = createNoiseLog(this.#limits.noiseLines);
    this.#input = createInputPipe(child.stdin, this.#limits.pipeChars);
    this.#exchange = this.#createExchange();
    this.ready = this.#handshake.promise;
    this.ready.catch(() => undefined);
    this.#startTimer = this.#limitStart(spec.startMs ?? 10_000);
    this.#readOutput();
    this.ended = child.exited.then((exit) => this.#afterExit(exit));
  }

  get ask(): Ask {
    return this.#exchange.ask;
  }

  get busy(): number {
    return this.#exchange.size;
  }

  get over(): boolean {
    return this.#phase === "ending";
  }

  async stop(): Promise<void> {
    await this.#end({ kind: "stopped" }, this.#spec.stop?.graceMs ?? 1_000);
    await this.ended;
  }

  diagnostics(): Diagnostics {
    return {
      stderr: this.#stderr.lines(20),
      stderrBytes: this.#stderr.total(),
      noise: this.#noise.count,
      lastNoise: this.#noise.last,
      late: this.#late,
    };
  }

  #createExchange(): Exchange {
    const { name, dialect, requestMs = 10_000, unresponsiveMs = 5_000 } = this.#spec;
    return createExchange({
      name,
      dialect,
      queue: this.#limits.queue,
      requestMs,
      unresponsiveMs,
      write: (line) => this.#input.write(line),
      unresponsive: (fault) => void this.#end(fault, 0),
      stderr: () => this.#lastStderr(),
    });
  }

  #limitStart(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#end({ kind: "silent", ms, printed: this.#noise.last.slice(-4) }, 0), ms);
  }

  #readOutput(): void {
    const { stdin, stdout, stderr } = this.#process;
    stdout.on("data", (chunk: Uint8Array) => {
      for (const frame of this.#framer.push(chunk)) {
        if (frame.kind === "line") this.#takeLine(frame.bytes);
        else void this.#end({ kind: "too-long", maxBytes: this.#limits.lineBytes }, 0);
      }
    });
    stderr.on("data", (chunk: Uint8Array) => this.#stderr.push(chunk));
    // A pipe that breaks says no more than the exit that follows it.
    for (const stream of [stdin, stdout, stderr]) stream.on("error", () => undefined);
  }

  #takeLine(bytes: Uint8Array): void {
    const line = readLine(bytes);
    switch (line.kind) {
      case "message":
        try {
          this.#takeMessage(line.message);
        } catch (error) {
          void this.#end({ kind: "garbled", why: `not understood (${String(error)})`, text: clip(line.message) }, 0);
        }
        return;
      case "noise":
        if (line.text !== "") this.#noise.add(line.text);
        return;
      case "garbled":
        this.#noise.add(line.text);
        // Without ids this was the answer to some request, and nothing marks where the next one begins.
        if (this.#phase === "working" && this.#spec.dialect.inFlight === 1 && this.#exchange.size > 0) {
          void this.#end({ kind: "garbled", why: line.why, text: line.text }, 0);
        }
        return;
    }
  }

  #takeMessage(message: Message): void {
    if (this.#phase === "starting") {
      this.#takeHandshake(message);
      return;
    }
    const taken = this.#exchange.receive(message);
    if (taken === "late") this.#late++;
    if (taken === "stray") this.#noise.add(clip(message));
  }

  #takeHandshake(message: Message): void {
    const handshake = this.#spec.dialect.handshake(message);
    switch (handshake.kind) {
      case "welcome":
        clearTimeout(this.#startTimer);
        this.#phase = "working";
        this.#handshake.resolve(handshake.info);
        return;
      case "unfit":
        void this.#end({ kind: "unfit", why: handshake.why }, 0);
        return;
      case "other":
        this.#noise.add(clip(message));
        return;
    }
  }

  /** Fails every request at once, then ends the process: by itself within `graceMs`, by SIGTERM, by SIGKILL. */
  async #end(fault: Fault, graceMs: number): Promise<void> {
    if (this.#cause !== undefined || this.#gone) return;
    this.#cause = fault;
    this.#fail(fault);
    const { dialect, stop } = this.#spec;
    const { exited } = this.#process;
    if (graceMs > 0) {
      if (dialect.quit !== undefined) this.#input.write(writeLine(dialect.quit));
      this.#input.end();
      if (await settlesWithin(exited, graceMs)) return;
    }
    this.#process.signal("SIGTERM");
    if (await settlesWithin(exited, stop?.termMs ?? 2_000)) return;
    this.#process.signal("SIGKILL");
  }

  #fail(fault: Fault): void {
    clearTimeout(this.#startTimer);
    if (this.#phase === "starting") this.#handshake.reject(this.#error(fault));
    this.#phase = "ending";
    this.#exchange.fail(fault);
  }

  async #afterExit(exit: Exit): Promise<SubprocessError> {
    // What the process left behind in its group goes with it; what left the group may still hold the pipes.
    this.#process.signal("SIGKILL");
    await settlesWithin(this.#process.closed, lateOutputMs);
    this.#gone = true;
    const fault = this.#cause ?? this.#exitFault(exit);
    this.#fail(fault);
    for (const stream of [this.#process.stdin, this.#process.stdout, this.#process.stderr]) stream.destroy();
    this.#process.release();
    return this.#error(fault);
  }

  #exitFault(exit: Exit): Fault {
    const during = this.#phase === "starting" ? "starting" : "working";
    return { kind: "exited", exit, while: during, unfinished: this.#framer.unfinished() };
  }

  #lastStderr(): readonly string[] {
    return this.#stderr.lines(4);
  }

  #error(fault: Fault): SubprocessError {
    return new SubprocessError(fault, errorContext(this.#spec, this.#lastStderr()));
  }
}

const clip = (message: Message): string => JSON.stringify(message).slice(0, 512);
