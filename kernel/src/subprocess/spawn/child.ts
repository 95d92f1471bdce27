/**
 * One run of a subprocess: handshake, requests, end. It never comes back; a restart starts another child.
 *
 * Whatever it prints, however it dies and whoever holds its pipes: each request settles once, nothing it does throws into the
 * kernel, and its group is gone before `ended` resolves. Not here: restarts (`subprocess.ts`), lines (`framer.ts`, `line.ts`), requests
 * (`exchange.ts`), spawning (`launch.ts`).
 */
import { createExchange } from "../protocol/exchange.ts";
import { createFramer } from "../protocol/framer.ts";
import { type Message, readLine, writeLine } from "../protocol/line.ts";
import { createByteRing, createNoiseLog } from "../protocol/output-tail.ts";
import { type Ask, defaultLimits, type SubprocessSpec } from "../protocol/spec.ts";
import { type Exit, type Fault, SubprocessError } from "../protocol/subprocess-error.ts";
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
const lastWordsMs = 250;

/** Starts a child. Throws a `SubprocessError` when there is nothing to start. */
export const startChild = (spec: SubprocessSpec, holding: ContainmentKind): Child => {
  const launched = launch(spec, holding);
  if (!launched.ok) throw new SubprocessError(launched.fault, context(spec, false));
  return superviseProcess(spec, launched.process);
};

const context = (spec: SubprocessSpec, sent: boolean, stderr: readonly string[] = []) => ({
  name: spec.name,
  sent,
  stderr,
  ...(spec.hint !== undefined && { hint: spec.hint }),
});

type Phase = "greeting" | "working" | "ending";

const superviseProcess = (spec: SubprocessSpec, child: Process): Child => {
  const limits = { ...defaultLimits, ...spec.limits };
  const { graceMs = 1_000, termMs = 2_000 } = spec.stop ?? {};
  const startMs = spec.startMs ?? 10_000;
  const framer = createFramer(limits.lineBytes);
  const stderr = createByteRing(limits.stderrBytes);
  const noise = createNoiseLog(limits.noiseLines);
  const greeted = Promise.withResolvers<unknown>();
  greeted.promise.catch(() => undefined);
  let phase: Phase = "greeting";
  let late = 0;
  let gone = false;
  /** Why we ended it; when nothing, it ended by itself. */
  let cause: Fault | undefined;

  let unwritten: string[] = [];
  let unwrittenChars = 0;
  const flush = (): void => {
    const text = unwritten.join("");
    unwritten = [];
    unwrittenChars = 0;
    if (child.stdin.writable) child.stdin.write(text);
  };
  const write = (line: string): Extract<Fault, { readonly kind: "full" }> | undefined => {
    if (child.stdin.writableLength + unwrittenChars > limits.pipeChars) {
      return { kind: "full", what: "pipe", limit: limits.pipeChars };
    }
    if (unwritten.length === 0) queueMicrotask(flush);
    unwritten.push(line);
    unwrittenChars += line.length;
    return undefined;
  };

  const lastWords = (): readonly string[] => stderr.lines(4);

  const exchange = createExchange({
    name: spec.name,
    dialect: spec.dialect,
    queue: limits.queue,
    requestMs: spec.requestMs ?? 10_000,
    write,
    stuck: (fault) => void end(fault, 0),
    stderr: lastWords,
  });

  const takeMessage = (message: Message): void => {
    if (phase === "greeting") {
      const greeting = spec.dialect.handshake(message);
      switch (greeting.kind) {
        case "welcome":
          clearTimeout(startTimer);
          phase = "working";
          greeted.resolve(greeting.info);
          return;
        case "unfit":
          void end({ kind: "unfit", why: greeting.why }, 0);
          return;
        case "other":
          noise.add(clip(message));
          return;
      }
    }
    const taken = exchange.receive(message);
    if (taken === "late") late++;
    if (taken === "stray") noise.add(clip(message));
  };

  const takeLine = (bytes: Uint8Array): void => {
    const line = readLine(bytes);
    switch (line.kind) {
      case "message":
        try {
          takeMessage(line.message);
        } catch (error) {
          void end({ kind: "garbled", why: `not understood (${String(error)})`, text: clip(line.message) }, 0);
        }
        return;
      case "noise":
        if (line.text !== "") noise.add(line.text);
        return;
      case "garbled":
        noise.add(line.text);
        // Without ids this was the answer to some request, and nothing marks where the next one begins.
        if (phase === "working" && spec.dialect.inFlight === 1 && exchange.size > 0) {
          void end({ kind: "garbled", why: line.why, text: line.text }, 0);
        }
        return;
    }
  };

  child.stdout.on("data", (chunk: Uint8Array) => {
    for (const frame of framer.push(chunk)) {
      if (frame.kind === "line") takeLine(frame.bytes);
      else void end({ kind: "too-long", maxBytes: limits.lineBytes }, 0);
    }
  });
  child.stderr.on("data", (chunk: Uint8Array) => stderr.push(chunk));
  // A pipe that breaks says no more than the exit that follows it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);

  const startTimer = setTimeout(() => {
    void end({ kind: "silent", ms: startMs, printed: noise.last.slice(-4) }, 0);
  }, startMs);

  /** Fails everything at once, then ends the process: by itself, by SIGTERM, by SIGKILL. */
  const end = async (fault: Fault, grace: number): Promise<void> => {
    if (cause !== undefined || gone) return;
    cause = fault;
    fall(fault);
    if (grace > 0) {
      if (spec.dialect.quit !== undefined) write(writeLine(spec.dialect.quit));
      queueMicrotask(() => child.stdin.end());
      if (await settlesWithin(child.exited, grace)) return;
    }
    child.signal("SIGTERM");
    if (await settlesWithin(child.exited, termMs)) return;
    child.signal("SIGKILL");
  };

  const fall = (fault: Fault): void => {
    clearTimeout(startTimer);
    if (phase === "greeting") greeted.reject(new SubprocessError(fault, context(spec, false, lastWords())));
    phase = "ending";
    exchange.fail(fault);
  };

  const exitFault = (exit: Exit, during: Phase): Fault => ({
    kind: "exited",
    exit,
    while: during === "greeting" ? "starting" : "working",
    unfinished: framer.unfinished(),
  });

  const ended = child.exited.then(async (exit) => {
    // What the process left behind in its group goes with it; what left the group may still hold the pipes.
    child.signal("SIGKILL");
    await settlesWithin(child.closed, lastWordsMs);
    gone = true;
    const fault = cause ?? exitFault(exit, phase);
    fall(fault);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.release();
    return new SubprocessError(fault, context(spec, false, lastWords()));
  });

  return {
    pid: child.pid,
    ready: greeted.promise,
    ask: exchange.ask,
    ended,
    stop: async () => {
      await end({ kind: "stopped" }, graceMs);
      await ended;
    },
    diagnostics: () => ({
      stderr: stderr.lines(20),
      stderrBytes: stderr.total(),
      noise: noise.count,
      lastNoise: noise.last,
      late,
    }),
    get busy() {
      return exchange.size;
    },
    get over() {
      return phase === "ending";
    },
  };
};

const clip = (message: Message): string => JSON.stringify(message).slice(0, 512);
