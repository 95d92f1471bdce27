/**
 * One run of a subprocess: handshake, requests, end. It never comes back; a restart starts another child.
 *
 * Whatever it prints, however it dies and whoever holds its pipes: each request settles once, nothing it does throws into the
 * kernel, and its group is gone before `ended` completes. Not here: restarts (`subprocess.ts`), lines (`framer.ts`, `line.ts`), requests
 * (`exchange.ts`), spawning (`launch.ts`), the steps of ending it (`ending.ts`).
 */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { createExchange, type Exchange } from "../protocol/exchange.ts";
import { createFramer, type Framer } from "../protocol/framer.ts";
import { type Message, readLine, writeLine } from "../protocol/line.ts";
import { type ByteRing, createByteRing, createNoiseLog, type NoiseLog } from "../protocol/output-tail.ts";
import { type Ask, defaultLimits, type SubprocessLimits, type SubprocessSpec } from "../protocol/spec.ts";
import { type Exit, type Fault, SubprocessError } from "../protocol/subprocess-error.ts";
import { cleanUp, defaultStop, endProcess } from "./ending.ts";
import { createInputPipe, type InputPipe } from "./input-pipe.ts";
import { type ContainmentKind, launch, type Process } from "./launch.ts";
import { makeProcessEvent } from "./process-event.ts";

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
  /** Waits for the handshake: what the child said of itself, or the diagnosis; then it is being killed. */
  readonly ready: Effect.Effect<unknown, SubprocessError>;
  readonly ask: Ask;
  /** Why it ended. Its whole group is gone. */
  readonly ended: Effect.Effect<SubprocessError>;
  /** Asks it to end, then SIGTERM, then SIGKILL. Requests that are still open fail. */
  readonly stop: Effect.Effect<void>;
  diagnostics(): Diagnostics;
  /** Requests that are with it or waiting. */
  readonly busy: number;
  /** It takes no more requests: it is ending or gone. */
  readonly over: boolean;
}

/** Starts a child, which is stopped with the scope. Fails when there is nothing to start. */
export const startChild = (
  spec: SubprocessSpec,
  containment: ContainmentKind,
): Effect.Effect<Child, SubprocessError, Scope.Scope> => {
  const refuse = (fault: Fault): SubprocessError => new SubprocessError(fault, errorContext(spec));
  const started = launch(spec, containment).pipe(
    Effect.mapError(refuse),
    Effect.flatMap((process) => {
      const child = new RunningProcess(spec, process);
      return Effect.as(Effect.forkDetach(child.untilGone), child);
    }),
    Effect.catchDefect((defect) => Effect.fail(refuse({ kind: "spawn", why: String(defect) }))),
  );
  return Effect.acquireRelease(started, (child) => child.stop);
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
  readonly #spec: SubprocessSpec;
  readonly #process: Process;
  readonly #limits: SubprocessLimits;
  readonly #framer: Framer;
  readonly #stderr: ByteRing;
  readonly #noise: NoiseLog;
  readonly #input: InputPipe;
  readonly #exchange: Exchange;
  readonly #handshake = makeProcessEvent<unknown, SubprocessError>();
  /** The kernel ends it, after so many milliseconds in which it may end by itself. */
  readonly #doomed = makeProcessEvent<number>();
  readonly #ended = makeProcessEvent<SubprocessError>();
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
    this.#readOutput();
  }

  get ready(): Child["ready"] {
    const ms = this.#spec.startMs ?? 10_000;
    const orElse = () => {
      this.#end({ kind: "silent", ms, printed: this.#noise.last.slice(-4) });
      return this.#handshake.wait;
    };
    return Effect.timeoutOrElse(this.#handshake.wait, { duration: ms, orElse });
  }

  get ended(): Child["ended"] {
    return this.#ended.wait;
  }

  /** Its whole run: it ends, or is ended, and then nothing of it is left. */
  get untilGone(): Effect.Effect<void> {
    const child = this.#process;
    const { termMs = defaultStop.termMs } = this.#spec.stop ?? {};
    const killed = Effect.flatMap(this.#doomed.wait, (graceMs) => endProcess(child, { graceMs, termMs }));
    return Effect.raceFirst(Effect.asVoid(child.exited), killed).pipe(
      Effect.andThen(cleanUp(child)),
      Effect.andThen(child.exited),
      Effect.flatMap((exit) => Effect.sync(() => this.#bury(exit))),
    );
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

  get stop(): Child["stop"] {
    const { graceMs = defaultStop.graceMs } = this.#spec.stop ?? {};
    return Effect.suspend(() => {
      this.#end({ kind: "stopped" }, graceMs);
      return Effect.asVoid(this.ended);
    });
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
      unresponsive: (fault) => this.#end(fault),
      stderr: () => this.#lastStderr(),
    });
  }

  #readOutput(): void {
    const { stdin, stdout, stderr } = this.#process;
    stdout.on("data", (chunk: Uint8Array) => {
      for (const frame of this.#framer.push(chunk)) {
        if (frame.kind === "line") this.#takeLine(frame.bytes);
        else this.#end({ kind: "too-long", maxBytes: this.#limits.lineBytes });
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
          this.#end({ kind: "garbled", why: `not understood (${String(error)})`, text: clip(line.message) });
        }
        return;
      case "noise":
        if (line.text !== "") this.#noise.add(line.text);
        return;
      case "garbled":
        this.#noise.add(line.text);
        // Without ids this was the answer to some request, and nothing marks where the next one begins.
        if (this.#phase === "working" && this.#spec.dialect.inFlight === 1 && this.#exchange.size > 0) {
          this.#end({ kind: "garbled", why: line.why, text: line.text });
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
        this.#phase = "working";
        this.#handshake.succeed(handshake.info);
        return;
      case "unfit":
        this.#end({ kind: "unfit", why: handshake.why });
        return;
      case "other":
        this.#noise.add(clip(message));
        return;
    }
  }

  /** Fails every request at once, then the process is ended: by itself within `graceMs`, else by signals. */
  #end(fault: Fault, graceMs = 0): void {
    if (this.#cause !== undefined || this.#gone) return;
    this.#cause = fault;
    this.#fail(fault);
    if (graceMs > 0) {
      const { quit } = this.#spec.dialect;
      if (quit !== undefined) this.#input.write(writeLine(quit));
      this.#input.end();
    }
    this.#doomed.succeed(graceMs);
  }

  #fail(fault: Fault): void {
    if (this.#phase === "starting") this.#handshake.fail(this.#error(fault));
    this.#phase = "ending";
    this.#exchange.fail(fault);
  }

  #bury(exit: Exit): void {
    this.#gone = true;
    const fault = this.#cause ?? this.#exitFault(exit);
    this.#fail(fault);
    this.#ended.succeed(this.#error(fault));
  }

  #exitFault(exit: Exit): Fault {
    const during = this.#phase === "starting" ? "starting" : "working";
    return { kind: "exited", exit, while: during, unfinished: this.#framer.unfinished() };
  }

  #lastStderr(): readonly string[] {
    const { quote } = this.#spec;
    return quote === undefined ? this.#stderr.lines(4) : quote(this.#stderr.lines(40));
  }

  #error(fault: Fault): SubprocessError {
    return new SubprocessError(fault, errorContext(this.#spec, this.#lastStderr()));
  }
}

const clip = (message: Message): string => JSON.stringify(message).slice(0, 512);
