/**
 * One Path of Building session: a supervised process, what is loaded in it, and the journal from which it is rebuilt when
 * the process dies. Changes go one after the other; reads go in between.
 *
 * Not here: handlers and their errors (`handlers.ts`), how the process is spoken to (`shim-engine.ts`, `fork-engine.ts`).
 */
import { createHash } from "node:crypto";
import type { ChildStatus, Host } from "@fairlead/kernel/service";
import {
  type Ask,
  makeSubprocess,
  type RequestOptions,
  residentBytes,
  type Subprocess,
  type SubprocessSpec,
} from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import type { Scope } from "effect/Scope";
import { type Engine, EngineError, type LoadInput } from "../engine/engine.ts";
import { createForkEngine, forkDialect } from "../engine/fork/fork-engine.ts";
import { createShimEngine, shimDialect } from "../engine/shim/shim-engine.ts";
import { listTreeVersions, type PobSettings } from "../setup/settings.ts";
import {
  appendEdit,
  type Edit,
  emptyJournal,
  type Journal,
  mostEdits,
  removeLastEdit,
  startJournal,
} from "./journal.ts";

export interface Session {
  /** Reads, or tries something without changing it. */
  read<A>(work: (engine: Engine) => Promise<A>): Promise<A>;
  start(options?: Pick<RequestOptions, "signal">): Promise<boolean>;
  stop(): Promise<boolean>;
  load(input: LoadInput, options?: RequestOptions): ReturnType<Engine["load"]>;
  /** Makes a change and writes it down when it succeeded. */
  change<A>(edit: Edit, work: (engine: Engine) => Promise<A>): Promise<A>;
  /** Takes the last change back; nothing when there is none. */
  undo(options?: RequestOptions): Promise<{ readonly edit: Edit; readonly left: number } | undefined>;
  /** True once after the process had died and its state was rebuilt. */
  takeRecovered(): boolean;
  /** True while it has a process, or is getting one. */
  awake(): boolean;
  /** Starts the process without waiting for it. No-op when it had failed: only `start` forgives. */
  wake(): void;
  /** Ends the process and keeps the build for the next call. */
  sleep(): Promise<void>;
  /** Nothing would be lost with it. */
  blank(): boolean;
  /** What the running process says of itself, and which trees it has. */
  about(): { readonly version: string; readonly trees: readonly string[] | undefined };
  status(): ChildStatus;
  readonly process: Subprocess;
}

/** `label` names the process for people. */
export const createSession = (settings: PobSettings, host: Host, label: string): Effect.Effect<Session, never, Scope> =>
  Effect.gen(function* () {
    const engineOf = settings.kind === "shim" ? createShimEngine : createForkEngine;
    let journal: Journal = emptyJournal;
    let lives = 0;
    let recovered = false;

    const replay = async (engine: Engine): Promise<void> => {
      if (journal.kind === "empty") return;
      await engine.load(journal.load);
      for (const edit of journal.edits) await redo(engine, edit);
    };

    const prepare = async (ask: Ask): Promise<void> => {
      lives++;
      if (journal.kind === "empty") return;
      try {
        await replay(engineOf(ask, failPreparation));
        recovered = true;
        host.log("info", "path of building was restarted and its build loaded again", { lives });
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        journal = emptyJournal;
        host.log("error", "the build could not be loaded again after a restart", { error: error.message });
      }
    };

    const process = yield* makeSubprocess(
      { ...buildProcessSpec(settings, prepare), name: label },
      {
        reporter: host,
      },
    );
    /** What spoilt the process is refused only after another one has the session as it was. */
    const careful = async <A>(work: () => Promise<A>): Promise<A> => {
      try {
        return await work();
      } catch (error) {
        if (error instanceof EngineError && error.poisoned) await process.restart();
        throw error;
      }
    };
    let last: Promise<unknown> = Promise.resolve();
    /** One change after the other. */
    const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
      const next = last.then(() => careful(work));
      last = next.catch(() => undefined);
      return next;
    };

    let idle: NodeJS.Timeout | undefined;
    const rest = (): void => {
      clearTimeout(idle);
      idle = setTimeout(() => void releaseMemory(process, settings, inTurn), settings.idleMs);
      idle.unref();
    };
    yield* Effect.addFinalizer(() => Effect.sync(() => clearTimeout(idle)));

    const ask: Ask = async (body, options) => {
      try {
        return await process.ask(body, options);
      } finally {
        rest();
      }
    };
    const engine = engineOf(ask, () => process.restart());

    const write = async (edit: Edit): Promise<void> => {
      journal = appendEdit(journal, edit);
      if (journal.kind === "loaded" && journal.edits.length >= mostEdits) {
        const xml = await engine.exportXml();
        journal = startJournal({ xml, name: journal.load.name, nodes: [] });
      }
    };

    return {
      read: (work) => careful(() => work(engine)),
      process,
      start: async (options) => {
        const before = process.status().state.tag;
        await process.start(options);
        return before !== "Ready";
      },
      stop: async () => {
        const { tag } = process.status().state;
        journal = emptyJournal;
        recovered = false;
        await process.stop();
        return tag !== "Stopped" && tag !== "Failed";
      },
      load: (input, options) =>
        inTurn(async () => {
          host.log("info", "loading a build", { length: input.xml.length, sha256: hashText(input.xml) });
          const report = await engine.load(input, options);
          journal = startJournal(input);
          recovered = false;
          return report;
        }),
      change: (edit, work) =>
        inTurn(async () => {
          const result = await work(engine);
          await write(edit);
          return result;
        }),
      undo: (options) =>
        inTurn(async () => {
          const back = removeLastEdit(journal);
          if (back === undefined || back.journal.kind === "empty") return undefined;
          const before = journal;
          journal = back.journal;
          try {
            await engine.load(back.journal.load, options);
            for (const edit of back.journal.edits) await redo(engine, edit);
          } catch (error) {
            if (!(error instanceof EngineError)) {
              journal = before;
              throw error;
            }
            // What it was may not be reached from what it is; a new process begins without it.
            await process.restart();
            recovered = false;
          }
          return { edit: back.edit, left: back.journal.edits.length };
        }),
      takeRecovered: () => {
        const told = recovered;
        recovered = false;
        return told;
      },
      awake: () => isAwake(process),
      wake: () => {
        if (process.status().state.tag === "Stopped") process.start().catch(() => undefined);
      },
      sleep: () => inTurn(() => process.stop()),
      blank: () => journal.kind === "empty" && !isAwake(process),
      about: () => describeProcess(process.info(), settings),
      status: process.status,
    } satisfies Session;
  });

