/** What the subprocess tests share: how the test's actor is started, and how to look at processes. Not part of the kernel. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import { type DialectInTurn, lineProtocol } from "../subprocess/protocol/dialect.ts";
import type { Message } from "../subprocess/protocol/line.ts";
import type { SubprocessSpec } from "../subprocess/protocol/spec.ts";
import type { SubprocessError } from "../subprocess/protocol/subprocess-error.ts";
import { type Child, startChild } from "../subprocess/spawn/child.ts";
import type { ContainmentKind } from "../subprocess/spawn/launch.ts";

const actorPath = fileURLToPath(new URL("actor.fixture.ts", import.meta.url));

const byId = lineProtocol({ protocol: "actor", versions: [1, 2] });

/** The same child without ids: one request at a time. */
export const inTurn: DialectInTurn = {
  ids: false,
  inFlight: 1,
  onTimeout: "kill",
  handshake: byId.handshake,
  encode: byId.encode,
  quit: { quit: true },
  answer: (message) => ("ok" in message ? { kind: "reply" } : "part" in message ? { kind: "part" } : { kind: "other" }),
};

export const actor = (args: readonly string[] = [], more: Partial<SubprocessSpec> = {}): SubprocessSpec => ({
  name: "actor",
  command: process.execPath,
  args: [actorPath, ...args],
  cwd: "/",
  dialect: byId,
  startMs: 60_000,
  requestMs: 60_000,
  unresponsiveMs: 60_000,
  stop: { graceMs: 500, termMs: 500 },
  ...more,
});

export const actorInTurn = (args: readonly string[] = [], more: Partial<SubprocessSpec> = {}): SubprocessSpec =>
  actor(["turn=yes", ...args], { dialect: inTurn, ...more });

export const call = (name: string, params: Message = {}): Message => ({ call: name, params });

/** A child whose Effects run: what waits for it is a promise. */
interface StartedChild extends Omit<Child, "ready" | "ended" | "stop"> {
  readonly ready: Promise<unknown>;
  readonly ended: Promise<SubprocessError>;
  stop(): Promise<void>;
}

const started: StartedChild[] = [];

/** Throws when there is nothing to start. */
export const start = (
  spec: SubprocessSpec,
  containment: ContainmentKind = { kind: "group", denials: [] },
): StartedChild => {
  const child = Effect.runSync(Scope.provide(startChild(spec, containment), Scope.makeUnsafe()));
  const ready = Effect.runPromise(child.ready);
  ready.catch(() => undefined);
  const { pid, ask } = child;
  const running: StartedChild = {
    pid,
    ask,
    ready,
    ended: Effect.runPromise(child.ended),
    stop: () => Effect.runPromise(child.stop),
    diagnostics: () => child.diagnostics(),
    get busy() {
      return child.busy;
    },
    get over() {
      return child.over;
    },
  };
  started.push(running);
  return running;
};

/** Ends what a test has started. */
export const stopAll = async (): Promise<void> => {
  await Promise.all(started.splice(0).map((child) => child.stop()));
};

/** Alive and no zombie. */
export const lives = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const isMarked = (pid: string, mark: string, name: string | undefined): boolean => {
  try {
    return (
      readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark) &&
      (name === undefined || readFileSync(`/proc/${pid}/comm`, "utf8").trim() === name)
    );
  } catch {
    return false;
  }
};

/** How many processes, of that name when one is given, carry a mark in their environment. Linux only. */
export const marked = (mark: string, name?: string): number =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isMarked(pid, mark, name)).length;

/** Asks again and again until the answer is yes; fails after a generous while. */
export const until = async (ask: () => boolean, ms = 60_000): Promise<void> => {
  for (const end = Date.now() + ms; !ask(); ) {
    if (Date.now() > end) throw new Error(`not so after ${ms} ms: ${ask}`);
    await pause(10);
  }
};
