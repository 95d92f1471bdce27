/**
 * One Path of Building session: a supervised process, what is loaded in it, and the journal from which it is rebuilt when
 * the process dies. Changes and tries go one after the other; reads go in between, also while a ranking is at work.
 *
 * Not here: handlers and their errors (`handlers.ts`), how the process is spoken to (`shim-engine.ts`, `fork-engine.ts`).
 */
import { createHash } from "node:crypto";
import { type ChildStatus, detached, type Host } from "@fairlead/kernel/service";
import { type Ask, makeSubprocess, type RequestOptions, type Subprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import type { Scope } from "effect/Scope";
import { type Engine, EngineError, type LoadInput } from "../engine/engine.ts";
import { createForkEngine } from "../engine/fork/fork-engine.ts";
import type { LoadedXml } from "../engine/fork/fork-protocol.ts";
import { createShimEngine } from "../engine/shim/shim-engine.ts";
import { createTurnQueue, type TurnQueue } from "../engine/turn-queue.ts";
import { listTreeVersions, type PobSettings } from "../setup/settings.ts";
import { compareStats, type EditedStats } from "../stats/edited-stats.ts";
import { BuildHistory, type UndoneEdit } from "./build-history.ts";
import { checkHealth } from "./health-check.ts";
import { releaseMemoryWhenIdle } from "./idle-memory.ts";
import type { Edit } from "./journal.ts";
import { buildProcessSpec } from "./process-spec.ts";

export interface Session {
  /** Reads; also while something is tried. */
  read<A>(work: (engine: Engine) => Promise<A>): Promise<A>;
  /** Tries something without changing it: after the changes and tries that came before. */
  tryOut<A>(work: (engine: Engine) => Promise<A>, options: RequestOptions): Promise<A>;
  start(options?: Pick<RequestOptions, "signal">): Promise<boolean>;
  stop(): Promise<boolean>;
  load(input: LoadInput, options?: RequestOptions): ReturnType<Engine["load"]>;
  /** Makes a change and writes it down when it succeeded; answers also what it did to the stats. */
  change<A extends object>(edit: Edit, work: (engine: Engine) => Promise<A>): Promise<A & EditedStats>;
  /** Takes the last change back; nothing when there is none. */
  undo(options?: RequestOptions): Promise<(UndoneEdit & EditedStats) | undefined>;
  /** True once after the process had died and its state was rebuilt. */
  takeRecovered(): boolean;
  /** True while it has a process, or is getting one. */
  awake(): boolean;
  /** Starts the process when it does not run, and waits for it. No-op for a while after it had died too often: `start` starts it at once. */
  wake(options: Pick<RequestOptions, "signal">): Promise<void>;
  /** Ends the process and keeps the build for the next call. */
  sleep(): Promise<void>;
  /** Nothing would be lost with it. */
  blank(): boolean;
  /** What the running process says of itself, and which trees it has. */
  about(): { readonly version: string; readonly trees: readonly string[] | undefined };
  status(): ChildStatus;
  readonly process: Subprocess;
}

/** A session of its own process, which ends with the scope. `name` names the process for people. */
export const createSession = (settings: PobSettings, host: Host, name: string): Effect.Effect<Session, never, Scope> =>
  Effect.gen(function* () {
    const loaded: LoadedXml = { xml: undefined };
    const createEngine = (ask: Ask, renew: () => Promise<void>): Engine =>
      settings.kind === "shim" ? createShimEngine(ask) : createForkEngine(ask, renew, loaded);
    const history = new BuildHistory();
    let generation = 0;
    /** A process that is started for a load is not given the build that the load replaces. */
    let replacing = false;
    const prepare = async (ask: Ask): Promise<void> => {
      generation += 1;
      if (replacing) return;
      await rebuild(history, createEngine(ask, failPreparation), { log: host.log, generation, settings });
    };
    const process = yield* makeSubprocess(buildProcessSpec(settings, { name, prepare }), { reporter: host });
    const restart = (): Promise<void> => process.restart();
    const queue = createTurnQueue();
    const inTurn: TurnQueue = (work) => queue(() => restartWhenPoisoned(work, restart));
    yield* checkHealth(process, settings);
    const noteRequest = yield* releaseMemoryWhenIdle(process, settings, inTurn);
    const engine = createEngine((body, options) => process.ask(body, options).finally(noteRequest), restart);
    return {
      read: (work) => restartWhenPoisoned(() => work(engine), restart),
      tryOut: (work, { signal }) =>
        inTurn(async () => {
          signal?.throwIfAborted();
          return work(engine);
        }),
      process,
      start: async (options) => {
        const before = process.status().state.tag;
        await process.start(options);
        return before !== "Ready";
      },
      stop: async () => {
        const wasAwake = isAwake(process);
        history.clear();
        await process.stop();
        return wasAwake;
      },
      load: (input, options) =>
        inTurn(async () => {
          host.log("info", "loading a build", { length: input.xml.length, sha256: hashText(input.xml) });
          const starts = !isAwake(process) && !history.isEmpty();
          try {
            replacing = starts;
            // The start has the call's whole time, and the load its own.
            const { signal } = options ?? {};
            if (canWake(process, settings)) await process.start(signal === undefined ? {} : { signal });
            const report = await engine.load(input, options);
            history.begin(input);
            return report;
          } catch (error) {
            replacing = false;
            // The process has no build: another one gets the build that was not replaced. One that is poisoned is replaced anyway.
            const stays = !(error instanceof EngineError && error.poisoned) && isAwake(process);
            if (starts && stays) await process.restart().catch(() => undefined);
            throw error;
          } finally {
            replacing = false;
          }
        }),
      change: (edit, work) =>
        inTurn(async () => {
          const before = await engine.stats(undefined);
          const result = await work(engine);
          // The change is made: writing it down does not end with the caller.
          await detached(() => history.append(edit, engine));
          return { ...result, ...compareStats(before.stats, (await engine.stats(undefined)).stats) };
        }),
      // Half an undo would leave another build than the journal says.
      undo: (options) =>
        inTurn(() =>
          detached(async () => {
            if (history.isEmpty()) return undefined;
            const before = await engine.stats(undefined);
            const undone = await history.undo({ engine, restart, options });
            return undone && { ...undone, ...compareStats(before.stats, (await engine.stats(undefined)).stats) };
          }),
        ),
      takeRecovered: () => history.takeRecovered(),
      awake: () => isAwake(process),
      wake: async ({ signal }) => {
        // One that died and starts again is left alone: a start that somebody asks for would forget its deaths.
        if (canWake(process, settings)) await process.start(signal === undefined ? {} : { signal });
      },
      sleep: () => inTurn(() => process.stop()),
      blank: () => history.isEmpty() && !isAwake(process),
      about: () => describeProcess(process.info(), settings),
      status: process.status,
    } satisfies Session;
  });

interface Rebuilding {
  readonly log: Host["log"];
  readonly generation: number;
  readonly settings: PobSettings;
}

/** Gives a new process the build of the one before. A build that it cannot load is forgotten, so that the session can go on. */
const rebuild = async (
  history: BuildHistory,
  engine: Engine,
  { log, generation, settings }: Rebuilding,
): Promise<void> => {
  if (history.isEmpty()) return;
  try {
    await history.replay(engine, { timeoutMs: settings.loadTimeoutMs });
    log("info", "path of building was restarted and its build loaded again", { lives: generation });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    history.clear();
    log("error", "the build could not be loaded again after a restart", { error: error.message });
  }
};

/** What spoilt the process is refused only after another one has the session as it was. */
const restartWhenPoisoned = async <A>(work: () => Promise<A>, restart: () => Promise<void>): Promise<A> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && error.poisoned) await restart();
    throw error;
  }
};

/** A process that cannot load its build at its very start is not replaced by another. */
const failPreparation = (): Promise<never> =>
  Promise.reject(new EngineError("defect", "a new process cannot compute the build"));

const isAwake = (process: Subprocess): boolean => !["Stopped", "Failed"].includes(process.status().state.tag);

/** One that died too often is left alone for a while. */
const canWake = (process: Subprocess, { stormMs }: PobSettings): boolean => {
  const { state } = process.status();
  return state.tag === "Stopped" || (state.tag === "Failed" && Date.now() - state.since >= stormMs);
};

const describeProcess = (info: unknown, { cwd }: PobSettings): ReturnType<Session["about"]> => {
  const found = typeof info === "object" && info !== null ? info : {};
  const trees = "trees" in found && Array.isArray(found.trees) ? found.trees : undefined;
  return {
    version: "number" in found ? String(found.number) : "unknown",
    trees: trees?.filter((name) => typeof name === "string") ?? listTreeVersions(cwd),
  };
};

const hashText = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
