/** The child spec of a session's process, from the settings: command, dialect, limits, timeouts. */
import type { Fault, SubprocessSpec } from "@fairlead/kernel/subprocess";
import { forkDialect } from "../engine/fork/fork-protocol.ts";
import { shimDialect } from "../engine/shim/shim-engine.ts";
import type { PobSettings } from "../setup/settings.ts";

/** `prepare` runs in each new process before its first request; `name` is for people. */
export const buildProcessSpec = (
  settings: PobSettings,
  { name, prepare }: Required<Pick<SubprocessSpec, "name" | "prepare">>,
): SubprocessSpec => ({
  name,
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
  // A hang leaves the next call most of its own time.
  unresponsiveMs: Math.min(5_000, settings.timeoutMs / 4),
  stop: { graceMs: 500, termMs: 2_000 },
  prepare,
  hint: explainStart(settings),
  downHint: `lua_start starts it again at once, the first call after ${Math.ceil(settings.stormMs / 1_000)} seconds does so by itself`,
  quote: quoteLuaError,
});

/** What to do about a process that does not start, by its cause; nothing where the kernel's own words are better. */
const explainStart =
  ({ command, kind, problem, cwd }: PobSettings) =>
  (fault: Fault): string | undefined => {
    switch (fault.kind) {
      case "missing":
        if (fault.what === "program")
          return `install LuaJIT (apt-get install luajit, or brew install luajit), or set POB_CMD to its path (now ${command})`;
        return fault.what === "folder" ? (problem?.fix ?? verifyPath(cwd)) : undefined;
      case "silent":
      case "exited":
      case "unprepared":
        if (kind === "custom") return customHint;
        if (fault.kind === "exited" && fault.exit.signal !== undefined)
          return `${command} itself was ended by the system: \`fairlead doctor\` looks at it, POB_CMD takes another build of LuaJIT`;
        return problem?.fix ?? verifyPath(cwd);
      default:
        return undefined;
    }
  };

const verifyPath = (cwd: string): string =>
  `verify POB_FORK_PATH (now ${cwd}): \`fairlead doctor\` says what is missing there`;

const customHint =
  "POB_ARGS must start something that answers in JSON lines as the fork does; leave it out to have that decided by what is found";

/** The line of stderr that says why LuaJIT ended: the last one that is not a part of a traceback. */
const quoteLuaError = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => !/^(?:\s|stack traceback:)/.test(line)).slice(-1);
