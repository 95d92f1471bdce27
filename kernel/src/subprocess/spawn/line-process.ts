/**
 * A process that speaks JSON in lines, for a protocol that a service has from elsewhere: bytes become messages, and its group is
 * gone before `ended` resolves. It never comes back; a restart starts another.
 *
 * Not here: requests and answers (`child.ts` has them for our own dialects), restarts, and what the messages mean.
 */

import { probeContainment } from "../contain/containment.ts";
import { createFramer } from "../protocol/framer.ts";
import { type Message, readLine, writeLine } from "../protocol/line.ts";
import { createByteRing } from "../protocol/output-tail.ts";
import { defaultLimits, type SubprocessSpec } from "../protocol/spec.ts";
import type { Exit, Fault } from "../protocol/subprocess-error.ts";
import { launch, type Process } from "./launch.ts";
import { settlesWithin } from "./settles-within.ts";

export interface LineProcessSpec extends Pick<SubprocessSpec, "name" | "command" | "args" | "cwd" | "env" | "stop"> {
  /** Longest line it may write, in bytes. 20 MiB. */
  readonly lineBytes?: number;
  readonly onMessage: (message: Message) => void;
}

export interface LineProcess {
  /** Process group; with a namespace the launcher's, not the program's own. */
  readonly pid: number;
  /** `closed`: it takes no more. `full`: it has not read what it was sent before. */
  send(message: Message): "sent" | "full" | "closed";
  /** The process itself ended, or wrote a line that is too long and is being killed. Nothing more is read. */
  readonly over: Promise<Exit>;
  /** Its whole group is gone. */
  readonly ended: Promise<void>;
  /** Ends its input, then SIGTERM, then SIGKILL. Resolves when its group is gone. */
  stop(): Promise<void>;
  /** The last lines of its stderr. */
  stderr(): readonly string[];
}

export type LineProcessStart =
  | { readonly ok: true; readonly process: LineProcess }
  | { readonly ok: false; readonly fault: Fault };

/** Milliseconds that output may still come after the process itself has ended. */
const lastWordsMs = 250;
/** A reason comes before its trace. */
const stderrLines = 40;

/** Starts it. `over` says whether it has ended. */
export const startLineProcess = async (spec: LineProcessSpec): Promise<LineProcessStart> => {
  const launched = launch(spec, await probeContainment());
  return launched.ok ? { ok: true, process: attend(spec, launched.process) } : launched;
};

const attend = (spec: LineProcessSpec, child: Process): LineProcess => {
  const { graceMs = 1_000, termMs = 2_000 } = spec.stop ?? {};
  const framer = createFramer(spec.lineBytes ?? defaultLimits.lineBytes);
  const stderr = createByteRing(defaultLimits.stderrBytes);
  const over = Promise.withResolvers<Exit>();
  let stopping: Promise<void> | undefined;
  let deaf = false;

  child.stdout.on("data", (chunk: Uint8Array) => {
    for (const frame of framer.push(chunk)) {
      if (deaf) return;
      const line = frame.kind === "line" ? readLine(frame.bytes) : undefined;
      if (line === undefined) {
        deaf = true;
        over.resolve({});
        child.signal("SIGKILL");
      } else if (line.kind === "message") spec.onMessage(line.message);
    }
  });
  child.stderr.on("data", (chunk: Uint8Array) => stderr.push(chunk));
  // A pipe that breaks says no more than the exit that follows it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);

  const ended = child.exited.then(async (exit) => {
    // What it left behind in its group goes with it; what left the group may still hold the pipes.
    child.signal("SIGKILL");
    await settlesWithin(child.closed, lastWordsMs);
    deaf = true;
    over.resolve(exit);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.release();
  });

  const stop = async (): Promise<void> => {
    child.stdin.end();
    if (!(await settlesWithin(child.exited, graceMs))) {
      child.signal("SIGTERM");
      if (!(await settlesWithin(child.exited, termMs))) child.signal("SIGKILL");
    }
    await ended;
  };

  return {
    pid: child.pid,
    send: (message) => {
      if (deaf || !child.stdin.writable) return "closed";
      if (child.stdin.writableLength > defaultLimits.pipeChars) return "full";
      child.stdin.write(writeLine(message));
      return "sent";
    },
    over: over.promise,
    ended,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
    stderr: () => stderr.lines(stderrLines),
  };
};