/** A process that cannot load its build at its very start is not replaced by another. */
const failPreparation = (): Promise<never> =>
  Promise.reject(new EngineError("defect", "a new process cannot compute the build"));

const isAwake = (process: Subprocess): boolean => !["Stopped", "Failed"].includes(process.status().state.tag);

/** Gives memory back while nobody waits: a full collection, and a restart when the process is still too large. */
const releaseMemory = async (
  process: Subprocess,
  { kind, memoryBytes }: PobSettings,
  inTurn: <A>(work: () => Promise<A>) => Promise<A>,
): Promise<void> => {
  const ready = (): boolean => process.status().state.tag === "Ready" && process.busy() === 0;
  try {
    if (kind === "shim" && ready()) await process.ask({ call: "collect", params: {} });
    const pid = process.pid();
    const large = pid !== undefined && (residentBytes(pid) ?? 0) > memoryBytes;
    if (large && ready()) await inTurn(() => process.restart());
  } catch {
    // A process that dies of this is started again by its supervisor.
  }
};

const redo = async (engine: Engine, edit: Edit): Promise<void> => {
  if (edit.kind === "tree") await engine.setTree(edit.tree);
  else await engine.apply(edit.changes);
};

const buildProcessSpec = (
  settings: PobSettings,
  prepare: NonNullable<SubprocessSpec["prepare"]>,
): Omit<SubprocessSpec, "name"> => ({
  command: settings.command,
  args: settings.args,
  cwd: settings.cwd,
  env: {
    set:
      settings.kind === "shim"
        ? {}
        : { POB_API_STDIO: "1", LUA_PATH: "../runtime/lua/?.lua;../runtime/lua/?/init.lua;;" },
  },
  dialect: settings.kind === "shim" ? shimDialect : forkDialect,
  ...(settings.kind !== "custom" && { deny: ["network", "writing"] }),
  limits: { addressBytes: settings.mostMemoryBytes },
  startMs: 30_000,
  prepareMs: 60_000,
  requestMs: settings.timeoutMs,
  stop: { graceMs: 500, termMs: 2_000 },
  prepare,
  hint:
    settings.problem?.fix ??
    (settings.kind === "custom" ? customHint : undefined) ??
    `install LuaJIT (apt-get install luajit, or brew install luajit) or set POB_CMD; verify POB_FORK_PATH (now ${settings.cwd})`,
});

const customHint =
  "POB_ARGS must start something that answers in JSON lines as the fork does; leave it out to have that decided by what is found";

const describeProcess = (info: unknown, { cwd }: PobSettings): ReturnType<Session["about"]> => {
  const found = typeof info === "object" && info !== null ? info : {};
  const told = "trees" in found && Array.isArray(found.trees) ? found.trees : undefined;
  return {
    version: "number" in found ? String(found.number) : "unknown",
    trees: told?.filter((name) => typeof name === "string") ?? listTreeVersions(cwd),
  };
};

const hashText = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
