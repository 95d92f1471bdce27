/**
 * A process that speaks JSON in lines, for a protocol that a service has from elsewhere: bytes become messages, and its group is
 * gone before its scope has closed. It never comes back; a restart starts another.
 *
 * Not here: requests and answers (`child.ts` has them for our own dialects), restarts, and what the messages mean.
 */

import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { createFramer } from "../protocol/framer.ts";
import { type Message, readLine, writeLine } from "../protocol/line.ts";
import { createByteRing } from "../protocol/output-tail.ts";
import { defaultLimits, type SubprocessLimits, type SubprocessSpec } from "../protocol/spec.ts";
import { type Exit, SubprocessError } from "../protocol/subprocess-error.ts";
import { cleanUp, defaultStop, endProcess } from "./ending.ts";
import { launch, type Process } from "./launch.ts";
import { probeContainment } from "./probe.ts";
import { makeProcessEvent } from "./process-event.ts";

/** What to run, and where its messages and its end go. */
export interface LineProcessSpec
  extends Pick<SubprocessSpec, "name" | "command" | "args" | "cwd" | "env" | "stop" | "deny" | "folders"> {
  readonly limits?: Pick<Partial<SubprocessLimits>, "addressBytes">;
  /** Longest line it may write, in bytes. 20 MiB. */
  readonly lineBytes?: number;
  readonly onMessage: (message: Message) => void;
}

/** A process that is written to and read line by line, without requests and answers. */
export interface LineProcess {
  /** Process group; with a namespace the launcher's, not the program's own. */
  readonly pid: number;
  /** `closed`: it takes no more. `full`: it has not read what it was sent before. */
  send(message: Message): "sent" | "full" | "closed";
  /** The process itself ended, or wrote a line that is too long and is being killed. Nothing more is read. */
  readonly over: Effect.Effect<Exit>;
  /** Its whole group is gone. */
  readonly ended: Effect.Effect<void>;
  /** The last lines of its stderr. */
  stderr(): readonly string[];
}

/** A reason comes before its trace. */
const stderrLines = 40;

/** Starts it. When the scope closes, its input ends, then come SIGTERM and SIGKILL; closed, its group is gone. */
export const startLineProcess = (spec: LineProcessSpec): Effect.Effect<LineProcess, SubprocessError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(probeContainment).pipe(
      Effect.flatMap((containment) => launch(spec, containment)),
      Effect.mapError((fault) => new SubprocessError(fault, { name: spec.name, sent: false })),
      Effect.flatMap((process) => {
        const { untilGone, ...running } = attend(spec, process);
        return Effect.as(Effect.forkDetach(untilGone), running);
      }),
    ),
    (running) => running.stop,
  );

interface AttendedProcess extends LineProcess {
  readonly untilGone: Effect.Effect<void>;
  readonly stop: Effect.Effect<void>;
}

const attend = (spec: LineProcessSpec, child: Process): AttendedProcess => {
  const framer = createFramer(spec.lineBytes ?? defaultLimits.lineBytes);
  const stderr = createByteRing(defaultLimits.stderrBytes);
  const over = makeProcessEvent<Exit>();
  const ended = makeProcessEvent<void>();
  let deaf = false;

  child.stdout.on("data", (chunk: Uint8Array) => {
    for (const frame of framer.push(chunk)) {
      if (deaf) return;
      const line = frame.kind === "line" ? readLine(frame.bytes) : undefined;
      if (line === undefined) {
        deaf = true;
        over.succeed({});
        child.signal("SIGKILL");
      } else if (line.kind === "message") spec.onMessage(line.message);
    }
  });
  child.stderr.on("data", (chunk: Uint8Array) => stderr.push(chunk));
  // A pipe that breaks says no more than the exit that follows it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);

  return {
    pid: child.pid,
    send: (message) => {
      if (deaf || !child.stdin.writable) return "closed";
      if (child.stdin.writableLength > defaultLimits.pipeChars) return "full";
      child.stdin.write(writeLine(message));
      return "sent";
    },
    over: over.wait,
    ended: ended.wait,
    stderr: () => stderr.lines(stderrLines),
    untilGone: child.exited.pipe(
      Effect.tap(cleanUp(child)),
      Effect.flatMap((exit) =>
        Effect.sync(() => {
          deaf = true;
          over.succeed(exit);
          ended.succeed();
        }),
      ),
    ),
    stop: Effect.sync(() => child.stdin.end()).pipe(
      Effect.andThen(endProcess(child, { ...defaultStop, ...spec.stop })),
      Effect.andThen(ended.wait),
    ),
  };
};
